internal import Glibc

/// Standard error without C's global FILE.
enum StandardError {
    static func write(_ text: String) {
        StandardStream.write(text, to: STDERR_FILENO)
    }
}

/// Standard output without C's global FILE.
enum StandardOutput {
    static func write(_ text: String) {
        StandardStream.write(text, to: STDOUT_FILENO)
    }
}

private enum StandardStream {
    static func write(_ text: String, to descriptor: Int32) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let written = unsafe bytes.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if written < 0, errno == EINTR { continue }
            if written < 0, errno == EAGAIN {
                // A descriptor that the parent left non-blocking: wait for room.
                var entry = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
                _ = unsafe poll(&entry, 1, -1)
                continue
            }
            guard written > 0 else { return }
            bytes = bytes.dropFirst(written)
        }
    }
}
