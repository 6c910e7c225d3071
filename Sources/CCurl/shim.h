// libcurl for Swift. curl_easy_setopt, curl_multi_setopt and curl_easy_getinfo are variadic, which Swift cannot call:
// one inline function per argument type.
#ifndef CCURL_SHIM_H
#define CCURL_SHIM_H
// The type checks are macros around the variadic calls; the functions below are typed.
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>

/// A callback of libcurl for bytes of a header or a body; returns the number of bytes consumed.
typedef size_t (*ccurl_receiver)(char *bytes, size_t size, size_t count, void *context);

static inline CURLcode ccurl_set_long(CURL *easy, CURLoption option, long value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
    return curl_easy_setopt(easy, option, value);
}

/// libcurl copies the text.
static inline CURLcode ccurl_set_text(CURL *easy, CURLoption option, const char *value) {
    return curl_easy_setopt(easy, option, value);
}

/// libcurl stores the pointer.
static inline CURLcode ccurl_set_pointer(CURL *easy, CURLoption option, void *value) {
    return curl_easy_setopt(easy, option, value);
}

static inline CURLcode ccurl_set_receiver(CURL *easy, CURLoption option, ccurl_receiver value) {
    return curl_easy_setopt(easy, option, value);
}

/// Does not wait for the thread of an abandoned DNS lookup, if libcurl supports that (7.87 and later).
static inline CURLcode ccurl_set_quick_exit(CURL *easy) {
#if LIBCURL_VERSION_NUM >= 0x075700
    return curl_easy_setopt(easy, CURLOPT_QUICK_EXIT, 1L);
#else
    return CURLE_UNKNOWN_OPTION;
#endif
}

static inline CURLcode ccurl_get_long(CURL *easy, CURLINFO info, long *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode ccurl_get_offset(CURL *easy, CURLINFO info, curl_off_t *value) {
    return curl_easy_getinfo(easy, info, value);
}

static inline CURLMcode ccurl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
    return curl_multi_setopt(multi, option, value);
}

/// The result of a completed transfer: a member of an anonymous union.
static inline CURLcode ccurl_result(const CURLMsg *message) {
    return message->data.result;
}

#endif
