import Glibc

/// Runs a system program.
public enum Subprocess {
    private static let timeout = Duration.seconds(5)
    /// The output is cut off after this many bytes.
    private static let maximumOutput = 200_000

    /// The standard output and error of a program that only reports, within 5 s; nil when there is no such program. Blocks.
    public static func output(_ words: [String], environment: [String: String]) -> String? {
        output(words, environment: environment, limit: timeout)
    }

    /// Those of a program that changes something. It has all the time that it needs: ended before, it would leave half of the
    /// change. On a slow Pi that is busy, systemctl takes longer than 5 s.
    public static func change(_ words: [String], environment: [String: String]) -> String? {
        output(words, environment: environment, limit: nil)
    }

    private static func output(_ words: [String], environment: [String: String], limit: Duration?) -> String? {
        var ends: [Int32] = [-1, -1]
        guard unsafe pipe(&ends) == 0 else { return nil }
        let (reading, writing) = (ends[0], ends[1])
        for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
        defer { _ = close(reading) }
        let pid = start(words, environment: environment, output: writing)
        _ = close(writing)
        guard let pid else { return nil }
        let bytes = read(reading, within: limit)
        // It has closed its output or exceeded its time. The ID is safe: an unreaped child's is not reused.
        if limit != nil { kill(pid, SIGKILL) }
        while waitpid(pid, nil, 0) < 0, errno == EINTR {}
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Replaces this program with another; returns only the error number of a failure.
    public static func become(_ words: [String]) -> Int32 {
        guard let program = words.first else { return ENOENT }
        // A program inherits what this one ignores, and what this thread blocks.
        for number in [SIGHUP, SIGPIPE] { signal(number, SIG_DFL) }
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe pthread_sigmask(SIG_SETMASK, &none, nil)
        return unsafe withCStrings(words) { arguments in
            unsafe execvp(program, arguments)
            return errno
        }
    }

    private static func start(_ words: [String], environment: [String: String], output: Int32) -> pid_t? {
        guard let program = words.first else { return nil }
        var actions = unsafe posix_spawn_file_actions_t()
        var attributes = posix_spawnattr_t()
        unsafe posix_spawn_file_actions_init(&actions)
        unsafe posix_spawnattr_init(&attributes)
        defer {
            unsafe posix_spawn_file_actions_destroy(&actions)
            unsafe posix_spawnattr_destroy(&attributes)
        }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 1)
        unsafe posix_spawn_file_actions_adddup2(&actions, output, 2)
        // The child must not inherit this thread's signal mask.
        var none = sigset_t()
        unsafe sigemptyset(&none)
        unsafe posix_spawnattr_setsigmask(&attributes, &none)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGMASK))
        let plain = environment.merging(["SYSTEMD_COLORS": "0", "LC_ALL": "C.UTF-8"]) { _, new in new }
        var pid: pid_t = 0
        let code = unsafe withCStrings(words) { arguments in
            unsafe withCStrings(plain.map { "\($0)=\($1)" }) { variables in
                unsafe posix_spawnp(&pid, program, &actions, &attributes, arguments, variables)
            }
        }
        return code == 0 ? pid : nil
    }

    private static func read(_ descriptor: Int32, within limit: Duration?) -> [UInt8] {
        let end = limit.map { ContinuousClock.now + $0 }
        var bytes: [UInt8] = []
        var chunk = [UInt8](repeating: 0, count: 16_384)
        // A program without a limit ends only if all that it prints is read.
        while end == nil || bytes.count < maximumOutput {
            let left = end.map { ($0 - ContinuousClock.now) / .milliseconds(1) }
            if let left, left <= 0 { break }
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            let ready = unsafe poll(&entry, 1, left.map { Int32($0) + 1 } ?? -1)
            if ready < 0, errno == EINTR { continue }
            guard ready > 0 else { break }
            let count = unsafe Glibc.read(descriptor, &chunk, chunk.count)
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { break }
            bytes += chunk[..<min(count, maximumOutput - bytes.count)]
        }
        return bytes
    }

    /// Calls `body` with an array of C strings that ends with a null pointer.
    private static func withCStrings<Result>(
        _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
    ) -> Result {
        var pointers = unsafe strings.map { unsafe strdup($0) } + [nil]
        defer { unsafe pointers.forEach { unsafe free($0) } }
        return unsafe pointers.withUnsafeMutableBufferPointer { buffer in
            guard let base = buffer.baseAddress else { return unsafe body(.allocate(capacity: 0)) }
            return unsafe body(base)
        }
    }
}
