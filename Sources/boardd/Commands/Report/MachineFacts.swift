import BoardCore
import BoardIO
import Glibc

/// Facts about this machine from its kernel and systemd, a line each; none that names its owner.
enum MachineFacts {
    static var program: [String] {
        ["boardd \(Version.number), \(build) build, \(compiler), for \(architecture)"]
    }

    static var machine: [String] {
        let release = value(of: "PRETTY_NAME", in: read("/etc/os-release") ?? "") ?? "unknown"
        let kernel = read("/proc/sys/kernel/osrelease") ?? "unknown"
        let model = read("/proc/device-tree/model") ?? read("/sys/class/dmi/id/product_name") ?? "unknown"
        let memory = (read("/proc/meminfo") ?? "").lines.filter { line in
            ["MemTotal:", "MemAvailable:", "SwapTotal:"].contains { line.hasPrefix($0) }
        }
        return ["system: \(release)", "kernel: Linux \(kernel)", "model: \(model)"]
            + ["memory: " + memory.map { $0.split(separator: " ").joined(separator: " ") }.joined(separator: ", ")]
    }

    static var hardware: [String] {
        let found = ((try? SmallFile.names(in: "/dev")) ?? []).sorted()
        let buses = found.filter { $0.hasPrefix("i2c-") }.map { "/dev/\($0)" }
        let chips = found.filter { $0.hasPrefix("gpiochip") }.map { "/dev/\($0)" }
        return [
            "I2C buses: \(buses.isEmpty ? "none" : buses.joined(separator: ", "))",
            "GPIO chips: \(chips.isEmpty ? "none" : chips.joined(separator: ", "))",
        ]
    }

    private static let properties = [
        "LoadState", "UnitFileState", "ActiveState", "SubState", "Result", "NRestarts", "ActiveEnterTimestamp",
    ]

    /// systemd's properties of a unit; nil: there is no systemd.
    static func properties(of unit: String, environment: [String: String]) -> [String: String]? {
        let lines = service(unit, environment: environment).filter { line in
            properties.contains { line.hasPrefix("\($0)=") }
        }
        guard !lines.isEmpty else { return nil }
        return Dictionary(
            lines.map { line in
                let name = line.prefix { $0 != "=" }
                return (String(name), String(line.dropFirst(name.count + 1)))
            }
        ) { $1 }
    }

    /// systemd's state of the service, or of another unit.
    static func service(_ unit: String = "boardd.service", environment: [String: String]) -> [String] {
        let words = ["systemctl", "show", unit, "--no-pager", "-p", properties.joined(separator: ",")]
        let user = "this report was made by \(geteuid() == 0 ? "root" : "an ordinary user")"
        guard let output = Subprocess.output(words, environment: environment) else {
            return ["there is no systemctl", user]
        }
        // Error messages are in the same output, and are not facts.
        let facts = output.lines.filter { line in properties.contains { line.hasPrefix("\($0)=") } }
        guard facts.isEmpty else { return facts + [user] }
        let message = output.lines.first { !$0.isEmpty }.map { " (\($0))" } ?? ""
        return ["systemctl reports no state of the service\(message)", user]
    }

    private static func read(_ path: String) -> String? {
        // The device tree ends its texts with NUL.
        guard let text = try? SmallFile.read(path, limit: 1_000_000).text.lines.joined(separator: "\n") else {
            return nil
        }
        let plain = text.prefix { $0 != "\0" }
        return plain.isEmpty ? nil : String(plain)
    }

    private static func value(of name: String, in text: String) -> String? {
        text.lines.first { $0.hasPrefix("\(name)=") }.map { line in
            String(line.dropFirst(name.count + 1).filter { $0 != "\"" })
        }
    }

    private static var build: String {
        #if DEBUG
            "debug"
        #else
            "release"
        #endif
    }

    private static var compiler: String {
        #if compiler(>=6.4)
            "Swift 6.4 or newer"
        #elseif compiler(>=6.3)
            "Swift 6.3"
        #else
            "Swift 6.2"
        #endif
    }

    private static var architecture: String {
        #if arch(arm64)
            "arm64"
        #elseif arch(arm)
            "arm"
        #elseif arch(x86_64)
            "x86_64"
        #elseif arch(riscv64)
            "riscv64"
        #else
            "another architecture"
        #endif
    }
}
