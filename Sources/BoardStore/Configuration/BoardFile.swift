internal import BoardCore

/// boardd.toml, with the feeds that feeds.d presets.
enum BoardFile {
    /// Reads the file. Every fault goes to `collector`; a faulty value gets its default.
    ///
    /// - Parameters:
    ///   - presets: files with only `[feed.NAME]` tables; boardd.toml overrides them.
    ///   - configuration: receives the values, except those of the feeds.
    /// - Returns: every feed without a family, and the members of families that have a table.
    static func read(
        _ document: TOMLDocument, presets: [TOMLDocument] = [], declarations: FeedDeclarations,
        pinMaps: [String: PinMap], into configuration: inout Configuration, _ collector: FaultCollector
    ) -> FeedTables {
        var feeds = FeedTables(declarations)
        for preset in presets {
            var root = TableReader(preset, into: collector)
            feeds.read(&root)
            root.finish()
        }
        var root = TableReader(document, into: collector)
        configuration.board = readBoard(&root)
        configuration.display = readDisplay(&root, pinMaps: pinMaps)
        configuration.buttons = readButtons(&root)
        configuration.page = readPage(&root)
        configuration.fleet = readFleet(&root, warnings: &configuration.warnings)
        feeds.read(&root)
        var log = root.table("log", name: "[log]")
        configuration.logLevel = log.value("level", .choice(), default: configuration.logLevel)
        log.finish()
        root.finish()
        return feeds
    }

    // MARK: - `[board]`, `[[board.quiet]]` and `[abbreviations]`

    static func readBoard(_ root: inout TableReader) -> BoardOptions {
        var board = root.table("board", name: "[board]")
        var options = BoardOptions()
        options.language = board.value("language", .choice(), default: options.language)
        options.clock = board.value("clock", .choice(), default: options.clock)
        options.home = board.value("home", .choice(), default: options.home)
        options.returnHome = board.value(
            "return_home",
            ValueKind<Duration>.duration(.seconds(5) ... .seconds(86_400)).map(Optional.some).or("never", nil),
            default: options.returnHome)
        options.rotation = board.value(
            "rotate",
            ValueKind<Duration>.duration(.seconds(2) ... .seconds(600)).map(BoardOptions.Rotation.every).or("off", .off)
                .or("auto", .auto),
            default: options.rotation)
        options.reach = board.value("reach", .duration(.seconds(300) ... .seconds(86_400)), default: options.reach)
        options.screens = board.value("screens", .integer(1...10), default: options.screens)
        options.refreshBar = board.value("refresh_bar", .choice(), default: options.refreshBar)
        options.alertsRow = board.value("alerts_row", .boolean, default: options.alertsRow)
        options.wake = board.value("wake", .duration(.seconds(5) ... .seconds(3600)), default: options.wake)
        options.quiet = (board.tables("quiet", name: "board.quiet") ?? []).compactMap(readQuiet)
        board.finish()

        var abbreviations = root.table("abbreviations", name: "[abbreviations]")
        options.abbreviations = Dictionary(
            uniqueKeysWithValues: abbreviations.all(.text).map { ($0.key, $0.value) })
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

    /// The buttons: one with the defaults where the file has no `[[button]]`, none for `button = []`.
    static func readButtons(_ root: inout TableReader) -> [ButtonConfiguration] {
        guard let tables = root.tables("button", name: "button") else { return [ButtonConfiguration()] }
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
        // More lines than any GPIO chip for buttons has.
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
