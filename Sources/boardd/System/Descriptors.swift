internal import BoardIO
internal import Glibc

/// Whether this process may open as many files as it needs: parts of the runtime end the program where they get none.
enum Descriptors {
    /// The daemon holds about 20 (timers, signals, watches, the socket, the display); each transfer and each client of the
    /// control socket takes one more.
    private static let needed = 32

    /// What is wrong and what to do; nil: there are enough.
    static var shortage: String? {
        var held: [Int32] = []
        defer { for descriptor in held { close(descriptor) } }
        for _ in 0..<needed {
            let descriptor = unsafe open("/dev/null", O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else {
                return "boardd cannot start: \(held.count) more files can be opened, and it needs \(needed) "
                    + "(\(errnoText(errno))). Raise the limit: `ulimit -n`, or LimitNOFILE= in the unit."
            }
            held.append(descriptor)
        }
        return nil
    }
}
