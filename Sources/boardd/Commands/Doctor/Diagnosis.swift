import BoardCore
import BoardDisplays
import BoardFeeds
import BoardService
import BoardStore
import Glibc

/// What `boardd doctor` collected about this machine, and the findings. Pure.
struct Diagnosis: Sendable {
    /// A folder of boardd, and its free space.
    struct Space: Hashable, Sendable {
        let folder: String
        /// In bytes for this user; nil: it cannot be read.
        let free: Int?
    }

    /// A stop list is renewed weekly: an older one has missed several updates.
    private static let maximumListAge = Duration.seconds(30 * 86_400)
    /// In bytes. The largest GTFS timetables have 250 MB, and a new one is stored before the old one is replaced.
    private static let leastSpace = 300_000_000

    var configuration: Result<Configuration, ConfigurationError>
    var buses: [I2CBusScan]
    var gpio: GPIOScan
    /// The state of the running board, or why it is not available.
    var board: Result<BoardState, ServiceError>
    /// The operator's response for one favourite of each feed in use.
    var responses: [(feed: String, result: Result<FeedResponse, FeedError>)]
    var isClockSynchronised: Bool
    var zone: Zone
    var now: Timestamp
    /// systemd's properties of the service; empty: there is no systemd.
    var service: [String: String]
    var page: PageSwitch.State
    /// The addresses of the page at a port.
    var addresses: @Sendable (UInt16) -> [String]
    var lists: DirectoryResult<DirectoryEdition>
    /// The feeds in use with a stop list.
    var listedFeeds: [FeedName]
    var space: [Space]

    var findings: [Finding] {
        let groups: [[Finding]] = [
            files, favourites, display, buttons, network, [clock], machineZone, keys, [running], ownPage, stopLists,
            freeSpace,
        ]
        return groups.flatMap(\.self)
    }

    /// As far as it is readable.
    private var loaded: Configuration {
        switch configuration {
        case .success(let loaded): loaded
        case .failure(let faults): faults.partial
        }
    }

    // MARK: - Files

    private var files: [Finding] {
        switch configuration {
        case .success: [.good("files", "the configuration is valid")]
        case .failure(let faults): faults.faults.map { .fault("files", "\($0)") }
        }
    }

    private var favourites: [Finding] {
        guard loaded.entries.isEmpty else {
            return [.good("favourites", Daemon.count(loaded.entries.count, "favourite"))]
        }
        return [.fault("favourites", Self.noFavourites)]
    }

    static let noFavourites = "no favourites yet: sudo boardd setup, or boardd favourites add STOP"

    /// keys.env: what the loader remarked about it, and which keys are set.
    private var keys: [Finding] {
        let remarks = loaded.warnings.filter { $0.kind != .unreadable || $0.file.hasSuffix("keys.env") }
        let used = Set(loaded.favourites.map(\.stop.feed)).sorted { $0.description < $1.description }
        let names = used.flatMap { feed -> [String] in
            guard let settings = loaded.feeds[feed] else { return [] }
            return (FeedRegistry.declarations[feed]?.secrets(of: settings) ?? []).map { name in
                "\(name) is \(settings.secret(name) == nil ? "not set" : "set")"
            }
        }
        // The operator's response shows whether a key is required: see the findings about the network.
        return remarks.map { $0.kind == .unreadable ? .unknown("keys", "\($0)") : .fault("keys", "\($0)") }
            + (names.isEmpty ? [] : [.good("keys", names.joined(separator: ", "))])
    }

    // MARK: - Hardware

    private var display: [Finding] {
        let wiring = loaded.display
        switch wiring.driver {
        case .none: return [.good("display", Self.noDisplay)]
        case .hd44780, .ssd1306, .sh1106, .ht16k33, .lcdproc: break
        }
        if case .success(let state) = board, let isResponding = state.display.isResponding {
            let detail = state.faults.display ?? (isResponding ? "responding" : "not responding")
            return [isResponding ? .good("display", detail) : .fault("display", detail)]
        }
        guard wiring.driver != .lcdproc else {
            return [.unknown("display", "LCDd at \(wiring.server): boardd hardware test tries it")]
        }
        guard !buses.isEmpty else { return [.fault("I2C", "\(DeviceError(errno: ENOENT, bus: "/dev/i2c-1"))")] }
        var findings: [Finding] = []
        var found: [String] = []
        for bus in buses {
            switch bus.devices {
            case .failure(let fault): findings.append(.fault("I2C", "\(fault)"))
            case .success(let devices):
                let free = devices.filter { $0.kernelName == nil }.map(\.address)
                found += free.filter(wiring.mayBe(at:)).map { "\($0.asHex) on \(bus.path)" }
            }
        }
        guard found.isEmpty else { return findings + [.good("display", "a device responds at \(found[0])")] }
        return findings + [
            .fault(
                "display",
                "no device responds where a \(wiring.driver.rawValue) can be: check its wires, then boardd hardware scan"
            )
        ]
    }

    static let noDisplay = "none is configured (driver = \"none\"): boardd status prints the board"

    private var buttons: [Finding] {
        guard !loaded.buttons.isEmpty else { return [.good("button", "none is configured")] }
        switch gpio.header {
        case .failure(let fault): return [.fault("button", "\(fault)")]
        case .success(let header):
            return loaded.buttons.enumerated().compactMap { index, button in
                guard button.wiring.chip == .auto else { return nil }
                let line = "button \(index + 1), GPIO \(button.wiring.line)"
                switch header.consumers[button.wiring.line] {
                case nil: return .good("button", "\(line): free; boardd hardware test prints its presses")
                case GPIOButtons.consumer: return .good("button", "\(line): in use by boardd")
                case let other?:
                    let name = other.isEmpty ? "the kernel or another program" : "\"\(other)\""
                    return .fault("button", "\(line) is in use by \(name): set another `line` in boardd.toml")
                }
            }
        }
    }

    // MARK: - Network and time

    private var network: [Finding] {
        responses.map { feed, result in
            switch result {
            case .success(let response):
                if let failure = response.partialFailure { return .unknown("network", "\(feed): \(failure.detail)") }
                return .good("network", "\(feed): \(Daemon.count(response.departures.count, "departure"))")
            case .failure(let failure):
                return switch failure.kind {
                case .keyRejected, .keyMissing, .unknownStop, .certificate: .fault("network", failure.detail)
                default: .unknown("network", failure.detail)
                }
            }
        }
    }

    private var clock: Finding {
        isClockSynchronised
            ? .good("clock", "synchronised")
            : .unknown("clock", "not synchronised: check the network, then timedatectl; sudo timedatectl set-ntp true")
    }

    private var machineZone: [Finding] {
        let zones = responses.compactMap { try? $0.result.get().stop.zone }
        guard !zones.isEmpty else { return [] }
        guard let remark = zone.remark(about: zones, at: now) else {
            return [.good("time zone", "that of a favourite")]
        }
        return [.fault("time zone", remark)]
    }

    // MARK: - The service

    private var running: Finding {
        let state = service["ActiveState"] ?? ""
        let isEnabled = service["UnitFileState"] == "enabled"
        switch (service["LoadState"], state, board) {
        case (nil, _, .success): return .good("service", "a board is running")
        case (nil, _, .failure(let failure)): return .unknown("service", "\(failure)")
        case ("not-found"?, _, _):
            return .fault("service", "boardd.service is not installed: install the package, or sudo make install")
        case (_, "active", _) where isEnabled: return .good("service", "running, and starts with the machine")
        case (_, "active", _):
            return .fault("service", "running, but does not start with the machine: sudo systemctl enable boardd")
        case (_, "failed", _):
            return .fault("service", "failed: journalctl -u boardd -n 20 shows why; sudo systemctl restart boardd")
        default: return .fault("service", "not running: sudo systemctl enable --now boardd")
        }
    }

    /// No finding if the socket unit is not installed.
    private var ownPage: [Finding] {
        guard page.isInstalled else { return [] }
        let port = page.port ?? 80
        if page.isOn { return [.good("page", addresses(port).joined(separator: ", "))] }
        return [
            page.isFailed
                ? .fault("page", "it cannot listen at port \(port): sudo boardd page on shows what to do")
                : .good("page", "off: sudo boardd page on serves it in this network")
        ]
    }

    private var stopLists: [Finding] {
        let failed = lists.failures.map { Finding.fault("stop list", "\($0)") }
        return failed
            + listedFeeds.map { feed in
                let advice = "sudo boardd stops update \(feed)"
                guard let edition = lists.found.first(where: { $0.feed == feed }) else {
                    return .unknown("stop list", "\(feed): none yet: \(advice)")
                }
                let age = now - edition.completed
                let text = "\(feed): \(Daemon.count(edition.stops, "stop")), \(age.wholeSeconds / 86_400) days old"
                return age > Self.maximumListAge ? .fault("stop list", "\(text): \(advice)") : .good("stop list", text)
            }
    }

    private var freeSpace: [Finding] {
        space.map { space in
            guard let free = space.free else { return .unknown("space", "\(space.folder) cannot be read") }
            let text = "\(space.folder): \(free / 1_000_000) MB free"
            return free < Self.leastSpace
                ? .fault("space", "\(text), too little for a new timetable: sudo apt clean, or a larger card")
                : .good("space", text)
        }
    }
}

extension Zone {
    /// What a user should know if no stop's clock agrees with this machine's; nil: one does.
    func remark(about stops: [Zone], at moment: Timestamp) -> String? {
        let own = offset(at: moment)
        let differences = stops.map { $0.offset(at: moment) - own }
        guard let first = differences.first, differences.allSatisfy({ $0 != .zero }) else { return nil }
        let hours = Double(first.wholeSeconds) / 3_600
        let text = hours == hours.rounded() ? "\(Int(abs(hours)))" : "\(abs(hours))"
        return "this machine's clock is \(text) h \(hours > 0 ? "behind" : "ahead of") the clocks at your stops: "
            + "sudo timedatectl set-timezone ZONE (timedatectl list-timezones prints all)"
    }
}

extension DisplayWiring {
    /// Whether this display can have the address.
    fileprivate func mayBe(at address: UInt8) -> Bool {
        switch (self.address, driver) {
        case (.fixed(let own), _): address == own
        case (.auto, .ht16k33): modules.addresses.contains(address)
        case (.auto, .ssd1306), (.auto, .sh1106): Self.oledAddresses.contains(address)
        case (.auto, _): Expander.allCases.contains { $0.addresses.contains { $0.contains(address) } }
        }
    }
}

/// One result of `boardd doctor`, with what to do.
struct Finding: Hashable, Sendable {
    enum Verdict: String, Hashable, Sendable {
        case good = "good"
        /// Not checked, or perhaps temporary.
        case unknown = "unknown"
        case fault = "FAULT"
    }

    let verdict: Verdict
    let subject: String
    let text: String

    static func good(_ subject: String, _ text: String) -> Finding { Finding(.good, subject, text) }
    static func unknown(_ subject: String, _ text: String) -> Finding { Finding(.unknown, subject, text) }
    static func fault(_ subject: String, _ text: String) -> Finding { Finding(.fault, subject, text) }

    private init(_ verdict: Verdict, _ subject: String, _ text: String) {
        self.verdict = verdict
        self.subject = subject
        self.text = text
    }
}

extension [Finding] {
    /// A line for each, terminated.
    var table: String {
        var table = TextTable()
        for finding in self { table.add(finding.verdict.rawValue, finding.subject, finding.text) }
        return table.text
    }

    /// As for `boardd check`: 0 all good, 1 a fault, 2 something was not checked.
    var status: Int32 {
        if contains(where: { $0.verdict == .fault }) { return CheckCommand.faulty }
        return contains { $0.verdict == .unknown } ? CheckCommand.inconclusive : 0
    }
}
