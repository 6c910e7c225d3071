internal import BoardCore

// `[board]`, `[[board.quiet]]` and `[abbreviations]`.
extension BoardFile {
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
}
