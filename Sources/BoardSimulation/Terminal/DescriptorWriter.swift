internal import Glibc

/// Writing of whole texts to a file descriptor, without the C library's shared streams.
struct DescriptorWriter: Sendable {
    /// The descriptor; whoever opened it closes it.
    let descriptor: Int32

    /// Writes all of `text`.
    ///
    /// - Returns: the `errno`; 0 when all is well.
    func write(_ text: String) -> Int32 {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe Glibc.write(descriptor, buffer.baseAddress, buffer.count)
            }
            if count >= 0 {
                bytes = bytes.dropFirst(count)
            } else if errno == EAGAIN {
                // A descriptor that the parent left non-blocking: wait for room.
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&entry, 1, -1)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }
}
