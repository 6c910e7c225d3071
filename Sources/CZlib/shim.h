// zlib for Swift, which sees neither the macro deflateInit2 nor that a stream must not move between calls.
#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H
#include <stddef.h>
#include <zlib.h>

/// Compresses as gzip (RFC 1952), without a name and a time: equal bytes give an equal result.
///
/// Returns the length of the result; 0 if it does not fit in `room`, or there is no memory.
static inline size_t czlib_gzip(const unsigned char *bytes, size_t count, unsigned char *output, size_t room) {
    enum { level = 6, window = 15, gzip = 16, memory = 8 };
    z_stream stream = {0};
    if (count > 0xffffffff || room > 0xffffffff) return 0;
    if (deflateInit2(&stream, level, Z_DEFLATED, window + gzip, memory, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    stream.next_in = (unsigned char *)bytes;
    stream.avail_in = (unsigned)count;
    stream.next_out = output;
    stream.avail_out = (unsigned)room;
    size_t length = deflate(&stream, Z_FINISH) == Z_STREAM_END ? stream.total_out : 0;
    deflateEnd(&stream);
    return length;
}

#endif
