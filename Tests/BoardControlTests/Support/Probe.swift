import FoundationEssentials
import Glibc
import Testing
import Waiting

/// The control-probe as a separate process, with its output in a file. Killed with this value.
final class Probe: Sendable {
    let pid: pid_t
    let path: String
    private let folder: String

    /// - Parameter descriptors: the maximum number of open descriptors.
    convenience init(descriptors: Int) throws {
        try self.init(["serve"], "\(descriptors)")
    }

    /// - Parameters:
    ///   - before: the arguments before the path of its socket.
    ///   - after: the arguments after the path.
    init(_ before: [String], _ after: String...) throws {
        folder = "/tmp/boardd-probe-\(UUID().uuidString.prefix(13))"
        path = "\(folder)/control.sock"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        let program = try Self.program()
        var actions = unsafe posix_spawn_file_actions_t()
        unsafe posix_spawn_file_actions_init(&actions)
        defer { unsafe posix_spawn_file_actions_destroy(&actions) }
        unsafe posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
        unsafe posix_spawn_file_actions_addopen(&actions, 1, "\(folder)/out", O_WRONLY | O_CREAT | O_APPEND, 0o600)
        unsafe posix_spawn_file_actions_adddup2(&actions, 1, 2)
        // The probe must inherit no further descriptors.
        for other in 3..<Int32(1_024) { unsafe posix_spawn_file_actions_addclose(&actions, other) }
        var pid: pid_t = 0
        let words = [program] + before + [path] + after
        var pointers = unsafe words.map { unsafe strdup($0) } + [nil]
        defer { for index in words.indices { unsafe free(pointers[index]) } }
        let code = unsafe posix_spawn(&pid, program, &actions, nil, &pointers, nil)
        try #require(code == 0)
        self.pid = pid
    }

    deinit {
        kill(pid, SIGKILL)
        waitpid(pid, nil, 0)
        try? FileManager.default.removeItem(atPath: folder)
    }

    var output: String {
        (try? Data(contentsOf: URL(filePath: "\(folder)/out"))).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }

    /// Waits until the output contains a text.
    func logs(_ text: String) async -> Bool {
        await eventually { output.contains(text) }
    }

    /// The number of voluntary context switches of a thread; nil where there is no such thread.
    func sleeps(ofThread name: String) throws -> Int? {
        for thread in try FileManager.default.contentsOfDirectory(atPath: "/proc/\(pid)/task") {
            let status = Self.read("/proc/\(pid)/task/\(thread)/status")
            guard status.hasPrefix("Name:\t\(name)\n") else { continue }
            let line = status.split(separator: "\n").first { $0.hasPrefix("voluntary_ctxt_switches:") }
            return line?.split(separator: "\t").last.flatMap { Int($0) }
        }
        return nil
    }

    /// The content of a file in /proc, whose size is unknown.
    private static func read(_ path: String) -> String {
        let descriptor = unsafe open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "" }
        defer { close(descriptor) }
        var buffer = [UInt8](repeating: 0, count: 8_192)
        let count = unsafe Glibc.read(descriptor, &buffer, buffer.count)
        return String(decoding: buffer[..<max(0, count)], as: UTF8.self)
    }

    private static func program() throws -> String {
        var buffer = [CChar](repeating: 0, count: 4_096)
        let count = unsafe readlink("/proc/self/exe", &buffer, buffer.count)
        let bundle = String(decoding: buffer.prefix(max(0, count)).map(UInt8.init(bitPattern:)), as: UTF8.self)
        let path = bundle.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/")
        let program = "\(path)/control-probe"
        try #require(unsafe access(program, X_OK) == 0, "\(program) is not built")
        return program
    }
}
