import BoardCore
import BoardFeeds
import BoardIO
import BoardStore
import Glibc

/// A configuration without its keys: its files, their faults, and the settings.
struct ConfigurationFacts: Sendable {
    let redactor: Redactor
    /// Paths of the files, faults and warnings.
    let summary: [String]
    /// The settings of each feed, and which keys are set.
    let feeds: [String]
    let display: String
    /// The full text of the files without keys; a key in one of them by mistake is redacted.
    let texts: [String]

    /// Reads the files. Blocks.
    init(_ option: ConfigurationOption, environment: [String: String]) {
        let names = FeedRegistry.declarations.feeds.flatMap(\.secrets)
        let favourites = option.source.favouritesPath
        let folder = favourites.dropLast("/favourites.toml".count)
        let configurationFiles = [option.file ?? "\(folder)/boardd.toml", favourites].map { ($0, Self.file($0)) }
        let credentials = environment["CREDENTIALS_DIRECTORY"].flatMap { $0.isEmpty ? nil : "\($0)/keys.env" }
        let keyFiles = [credentials, "\(folder)/keys.env"].compactMap(\.self).map { ($0, Self.file($0)) }

        // A path is not a key, whatever its variable is called (CREDENTIALS_DIRECTORY, SSH_AUTH_SOCK).
        let secret = environment.filter { name, value in
            names.contains(name) || Redactor.isKeyName(name) && !value.hasPrefix("/")
        }
        var redactor = Redactor(secret.values)
        for (_, file) in keyFiles { redactor.add(Self.values(inKeys: (try? file.get().text) ?? "")) }
        for (_, file) in configurationFiles { redactor.add(Redactor.keys(in: (try? file.get().text) ?? "")) }
        self.redactor = redactor

        let configuration: Configuration
        var faults: [SourceError] = []
        do {
            configuration = try option.load()
        } catch {
            configuration = error.partial
            faults = error.faults
        }
        var summary = (configurationFiles + keyFiles).map { Self.line($0, $1) }
        summary.append("faults: \(faults.isEmpty ? "none" : "\(faults.count)")")
        summary += faults.map { fault in
            let position = fault.position.map { ":\($0.line):\($0.column)" } ?? ""
            return "\(fault.file)\(position): \(redactor.redacted(fault.message))"
        }
        summary += configuration.warnings.map { "remark: " + redactor.redactingKnown("\($0)") }
        self.summary = summary
        feeds = FeedFactory.operators(of: configuration.feeds).map(\.declaration).flatMap { declaration in
            Self.lines(of: declaration, configuration.feeds[declaration.name], environment, redactor)
        }
        let panel = configuration.display
        display =
            "display: \(panel.driver.rawValue) \(panel.panel.size), \(Daemon.count(configuration.buttons.count, "button"))"
        texts = configurationFiles.compactMap { path, file in
            guard let text = try? file.get().text else { return nil }
            let lines = redactor.redacted(text).lines.map(\.asPrintedLine)
            return (["== \(path)"] + lines).map { $0 + "\n" }.joined()
        }
    }

    private static func file(_ path: String) -> Result<SmallFile.Contents, FileError> {
        Result { () throws(FileError) in try SmallFile.read(path, limit: 1_000_000) }
    }

    private static func line(_ path: String, _ file: Result<SmallFile.Contents, FileError>) -> String {
        switch file {
        case .success(let file): "\(path): \(file.bytes.count) bytes, mode \(String(file.mode, radix: 8))"
        case .failure(let failure): "\(path): \(failure)"
        }
    }

    /// Possible keys in a file of keys: the value of every line, commented out or not, and a line without a name.
    private static func values(inKeys text: String) -> [String] {
        text.lines.flatMap { line -> [String] in
            let plain = line.drop { $0 == "#" || $0.isWhitespace }
            let value = plain.firstIndex(of: "=").map { plain[plain.index(after: $0)...] } ?? plain
            // The words of a comment are not keys, but a single one may be.
            let words = value.split(whereSeparator: \.isWhitespace)
            guard line.first != "#" || words.count == 1 else { return [] }
            let bare = String(value).filter { $0 != "\"" && $0 != "'" && !$0.isWhitespace }
            return words.map { String($0.filter { $0 != "\"" && $0 != "'" }) } + [bare]
        }
    }

    private static func lines(
        of declaration: FeedDeclaration, _ settings: FeedSettings?, _ environment: [String: String],
        _ redactor: Redactor
    ) -> [String] {
        let values = declaration.settings.map { setting in
            let value: String =
                switch setting.kind {
                case .text, .source, .location: settings?.text(setting.name) ?? ""
                case .sources: settings?.texts(setting.name).joined(separator: " ") ?? ""
                case .url: settings?.url(setting.name) ?? ""
                case .duration: settings?.duration(setting.name).map { "\($0)" } ?? ""
                }
            return "\(setting.name) \(redactor.redacted(value))"
        }
        let keys = declaration.secrets.map { name in
            let place = environment[name] == nil ? "" : " in the environment"
            return "\(name) is \(settings?.secret(name) == nil ? "not set" : "set\(place)")"
        }
        return ["\(declaration.title): \((values + keys).joined(separator: ", "))"]
    }
}

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
