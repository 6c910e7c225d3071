import BoardCore
import BoardDisplays
import BoardFeeds
import BoardIO
import BoardStore
import Glibc

/// What a bug report has of a configuration: no text of a file, in which a key may be anywhere, but the files' sizes, the
/// places of their faults, and settings whose values are words, numbers, stops or hosts.
struct ConfigurationFacts: Sendable {
    /// Shorter keys would be found in ordinary words.
    private static let shortestKey = 4

    /// Of all keys of the configuration: they should be in no log, but a log is a text.
    let mask: KeyMask
    /// Paths of the files, and the places of faults.
    let files: [String]
    /// The settings of each feed, and which keys are set.
    let feeds: [String]
    let favourites: [String]
    let display: String

    /// Reads the files. Blocks.
    init(_ option: ConfigurationOption, environment: [String: String]) {
        let favouritesPath = option.source.favouritesPath
        let folder = favouritesPath.dropLast("/favourites.toml".count)
        let credentials = environment["CREDENTIALS_DIRECTORY"].flatMap { $0.isEmpty ? nil : "\($0)/keys.env" }
        let paths = [option.file ?? "\(folder)/boardd.toml", favouritesPath, credentials, "\(folder)/keys.env"]

        let configuration: Configuration
        var faults: [SourceError] = []
        do {
            configuration = try option.load()
        } catch {
            configuration = error.partial
            faults = error.faults
        }
        // Why a file is unreadable says nothing about its text.
        let places = (faults + configuration.warnings.filter { $0.kind == .unreadable }).map { fault in
            let place = fault.file + (fault.position.map { ":\($0.line):\($0.column)" } ?? "")
            return fault.kind == .unreadable ? "\(place): \(fault.message)" : place
        }
        files =
            paths.compactMap(\.self).map(Self.line)
            + ["faults: \(faults.isEmpty ? "none" : "\(faults.count), boardd check prints them")"] + places
            + ["remarks: \(configuration.warnings.count)"]
        let operators = FeedFactory.operators(of: configuration.feeds).map(\.declaration)
        let names = FeedRegistry.declarations.feeds.flatMap(\.secrets)
        let keys = operators.flatMap { feed in feed.secrets.compactMap { configuration.feeds[feed.name]?.secret($0) } }
        mask = KeyMask(
            (keys.map(\.revealed) + names.compactMap { environment[$0] } + paths.suffix(2).flatMap(Self.values)).filter
            {
                $0.count >= Self.shortestKey
            })
        feeds = operators.map { Self.line(of: $0, configuration.feeds[$0.name], environment) }
        favourites = configuration.favourites.map(Self.line)
        let panel = configuration.display
        display =
            "display: \(panel.driver.rawValue) \(panel.panel.size), \(Daemon.count(configuration.buttons.count, "button"))"
    }

    private static func line(_ path: String) -> String {
        do throws(FileError) {
            let file = try SmallFile.read(path, limit: 1_000_000)
            return "\(path): \(file.bytes.count) bytes, mode \(String(file.mode, radix: 8))"
        } catch {
            return "\(path): \(error)"
        }
    }

    /// The values in a file of keys, also those that others override.
    private static func values(_ path: String?) -> [String] {
        let text = path.flatMap { try? SmallFile.read($0, limit: 1_000_000).text } ?? ""
        return text.lines.compactMap { line in
            line.split(separator: "=", maxSplits: 1).last.map { value in
                value.filter { !$0.isWhitespace && $0 != "\"" && $0 != "'" }
            }
        }
    }

    private static func line(
        of feed: FeedDeclaration, _ settings: FeedSettings?, _ environment: [String: String]
    ) -> String {
        let values = feed.settings.map { setting in
            let value: String =
                switch setting.kind {
                case .text(let usual): settings?.text(setting.name) == usual ? usual : "changed"
                case .source, .location: place(settings?.text(setting.name))
                case .sources: (settings?.texts(setting.name) ?? []).map { place($0) }.joined(separator: " ")
                case .url: place(settings?.url(setting.name))
                case .duration: settings?.duration(setting.name)?.written ?? ""
                }
            return "\(setting.name) \(value)"
        }
        let keys = feed.secrets.map { name in
            let place = environment[name] == nil ? "" : " in the environment"
            return "\(name) is \(settings?.secret(name) == nil ? "not set" : "set\(place)")"
        }
        return "\(feed.title): \((values + keys).joined(separator: ", "))"
    }

    /// A path, or the scheme and the host of an address, whose path may be a key.
    private static func place(_ location: String?) -> String {
        guard let location, let scheme = location.ranges(of: "://").first else { return location ?? "" }
        return location[..<scheme.upperBound] + location[scheme.upperBound...].prefix { !"/?#".contains($0) } + "/…"
    }

    /// A stop with its settings in the words of favourites.toml, without its label: any text.
    private static func line(of favourite: Favourite) -> String {
        let settings = FavouriteField.settable.filter { $0.name != "label" }.map { field in
            (field.name, field.textsUnlessDefault(favourite))
        }
        let written = settings.filter { !$1.isEmpty }.map { "\($0) \($1.joined(separator: ","))" }
        return ([favourite.stop.description] + written).joined(separator: "; ")
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
