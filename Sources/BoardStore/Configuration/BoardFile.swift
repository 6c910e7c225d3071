import BoardCore
import BoardDisplays
import BoardIO

/// boardd.toml, with the feeds preset in feeds.d.
enum BoardFile {
    /// Reads the file. Every fault goes to `collector`; a faulty value gets its default.
    ///
    /// - Parameters:
    ///   - own: the board's own layer, without feeds.
    ///   - presets: files with only `[feed.NAME]` tables; boardd.toml overrides them.
    ///   - configuration: receives the values, except those of the feeds.
    /// - Returns: every feed without a family, and the members of families that have a table.
    static func read(
        _ document: TOMLDocument, above own: TOMLDocument? = nil, presets: [TOMLDocument] = [],
        declarations: FeedDeclarations,
        pinMaps: [String: PinMap], into configuration: inout Configuration, _ collector: FaultCollector
    ) -> FeedTables {
        var feeds = FeedTables(declarations)
        for preset in presets {
            var root = TableReader(preset, into: collector)
            feeds.read(&root)
            root.finish()
        }
        var root = TableReader(document, above: own, into: collector)
        configuration.board = readBoard(&root)
        configuration.display = readDisplay(&root, pinMaps: pinMaps)
        configuration.buttons = readButtons(&root, hasDisplay: configuration.display.driver != .none)
        configuration.page = readPage(&root)
        configuration.fleet = readFleet(&root, warnings: &configuration.warnings)
        feeds.read(&root)
        var log = root.table("log", name: "[log]")
        configuration.logLevel = log.value("level", .choice(), default: configuration.logLevel)
        log.finish()
        root.finish()
        return feeds
    }

    // MARK: - `[board]`, `[language]`, `[pages]`, `[light]`, `[[quiet]]` and `[abbreviations]`

    static func readBoard(_ root: inout TableReader) -> BoardOptions {
        var options = BoardOptions()
        var board = root.table("board", name: "[board]")
        options.name = board.optional("name", .boardName)
        board.finish()

        var language = root.table("language", name: "[language]")
        options.language = language.value("code", .choice(), default: options.language)
        options.clock = language.value("clock", .choice(), default: options.clock)
        language.finish()

        var pages = root.table("pages", name: "[pages]")
        options.home = pages.optional("home", .choice())
        options.returnHome = pages.value(
            "return_home", .duration(.seconds(5) ... .seconds(86_400)), or: "never", default: options.returnHome)
        options.rotation = pages.value(
            "rotate",
            ValueKind<Duration>.duration(.seconds(2) ... .seconds(600)).map(BoardOptions.Rotation.every).or("off", .off)
                .or("auto", .auto), default: options.rotation)
        options.reach = pages.value("reach", .duration(.seconds(300) ... .seconds(86_400)), default: options.reach)
        options.screens = pages.value("screens", .integer(1...10), default: options.screens)
        options.turns = pages.value("turns", .boolean, default: options.turns)
        pages.finish()

        var light = root.table("light", name: "[light]")
        options.wake = light.value("wake", .duration(.seconds(5) ... .seconds(3600)), default: options.wake)
        light.finish()
        options.quiet = (root.tables("quiet", name: "quiet") ?? []).compactMap(readQuiet)

        var abbreviations = root.table("abbreviations", name: "[abbreviations]")
        options.abbreviations = Dictionary(uniqueKeysWithValues: abbreviations.all(.text).map { ($0.key, $0.value) })
        return options
    }

    private static func readQuiet(_ reader: TableReader) -> WeeklyWindow? {
        var quiet = reader
        let from = quiet.required("from", .timeOfDay)
        let to = quiet.required("to", .timeOfDay)
        let days = quiet.value("days", .days, default: Set(Weekday.allCases))
        quiet.finish()
        guard let from, let to else { return nil }
        return WeeklyWindow(from: from, to: to, days: days)
    }

    // MARK: - `[[button]]`

    /// One button with the defaults if the file has no `[[button]]`; none for `button = []`, and for a board without a
    /// display, such as a hub.
    static func readButtons(_ root: inout TableReader, hasDisplay: Bool) -> [ButtonConfiguration] {
        guard let tables = root.tables("button", name: "button") else {
            return hasDisplay ? [ButtonConfiguration()] : []
        }
        var buttons: [ButtonConfiguration] = []
        var indices: [Contact: Int] = [:]
        for (index, table) in tables.enumerated() {
            var reader = table
            let button = readButton(&reader, isFirst: index == 0)
            reader.finish()
            guard let button else { continue }
            let contact = Contact(chip: button.wiring.chip, line: button.wiring.line)
            if let first = indices[contact] {
                reader.report(
                    at: reader.offset(of: "line") ?? reader.offset,
                    "line \(contact.line) is already used by button \(first + 1): each button needs its own line")
                continue
            }
            indices[contact] = index
            buttons.append(button)
        }
        return buttons
    }

    /// The GPIO line of a button.
    private struct Contact: Hashable {
        let chip: ButtonWiring.Chip
        let line: UInt32
    }

    private static func readButton(_ reader: inout TableReader, isFirst: Bool) -> ButtonConfiguration? {
        let wiring = ButtonWiring()
        let binding = isFirst ? ButtonBinding() : .second
        // No GPIO chip that is used for buttons has more lines.
        let lines = ValueKind<Int>.integer(0...1023).map { UInt32($0) }
        let chip = reader.value(
            "chip", ValueKind<String>.text.map(ButtonWiring.Chip.named).or("auto", .auto), default: wiring.chip)
        let line = isFirst ? reader.value("line", lines, default: wiring.line) : reader.required("line", lines)
        let pull = reader.value("pull", .choice(), default: wiring.pull)
        let bound = ButtonBinding(
            short: reader.value("short", .choice(), default: binding.short),
            hold: reader.value("hold", .choice(), default: binding.hold),
            longHold: reader.value("long_hold", .choice(), default: binding.longHold),
            double: reader.value("double", .choice(), default: binding.double))
        return line.map { ButtonConfiguration(wiring: ButtonWiring(chip: chip, line: $0, pull: pull), binding: bound) }
    }
}

// `[page]` and `[map]`.
extension BoardFile {
    static func readPage(_ root: inout TableReader) -> PageOptions {
        var page = root.table("page", name: "[page]")
        var options = PageOptions()
        options.read = page.value("read", .choice(), default: options.read)
        options.change = page.value("change", .choice(), default: options.change)
        options.setup = page.value("setup", .boolean, default: options.setup)
        options.names = page.value("names", .hostNames, default: options.names)
        options.networks = page.value("networks", .networks, default: options.networks)
        options.frames = page.value("frames", .origins, default: options.frames)
        page.finish()
        var map = root.table("map", name: "[map]")
        options.tiles = map.value("tiles", .tiles, or: "", default: options.tiles)
        options.tilesAttribution = map.value(
            "attribution", ValueKind<String>.text.or("", ""), default: options.tilesAttribution)
        map.finish()
        if options.read == .paired, options.change == .network {
            page.report(
                at: page.offset(of: "change"),
                "change is \"network\", but read is \"paired\": a device that may not look may not change anything; "
                    + "write change = \"paired\"")
            options.change = .paired
        }
        return options
    }
}

extension ValueKind {
    /// A list of texts without duplicates; may be empty.
    ///
    /// - Parameters:
    ///   - element: what each element must be, for messages.
    ///   - parse: the value of a text; nil: it is not `element`. Throws the end of another message about the text.
    fileprivate static func list<Element: Equatable>(
        of plural: String, element: String, example: String, _ parse: @escaping @Sendable (String) throws -> Element?
    ) -> ValueKind where Value == [Element] {
        ValueKind(allowed: "a list of \(plural), such as [\(example)]") { (node) throws(ValueError) in
            guard case .list(let nodes) = node.value else { throw .notAllowed(node) }
            return try ValueError.collect(nodes, isSame: ==) { (node) throws(ValueError) -> Element in
                guard case .text(let text) = node.value else { throw .notAllowed(node, allowed: element) }
                do {
                    if let value = try parse(text) { return value }
                } catch {
                    throw .message("\(error)", node)
                }
                throw .notAllowed(node, allowed: element)
            }
        }
    }
}

extension ValueKind<[HostName]> {
    fileprivate static let hostNames = list(
        of: "host names", element: "a host name such as \"board.example.org\", without http:// or a port",
        example: "\"board.example.org\""
    ) { text in
        guard IPAddress(text) == nil else {
            throw PlainError("is an IP address, which needs no entry here: every address of this machine is accepted")
        }
        return HostName(text)
    }
}

extension ValueKind<[NetworkPrefix]> {
    fileprivate static let networks = list(
        of: "networks", element: "a network such as \"100.64.0.0/10\"", example: "\"100.64.0.0/10\", \"fd00::/8\""
    ) { try NetworkPrefix(written: $0) }
}

extension ValueKind<[WebOrigin]> {
    fileprivate static let origins = list(
        of: "origins",
        element: "http:// or https://, a host and a port, without a path: \"http://homeassistant.local:8123\"",
        example: "\"http://homeassistant.local:8123\""
    ) { WebOrigin($0) }
}

extension ValueKind<String> {
    fileprivate static let boardName = parsed("a text of 1 to 40 characters with a letter or digit") { text in
        let isName =
            text.count <= 40 && text.contains { $0.isLetter || $0.isNumber } && !text.hasControls
            && !text.unicodeScalars.contains { $0.properties.generalCategory == .format }
        return isName ? text : nil
    }
}

extension ValueKind<TileSource> {
    fileprivate static let tiles = parsed(
        "\"openstreetmap\" or an https address with {z}, {x} and {y}, "
            + "such as \"https://tile.example.org/{z}/{x}/{y}.png\""
    ) { TileSource($0) }
}

// `[fleet]`.
extension BoardFile {
    /// - Parameter warnings: receives notes that are not faults.
    static func readFleet(_ root: inout TableReader, warnings: inout [SourceError]) -> FleetOptions {
        var fleet = root.table("fleet", name: "[fleet]")
        var options = FleetOptions()
        options.broker = fleet.value("broker", .broker, or: "", default: options.broker)
        options.board = fleet.value("board", .fleetName, or: "", default: options.board)
        options.certificates = fleet.value("ca", .certificates, or: "", default: options.certificates)
        options.patience = fleet.value(
            "patience",
            ValueKind<Duration>.duration(.zero ... .seconds(3_600)).map(FleetOptions.Patience.wait).or("never", .never),
            default: options.patience)
        options.list = fleet.value("list", .fleetName, or: "", default: options.list)
        options.homeAssistant = fleet.value("home_assistant", .boolean, default: options.homeAssistant)
        fleet.finish()
        if let broker = options.broker, !broker.isSecure, !broker.isPrivate {
            warnings.append(
                fleet.fault(
                    at: fleet.offset(of: "broker"),
                    "\(broker) is not encrypted and not in a private network: others can read the password and change what "
                        + "boards show; use mqtts://"))
        }
        return options
    }
}

extension ValueKind<BrokerAddress> {
    fileprivate static let broker = ValueKind(
        allowed: "an address such as \"mqtts://broker.example:8883\" or \"mqtt://broker:1883\""
    ) { (node) throws(ValueError) in
        guard case .text(let text) = node.value else { throw .notAllowed(node) }
        guard !text.contains("@") else {
            // The value may contain a password, so it is not repeated.
            throw .message(
                "has a user name or a password in it: put them into keys.env, as FLEET_USER and FLEET_PASSWORD",
                TOMLNode(value: .other, position: node.position, found: "an address"))
        }
        guard let broker = BrokerAddress(text) else { throw .notAllowed(node) }
        return broker
    }
}

extension ValueKind<FleetName> {
    fileprivate static let fleetName = parsed(
        "a name of 1 to 63 letters from a to z, digits and hyphens, such as \"kitchen\""
    ) { FleetName($0) }
}

extension ValueKind<String> {
    fileprivate static let certificates = parsed(
        "the absolute path of a PEM file, such as \"/etc/boardd/ca.crt\""
    ) { $0.hasPrefix("/") && !$0.utf8.contains(0) ? $0 : nil }
}
