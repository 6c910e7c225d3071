import FoundationEssentials
import TestOperators

/// A folder under /tmp that is removed at the end of the test.
final class TemporaryFolder: Sendable {
    let path: String

    init(_ files: [String: String] = [:]) throws {
        path = "/tmp/boardd-test-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        for (name, text) in files { try write(text, to: name) }
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The environment of a program with all files here, and none of the machine.
    var environment: [String: String] {
        [
            "CONFIGURATION_DIRECTORY": path, "STATE_DIRECTORY": path, "RUNTIME_DIRECTORY": path,
            "PATH": "/usr/bin:/bin",
        ]
    }

    /// Replaces a file in one step.
    func write(_ text: String, to name: String) throws {
        try Data(text.utf8).write(to: URL(filePath: "\(path)/\(name)"), options: .atomic)
        try FileManager.default.setAttributes([.posixPermissions: 0o600], ofItemAtPath: "\(path)/\(name)")
    }

    /// A file's text; empty when there is none.
    func read(_ name: String) -> String {
        (try? Data(contentsOf: URL(filePath: "\(path)/\(name)"))).map { String(decoding: $0, as: UTF8.self) } ?? ""
    }
}

// Paths in the checkout.
extension Checkout {
    /// The recording of the demo.
    static var recording: String { "\(path)/etc/demo/recording" }
    /// The demo's configuration.
    static var demo: String { "\(path)/etc/demo/boardd.toml" }
}
