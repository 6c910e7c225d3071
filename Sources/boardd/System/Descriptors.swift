internal import Glibc

/// Checks that this process may open enough files: parts of the runtime end the program without them.
enum Descriptors {
    /// The daemon holds about 20 (timers, signals, watches, the socket, the display); each transfer and each client of the
    /// control socket takes one more.
    private static let needed: rlim_t = 48

    /// What is wrong and what to do; nil where the limit is high enough.
    static var shortage: String? {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0, limit.rlim_cur < needed else {
            return nil
        }
        return "boardd cannot start: it may open \(limit.rlim_cur) files, and needs \(needed). "
            + "Raise the limit: `ulimit -n`, or LimitNOFILE= in the unit."
    }
}
