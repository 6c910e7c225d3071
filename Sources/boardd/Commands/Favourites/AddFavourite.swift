internal import ArgumentParser
internal import BoardControl
internal import BoardCore
internal import BoardFeeds

/// `boardd favourites add`.
struct AddFavourite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Put a stop on the board.",
        discussion: """
            Example: boardd favourites add tfl:490008660N --label "Oxford St" --lines 73,390
            Trains to work in the morning that can still be reached: \
            boardd favourites add rail:RDG --towards PAD --walk 7m --when "weekdays 06:30-09:30"
            Each option is the key of that name in favourites.toml.
            """)

    @Argument(help: "The stop: feed:code, its code, the number on its pole, or its name.")
    var stop: String

    @Option(help: ArgumentHelp("Its name on the display; the operator's name by default.", valueName: "text"))
    var label: String?

    @Option(
        help: ArgumentHelp("The lines on the overview, such as 73,390; all by default.", valueName: "lines"),
        transform: LineChoice.init)
    var lines = LineChoice.all

    @Option(
        help: ArgumentHelp(
            "The order of its rows until a press changes it: time, line or destination.", valueName: "order"),
        completion: .list(SortOrder.allCases.map(\.rawValue)), transform: { try OptionParsing.word($0) })
    var sort = SortOrder.time

    @Option(
        help: ArgumentHelp(
            "The walking time to the stop, such as 7m; none by default.", valueName: "duration"),
        transform: OptionParsing.walk)
    var walk: Duration?

    @Option(
        help: ArgumentHelp(
            "What to do with departures that the walk is too long for: hide or mark.", valueName: "word"),
        completion: .list(Favourite.Uncatchable.allCases.map(\.rawValue)), transform: { try OptionParsing.word($0) })
    var uncatchable = Favourite.Uncatchable.hide

    @Option(
        help: ArgumentHelp(
            "Rail: only trains that also call at this stop: its code, feed:code, or its name.", valueName: "stop"))
    var towards: String?

    @Option(
        help: ArgumentHelp(
            "Only departures from these platforms, such as 3,4; all by default.", valueName: "platforms"),
        transform: OptionParsing.names)
    var platforms: [String] = []

    @Option(
        help: ArgumentHelp(
            "Only departures in these directions, in the operator's words, such as inbound; all by default.",
            valueName: "directions"),
        transform: OptionParsing.names)
    var directions: [String] = []

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp(
            "Show it only then, such as \"weekdays 06:30-09:30\"; may be repeated.", valueName: "hours"),
        transform: OptionParsing.window)
    var when: [WeeklyWindow] = []

    @Option(help: ArgumentHelp("Its position in the list, from 1; the last by default.", valueName: "number"))
    var position: Int?

    @OptionGroup var configuration: ConfigurationOption

    func validate() throws {
        if let position, position < 1 { throw ValidationError("--position counts from 1.") }
    }

    func run() async throws {
        try await CommandError.exitOnFailure {
            let context = try await FavouritesContext(configuration)
            let stop = try await context.newStop(stop)
            var code: String?
            if let towards { code = try await context.towards(towards, from: stop) }
            let favourite = Favourite(
                stop: stop, label: label, lines: lines.names, sort: sort, walk: walk, uncatchable: uncatchable,
                towards: code, platforms: platforms, directions: directions, when: when)
            let entries = try await context.backend.add(favourite, at: position)
            try context.printResult(await context.status(stop, in: entries))
            guard let declaration = FeedRegistry.feedOperator(stop.feed)?.declaration, declaration.searchesStops,
                entries.named.contains(where: { $0.stop == stop && $0.name == nil })
            else { return }
            StandardError.write(
                "remark: \(declaration.title) reports no name for \(stop): if its ID changes, it cannot be found again. "
                    + "Add name and location to favourites.toml.\n")
        }
    }
}
