import BoardCore
import BoardIO
import Glibc

/// Facts about this machine from its kernel and systemd, a line each; none that names its owner.
enum MachineFacts {
    static var program: [String] {
        ["boardd \(Version.number), \(build) build, \(compiler), for \(architecture)"]
    }

    /// The installed package, and where its updates come from: an apt repository, or a person who downloads them.
    static func updates(environment: [String: String]) -> String {
        let policy = Subprocess.output(["apt-cache", "policy", "boardd"], environment: environment)?.lines ?? []
        let installed = policy.first { $0.hasPrefix("  Installed: ") }?.dropFirst("  Installed: ".count)
        let hasRepository = policy.contains { $0.contains("://") }
        return [
            "boardd \(Version.number)",
            installed.flatMap { $0 == "(none)" ? nil : "package \($0)" } ?? "not from a package",
            hasRepository ? "updates: sudo apt upgrade" : "updates: \(Version.releases)",
        ].joined(separator: "; ")
    }

    static var machine: [String] {
        let name = "PRETTY_NAME="
        let release = read("/etc/os-release")?.lines.first { $0.hasPrefix(name) }.map { line in
            line.dropFirst(name.count).filter { $0 != "\"" }
        }
        let model = read("/proc/device-tree/model") ?? read("/sys/class/dmi/id/product_name")
        let memory = (read("/proc/meminfo") ?? "").lines.filter { line in
            ["MemTotal:", "MemAvailable:", "SwapTotal:"].contains { line.hasPrefix($0) }
        }.map { $0.split(separator: " ").joined(separator: " ") }
        return [
            "system: \(release ?? "unknown")", "kernel: Linux \(read("/proc/sys/kernel/osrelease") ?? "unknown")",
            "model: \(model ?? "unknown")", "memory: \(memory.joined(separator: ", "))",
        ]
    }

    static var hardware: [String] {
        let names = ((try? SmallFile.names(in: "/dev")) ?? []).sorted()
        return [("I2C buses", "i2c-"), ("GPIO chips", "gpiochip")].map { title, prefix in
            let found = names.filter { $0.hasPrefix(prefix) }.map { "/dev/\($0)" }
            return "\(title): \(found.isEmpty ? "none" : found.joined(separator: ", "))"
        }
    }

    private static let properties = [
        "LoadState", "UnitFileState", "ActiveState", "SubState", "Result", "NRestarts", "ActiveEnterTimestamp",
    ]

    /// systemd's properties of a unit; nil: there is no systemd.
    static func properties(of unit: String, environment: [String: String]) -> [String: String]? {
        guard let output = show(unit, environment), !output.properties.isEmpty else { return nil }
        return Dictionary(
            output.properties.map { line in
                let name = line.prefix { $0 != "=" }
                return (String(name), String(line.dropFirst(name.count + 1)))
            }
        ) { $1 }
    }

    /// systemd's state of the service.
    static func service(environment: [String: String]) -> [String] {
        let user = "this report was made by \(geteuid() == 0 ? "root" : "an ordinary user")"
        guard let output = show("boardd.service", environment) else { return ["there is no systemctl", user] }
        guard output.properties.isEmpty else { return output.properties + [user] }
        return ["systemctl reports no state of the service\(output.message.map { " (\($0))" } ?? "")", user]
    }

    /// What systemctl reports, and its first line; nil: there is none. Error messages are in the same output.
    private static func show(
        _ unit: String, _ environment: [String: String]
    ) -> (properties: [String], message: String?)? {
        let words = ["systemctl", "show", unit, "--no-pager", "-p", properties.joined(separator: ",")]
        guard let lines = Subprocess.output(words, environment: environment)?.lines else { return nil }
        return (lines.filter { line in properties.contains { line.hasPrefix("\($0)=") } }, lines.first { !$0.isEmpty })
    }

    private static func read(_ path: String) -> String? {
        guard let text = try? SmallFile.read(path, limit: 1_000_000).text else { return nil }
        // The device tree ends its texts with NUL.
        let plain = text.lines.joined(separator: "\n").prefix { $0 != "\0" }
        return plain.isEmpty ? nil : String(plain)
    }

    #if DEBUG
        private static let build = "debug"
    #else
        private static let build = "release"
    #endif

    #if compiler(>=6.4)
        private static let compiler = "Swift 6.4 or newer"
    #elseif compiler(>=6.3)
        private static let compiler = "Swift 6.3"
    #else
        private static let compiler = "Swift 6.2"
    #endif

    #if arch(arm64)
        private static let architecture = "arm64"
    #elseif arch(arm)
        private static let architecture = "arm"
    #elseif arch(x86_64)
        private static let architecture = "x86_64"
    #elseif arch(riscv64)
        private static let architecture = "riscv64"
    #else
        private static let architecture = "another architecture"
    #endif
}
