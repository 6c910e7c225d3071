import BoardCore
import BoardDisplays
import BoardFeeds
import BoardService
import BoardStore
import Glibc

/// What `boardd doctor` collected about this machine, and the facts that follow. Pure.
struct Diagnosis: Sendable {
    typealias Response = (feed: String, result: Result<FeedResponse, FeedError>)

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
    var responses: [Response]
    var isClockSynchronised: Bool
    var zone: Zone
    var now: Timestamp
    /// What runs, and where updates come from.
    var program: String
    /// systemd's properties of the service; empty: there is no systemd.
    var service: [String: String]
    var page: PageSwitch.State
    /// The addresses of the page at a port.
    var addresses: @Sendable (UInt16) -> [String]
    var lists: DirectoryResult<DirectoryEdition>
    /// The feeds in use with a stop list.
    var listedFeeds: [FeedName]
    /// The folder of the stop lists, and its free space in bytes for this user; nil: it cannot be read.
    var folder: String
    var freeSpace: Int?

    var facts: [Fact] {
        let zones = responses.compactMap { try? $0.result.get().stop.zone }
        let groups: [[Fact?]] = [
            [.good("program", program)], Fact.files(configuration), [.favourites(loaded)], display, buttons,
            responses.map(Self.network),
            [.clock(isSynchronised: isClockSynchronised), .zone(zone, of: zones, at: now)], keys,
            [running, ownPage], stopLists, [space],
        ]
        return groups.joined().compactMap(\.self)
    }

    private var loaded: Configuration { configuration.readable }

    /// keys.env: what the loader remarked about it, and which keys are set.
    private var keys: [Fact] {
        let remarks = loaded.warnings.filter { $0.kind != .unreadable || $0.file.hasSuffix("keys.env") }
        let used = Set(loaded.favourites.map(\.stop.feed)).sorted { $0.description < $1.description }
        let keys = used.compactMap { FeedRegistry.declarations[$0] }.flatMap(loaded.keys)
        // The operator's response shows whether a key is required: see the facts about the network.
        return remarks.map { Fact($0.kind == .unreadable ? .unknown : .fault, "keys", "\($0)") }
            + (keys.isEmpty ? [] : [.good("keys", keys.map(\.words).joined(separator: ", "))])
    }

    // MARK: - Hardware

    private var display: [Fact] {
        if let missing = Fact.missingDisplay(loaded) { return [missing] }
        if case .success(let state) = board, state.display.isResponding != nil { return [.display(state)] }
        let wiring = loaded.display
        guard wiring.driver != .lcdproc else {
            return [.unknown("display", "LCDd at \(wiring.server): boardd hardware test tries it")]
        }
        guard !buses.isEmpty else { return [.fault("I2C", "\(I2CBusScan.noBus)")] }
        let faults = buses.compactMap(\.fault).map { Fact.fault("I2C", "\($0)") }
        if wiring.origin == .searched {
            let advice = "none responds on the bus of the pin header: check its wires, then boardd hardware scan"
            return faults + [Fact.found(loaded, on: buses) ?? .fault("display", advice)]
        }
        let found = buses.flatMap { bus in bus.free.filter(wiring.mayBe).map { "\($0.asHex) on \(bus.path)" } }
        return faults + [
            found.first.map { .good("display", "a device responds at \($0)") }
                ?? .fault(
                    "display",
                    "no device responds where a \(wiring.driver.rawValue) can be: check its wires, then boardd hardware scan"
                )
        ]
    }

    private var buttons: [Fact] {
        guard !loaded.buttons.isEmpty else { return [.good("button", "none is configured")] }
        switch gpio.header {
        case .failure(let fault): return [.fault("button", "\(fault)")]
        case .success(let header):
            return loaded.buttons.enumerated().compactMap { index, button in
                guard button.wiring.chip == .auto else { return nil }
                let line = "button \(index + 1), GPIO \(button.wiring.line)"
                guard let user = header.user(of: button.wiring.line) else {
                    return .good("button", "\(line): free; boardd hardware test prints its presses")
                }
                return header.consumers[button.wiring.line] == GPIOButtons.consumer
                    ? .good("button", "\(line): in use by boardd")
                    : .fault("button", "\(line) is in use by \(user): set another `line` in boardd.toml")
            }
        }
    }

    // MARK: - Network

    private static func network(_ feed: String, _ result: Result<FeedResponse, FeedError>) -> Fact {
        switch result {
        case .success(let response):
            if let failure = response.partialFailure { return .unknown("network", "\(feed): \(failure.detail)") }
            return .good("network", "\(feed): \(Daemon.count(response.departures.count, "departure"))")
        case .failure(let failure): return Fact(failure.verdict, "network", failure.detail)
        }
    }

    // MARK: - The service

    private var running: Fact {
        let isEnabled = service["UnitFileState"] == "enabled"
        switch (service["LoadState"], service["ActiveState"] ?? "", board) {
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

    /// Nil if the socket unit is not installed.
    private var ownPage: Fact? {
        guard page.isInstalled else { return nil }
        let port = page.port ?? 80
        if page.isOn { return .good("page", addresses(port).joined(separator: ", ")) }
        return page.isFailed
            ? .fault("page", "it cannot listen at port \(port): sudo boardd page on shows what to do")
            : .good("page", "off: sudo boardd page on serves it in this network")
    }

    private var stopLists: [Fact] {
        lists.failures.map { .fault("stop list", "\($0)") }
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

    private var space: Fact {
        guard let freeSpace else { return .unknown("space", "\(folder) cannot be read") }
        let text = "\(folder): \(freeSpace / 1_000_000) MB free"
        return freeSpace < Self.leastSpace
            ? .fault("space", "\(text), too little for a new timetable: sudo apt clean, or a larger card")
            : .good("space", text)
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
