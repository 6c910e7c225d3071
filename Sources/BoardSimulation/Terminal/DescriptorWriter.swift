internal import Glibc

/// Writes complete texts to a file descriptor, without the C library's streams.
struct DescriptorWriter: Sendable {
    /// Not closed by this type.
    let descriptor: Int32

    /// Writes all of `text`.
    ///
    /// - Returns: the `errno`; 0 on success.
    func write(_ text: String) -> Int32 {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
            }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno == EAGAIN {
                // The parent left the descriptor non-blocking: wait until it is writable.
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&entry, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
