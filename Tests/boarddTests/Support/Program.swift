import Glibc
import Synchronization
import Testing
import Waiting

/// The built program as a process of its own, with its output in files. It is killed when this value is released.
final class Program: Sendable {
    let pid: pid_t
    private let folder: TemporaryFolder
    private let status = Mutex<Int32?>(nil)

    /// The program beside the test bundle.
    static func path() throws -> String {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        #expect(count > 0)
        let bundle = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        let path = bundle.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let program = "\(path)/boardd"
        let isThere = unsafe access(program, X_OK) == 0
        try #require(isThere, "\(program) is not built")
        return program
    }

    /// Starts the program with these arguments and only these environment variables.
    ///
    /// - Parameters:
    ///   - script: what a shell runs before it becomes the program, which is its `$0`; nil: no shell.
    ///   - terminal: the terminal it is started from; nil: none, its output goes to files.
    init(
        shell script: String? = nil, _ arguments: [String], environment: [String: String] = [:],
        terminal: PseudoTerminal? = nil
    ) throws {
        folder = try TemporaryFolder()
        let program = try Self.path()
        let path = script == nil ? program : "/bin/sh"
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        let flags = O_WRONLY | O_CREAT | O_APPEND
        unsafe posix_spawn_file_actions_addopen(&actions, 0, terminal?.path ?? "/dev/null", O_RDWR, 0)
        for (descriptor, name) in [(Int32(1), "out"), (2, "err")] {
            let path = terminal?.path ?? "\(folder.path)/\(name)"
            unsafe posix_spawn_file_actions_addopen(&actions, descriptor, path, flags, 0o600)
        }
        // The tests' own process ignores these signals at times, and a program inherits that.
        var defaults = sigset_t()
        unsafe sigemptyset(&defaults)
        unsafe sigaddset(&defaults, SIGHUP)
        unsafe sigaddset(&defaults, SIGPIPE)
        var attributes = posix_spawnattr_t()
        unsafe posix_spawnattr_init(&attributes)
        defer { unsafe posix_spawnattr_destroy(&attributes) }
        unsafe posix_spawnattr_setsigdefault(&attributes, &defaults)
        unsafe posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF))
        var pid: pid_t = 0
        let words = (script.map { ["sh", "-c", $0] } ?? []) + [program] + arguments
        let variables = environment.merging(["TZ": "UTC"]) { given, _ in given }.map { "\($0)=\($1)" }
        let code = unsafe withCStrings(words) { words in
            unsafe withCStrings(variables) { unsafe posix_spawn(&pid, path, &actions, &attributes, words, $0) }
        }
        try #require(code == 0)
        self.pid = pid
    }

    deinit {
        if status.withLock({ $0 }) == nil {
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
        }
    }

    /// Its standard output so far.
    var output: String { folder.read("out") }
    /// Its standard error so far.
    var errors: String { folder.read("err") }

    /// Sends a signal, unless it has ended.
    func signal(_ number: Int32) {
        if poll() == nil { kill(pid, number) }
    }

    /// Its exit status, the negative number of the signal that killed it, or nil while it runs.
    func poll() -> Int32? {
        status.withLock { status in
            if let status { return status }
            var word: Int32 = 0
            guard unsafe waitpid(pid, &word, WNOHANG) == pid else { return nil }
            let signal = word & 0x7F
            status = signal == 0 ? (word >> 8) & 0xFF : -signal
            return status
        }
    }

    /// Waits for its end; nil when it did not end.
    func end() async -> Int32? {
        await eventually { poll() }
    }

    /// Whether it ignores or handles SIGHUP now: it cannot before its first statement.
    var ignoresHangUp: Bool {
        let text = KernelFile.read("/proc/\(pid)/status")
        return text.split(separator: "\n").contains { line in
            guard line.hasPrefix("SigIgn:") || line.hasPrefix("SigCgt:") else { return false }
            return (UInt64(line.split(separator: "\t").last ?? "", radix: 16) ?? 0) & 1 != 0
        }
    }
}

extension Program {
    typealias Result = (status: Int32?, output: String, errors: String)

    /// Runs the program to its end.
    static func run(_ arguments: [String], environment: [String: String] = [:]) async throws -> Result {
        let program = try Program(arguments, environment: environment)
        let status = await program.end()
        return (status, program.output, program.errors)
    }

    /// Ends it as systemd does.
    func terminate() async -> Int32? {
        signal(SIGTERM)
        return await end()
    }
}

func run(_ arguments: String..., environment: [String: String] = [:]) async throws -> Program.Result {
    try await Program.run(arguments, environment: environment)
}

/// Files of the kernel, whose size is not known in advance.
enum KernelFile {
    static func read(_ path: String) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 8_192)
        let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
        return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    }
}

/// Calls `body` with an array of C strings that ends with a null pointer.
private func withCStrings<Result>(
    _ strings: [String], _ body: (UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>) -> Result
) -> Result {
    let pointers = UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>.allocate(capacity: strings.count + 1)
    for (index, string) in strings.enumerated() { unsafe pointers[index] = unsafe strdup(string) }
    unsafe pointers[strings.count] = nil
    defer {
        for index in strings.indices { unsafe free(pointers[index]) }
        unsafe pointers.deallocate()
    }
    return unsafe body(pointers)
}
