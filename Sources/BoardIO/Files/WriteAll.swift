internal import Glibc

/// Writes all bytes to a descriptor. Waits for room where the descriptor is non-blocking (a parent process may have left it so).
///
/// - Returns: the `errno`; 0 on success.
public func writeAll(_ bytes: Span<UInt8>, to descriptor: Int32) -> Int32 {
    var written = 0
    while written < bytes.count {
        let count = unsafe bytes.extracting(written..<bytes.count).withUnsafeBytes {
            unsafe write(descriptor, $0.baseAddress, $0.count)
        }
        if count > 0 {
            written += count
        } else if count < 0, errno == EAGAIN {
            var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
            _ = unsafe poll(&entry, 1, -1)
        } else if count == 0 || errno != EINTR {
            return count == 0 ? ENOSPC : errno
        }
    }
    return 0
}
