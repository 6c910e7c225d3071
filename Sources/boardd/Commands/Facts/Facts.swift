import BoardCore
import BoardDisplays
import BoardService
import BoardStore

// What more than one command finds out and prints, judged once.

extension Fact {
    /// The configuration files: the summary, or a fact for each fault.
    static func files(_ configuration: Result<Configuration, ConfigurationError>) -> [Fact] {
        switch configuration {
        case .success(let loaded):
            let favourites = Daemon.count(loaded.favourites.count, "favourite")
            return [.good("files", "the configuration is valid: \(favourites), \(loaded.devices)")]
                + loaded.tables.sentences.map { .good("files", $0) }
        case .failure(let error):
            return error.faults.map { Fact($0.kind == .unreadable ? .unknown : .fault, "files", "\($0)") }
        }
    }

    static func favourites(_ loaded: Configuration) -> Fact {
        guard loaded.entries.isEmpty else {
            return .good("favourites", Daemon.count(loaded.entries.count, "favourite"))
        }
        let isHub = loaded.fleet.broker != nil && loaded.fleet.patience.isHub
        return isHub
            ? .good("favourites", "none: a hub polls those of the other boards") : .fault("favourites", noFavourites)
    }

    static let noFavourites = "no favourites yet: sudo boardd setup, or boardd favourites add STOP"

    /// Nil: a display is configured.
    static func missingDisplay(_ loaded: Configuration) -> Fact? {
        guard loaded.display.driver == .none else { return nil }
        return .good("display", "none is configured (driver = \"none\"): boardd status prints the board")
    }

    /// The display that a board without `[display]` would find; nil: the configuration describes one, or there is no bus.
    static func found(_ loaded: Configuration, on buses: [I2CBusScan]) -> Fact? {
        guard loaded.display.origin == .searched, let bus = buses.header, case .success = bus.devices else {
            return nil
        }
        let displays = bus.displays
        guard let first = displays.first else { return nil }
        if displays.count == 1 { return first.wiring.finding.map { .good("display", $0) } }
        let fault = DisplaySearch.fault(of: displays, on: bus.path)
        return first.rank == 0
            ? .unknown("display", "\(fault); until then it is the one at \(first.place)")
            : .fault("display", "\(fault)")
    }

    /// The display of a running board.
    static func display(_ state: BoardState) -> Fact {
        let detail = state.faults.display.map { ": \($0)" } ?? state.foundDisplay.map { "; \($0)" } ?? ""
        return switch state.display.isResponding {
        case true?: .good("display", "responding\(detail)")
        case false?: .fault("display", "not responding\(detail)")
        case nil: .unknown("display", "not tried yet\(detail)")
        }
    }

    static func clock(isSynchronised: Bool) -> Fact {
        isSynchronised
            ? .good("clock", "synchronised")
            : .unknown("clock", "not synchronised: check the network, then timedatectl; sudo timedatectl set-ntp true")
    }

    /// Whose zone the board uses; nil: no zone of a stop is known.
    static func zone(_ own: Zone, of stops: [Zone], at moment: Timestamp) -> Fact? {
        let offsets = Set(stops.map { $0.offset(at: moment) })
        if offsets.isEmpty { return nil }
        if offsets.count == 1 { return .good("time zone", "that of the stops") }
        if offsets.contains(own.offset(at: moment)) {
            return .good("time zone", "this machine's: those of the stops differ")
        }
        return .fault(
            "time zone",
            "the clocks at your stops differ, and this machine's is like none of them: "
                + "sudo timedatectl set-timezone ZONE (timedatectl list-timezones prints all)")
    }
}

extension Configuration {
    /// "1 button, display hd44780 20x4".
    var devices: String {
        let display =
            display.origin == .searched
            ? "a display that boardd finds by itself" : "display \(display.driver.rawValue) \(display.panel.size)"
        return "\(Daemon.count(buttons.count, "button")), \(display)"
    }

    /// The keys that a feed uses, and whether each is set.
    func keys(of declaration: FeedDeclaration) -> [FeedState.Key] {
        let settings = feeds[declaration.name] ?? FeedSettings(defaultsOf: declaration)
        return declaration.secrets(of: settings).map { .init(name: $0, isSet: settings.secret($0) != nil) }
    }
}

extension DisplayWiring {
    /// "found by itself: hd44780 at 0x27 on /dev/i2c-1", and what its size needs; nil: it was not searched for.
    var finding: String? {
        guard origin == .found, case .path(let bus) = bus else { return nil }
        let addresses = if case .fixed(let address) = address { [address] } else { modules.addresses }
        let place = "\(driver.rawValue) at \(addresses.map(\.asHex).joined(separator: ", ")) on \(bus)"
        return "found by itself: \(place)" + (sizeRemark.map { "; \($0)" } ?? "")
    }

    /// Nil: the size is known.
    var sizeRemark: String? {
        guard origin == .found, driver == .hd44780 else { return nil }
        let expander = panel.pins.expander
        let first = expander == .pcf8574 ? "" : "sudo boardd config set display.expander \(expander.rawValue), then "
        return
            "its size is unknown, so \(panel.size) of it are used: \(first)sudo boardd config set display.size 20x4, or "
            + "another size"
    }
}

extension FeedState.Key {
    /// "TFL_APP_KEY is set".
    var words: String { "\(name) is \(isSet ? "set" : "not set")" }
}

// MARK: - Printing

extension Fact {
    /// The line of `boardd check`: "subject: good, text". The faults of a file begin with their place, which editors
    /// recognise.
    var line: String {
        let words =
            switch verdict {
            case .good: ["good", text].filter { !$0.isEmpty }.joined(separator: ", ")
            case .unknown: "not checked: \(text)"
            case .remark, .fault: text
            }
        return (subject == "files" ? text : "\(subject): \(words)").asPrintedLine
    }
}

extension [Fact] {
    /// A line for each, terminated.
    var table: String {
        var table = TextTable()
        for fact in self {
            table.add(fact.verdict == .fault ? "FAULT" : fact.verdict.rawValue, fact.subject, fact.text)
        }
        return table.text
    }

    /// The exit status of `boardd doctor` and `check`: 0 all good, 1 a fault, 2 something was not checked.
    var status: Int32 {
        contains { $0.verdict == .fault } ? 1 : contains { $0.verdict == .unknown } ? 2 : 0
    }
}
