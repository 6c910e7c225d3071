internal import BoardIO
internal import Glibc

/// Checks that this process may open enough files: parts of the runtime end the program without them.
enum Descriptors {
    /// The daemon holds about 20 (timers, signals, watches, the socket, the display); each transfer and each client of the
    /// control socket takes one more.
    private static let needed = 32

    /// The message with what to do; nil: there are enough.
    static var shortage: String? {
        var opened: [Int32] = []
        defer { for descriptor in opened { close(descriptor) } }
        for _ in 0..<needed {
            let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                return "boardd cannot start: \(opened.count) more files can be opened, and it needs \(needed) "
                    + "(\(errnoText(errno))). Raise the limit: `ulimit -n`, or LimitNOFILE= in the unit."
            }
            opened.append(descriptor)
        }
        return nil
    }
}
