import ArgumentParser
import BoardControl
import BoardCore
import BoardFeeds
import BoardIO
import BoardService
import BoardStore

/// `boardd favourites …`: the stops on the board.
struct FavouritesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favourites", abstract: "List and change the stops that the board shows.",
        discussion: """
            Changes are written to favourites.toml, where comments on lines of their own stay; a running board shows them at once. A running boardd \
            makes the change itself, so that members of the group boardd-control need no sudo. A stop is written \
            feed:code, such as tfl:490008660N; its code alone, the number on its pole or its name will do if only one \
            stop has it, and a favourite's number in the list. Exit status: 0 good, 1 no such stop or line, 69, 75 or 76 \
            failed lookup, 77 not allowed, 78 faulty files.
            """,
        subcommands: [
            ListFavourites.self, AddFavourite.self, ChangeFavourite.self, RemoveFavourite.self, MoveFavourite.self,
            SetLines.self,
        ],
        defaultSubcommand: ListFavourites.self, aliases: ["favorites"])
}

/// The favourite that `boardd favourites …` is about.
struct FavouriteArgument: ParsableArguments {
    @Argument(
        help: "The stop: its number in the list, its label, feed:code, its code, or its name.",
        completion: .favourites)
    var stop: String
}

struct RemoveFavourite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a stop from the board.",
        discussion: "Examples: boardd favourites remove 2 · boardd favourites remove tfl:490008660N")

    @OptionGroup var favourite: FavouriteArgument

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        var context = try await FavouritesContext(configuration)
        let stop = try await context.favourite(favourite.stop)
        let name = await context.named(stop)
        try await context.service.removeFavourite(stop)
        try await context.refresh()
        try context.printResult("\(name) removed; \(Daemon.count(context.entries.count, "favourite")) left")
    }
}

struct MoveFavourite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Move a favourite to another position.",
        discussion: "Example, to see it first: boardd favourites move tfl:490008660N 1")

    @OptionGroup var favourite: FavouriteArgument

    @Argument(help: "Its new position in the list, from 1; one past the end is the last.")
    var position: Int

    @OptionGroup var configuration: ConfigurationOption

    func validate() throws {
        guard position >= 1 else { throw ValidationError("Positions are counted from 1.") }
    }

    func run() async throws {
        var context = try await FavouritesContext(configuration)
        let stop = try await context.favourite(favourite.stop)
        _ = try await context.service.changeFavourite(stop, FavouriteChange(position: position))
        try await context.refresh()
        try context.printResult(await context.status(stop))
    }
}

struct ChangeFavourite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "change", abstract: "Change the settings of a favourite.",
        discussion: """
            Each option is the key of that name in favourites.toml; settings without an option stay as they are. --unset \
            removes a setting, so that its default applies. \
            Examples: boardd favourites change 2 --label Home --walk 4 --when "weekdays 06:30-09:30" · \
            boardd favourites change tfl:490008660N --unset walk --unset when
            """)

    @OptionGroup var favourite: FavouriteArgument

    @OptionGroup var options: FavouriteOptions

    @Option(
        parsing: .singleValue,
        help: ArgumentHelp("Remove this setting; may be repeated.", valueName: "setting"),
        completion: .list(FavouriteOptions.names), transform: { try FavouriteOptions.name($0) })
    var unset: [String] = []

    @OptionGroup var configuration: ConfigurationOption

    /// The new values; an empty list removes one.
    private var values: [String: [String]] {
        options.values.merging(unset.map { ($0, [String]()) }) { $1 }
    }

    func validate() throws {
        guard !values.isEmpty else {
            throw ValidationError("Nothing to change: give an option such as --walk 4, or --unset walk.")
        }
        if let both = unset.first(where: { options.values[$0] != nil }) {
            throw ValidationError("--\(both) and --unset \(both) exclude each other.")
        }
    }

    func run() async throws {
        var context = try await FavouritesContext(configuration)
        let stop = try await context.favourite(favourite.stop)
        let item = try await context.service.changeFavourite(stop, FavouriteChange(values))
        try await context.refresh()
        let settings = item.favourite.settings()
        try context.printResult(
            "\(await context.status(stop)): \(settings.isEmpty ? "all settings are the defaults" : settings)")
    }
}

struct SetLines: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lines", abstract: "Choose which lines of a favourite the board shows.",
        discussion: """
            Example: boardd favourites lines tfl:490008660N 73,390
            "all" selects every line again. boardd departures always prints every line.
            """)

    @OptionGroup var favourite: FavouriteArgument

    @Argument(
        help: ArgumentHelp("The lines of interest, such as 73,390; or all.", valueName: "lines"),
        transform: { try FavouriteOptions.texts($0, of: "lines") })
    var lines: [String]

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        var context = try await FavouritesContext(configuration)
        let stop = try await context.favourite(favourite.stop)
        _ = try await context.service.changeFavourite(stop, FavouriteChange(["lines": lines]))
        try await context.refresh()
        let shown = lines.isEmpty ? "all lines" : "line\(lines.count == 1 ? "" : "s") \(lines.joined(separator: ", "))"
        try context.printResult("\(await context.status(stop)), with \(shown)")
    }
}

struct AddFavourite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "add", abstract: "Put a stop on the board.",
        discussion: """
            Example: boardd favourites add tfl:490008660N --label "Oxford St" --lines 73,390
            A stop by its name, also of an operator without a stop list: boardd favourites add "Lyon Part-Dieu" --online
            Trains to work in the morning that can still be reached: \
            boardd favourites add rail:RDG --towards PAD --walk 7 --when "weekdays 06:30-09:30"
            Each option is the key of that name in favourites.toml.
            """)

    @Argument(help: "The stop: feed:code, its code, the number on its pole, or its name.")
    var stop: String

    @OptionGroup var options: FavouriteOptions

    @Option(help: ArgumentHelp("Its position in the list, from 1; the last by default.", valueName: "number"))
    var position: Int?

    @OptionGroup var operators: OperatorsOption

    @OptionGroup var configuration: ConfigurationOption

    func validate() throws {
        var scratch = Favourite(stop: StopID(feed: FeedName(""), code: ""))
        do throws(ServiceError) {
            try FavouriteChange(options.values).apply(to: &scratch)
        } catch {
            throw ValidationError("\(error).")
        }
        if let position, position < 1 { throw ValidationError("--position counts from 1.") }
    }

    func run() async throws {
        var context = try await FavouritesContext(configuration)
        let stop = try await operators.stop(stop, of: try await context.local())
        var favourite = Favourite(stop: stop)
        try FavouriteChange(options.values).apply(to: &favourite)
        _ = try await context.service.addFavourite(favourite, at: position)
        try await context.refresh()
        try context.printResult(await context.status(stop))
        guard let declaration = FeedRegistry.feedOperator(stop.feed)?.declaration, declaration.searchesStops,
            context.entries.named.contains(where: { $0.stop == stop && $0.name == nil })
        else { return }
        StandardError.remark(
            "\(declaration.title) reports no name for \(stop): if its ID changes, it cannot be found again. "
                + "Add name and location to favourites.toml.")
    }
}

struct ListFavourites: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list", abstract: "List the favourites, as favourites.toml has them.",
        discussion: """
            A [[nearby]] entry takes one position; its current stops are listed below it. \
            Example: boardd favourites list --json
            """)

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        let result = configuration.result
        if case .failure(let error) = result {
            // A fault in another file does not affect this list.
            guard !error.faults.contains(where: { $0.file == configuration.source.favouritesPath }) else {
                throw ServiceError(error, "favourites.toml has faults")
            }
            for fault in error.faults { StandardError.remark("\(fault)") }
        }
        let entries = result.readable.entries
        let listing = try await DedicatedThread.attempt { FavouriteListing(entries, in: .installed) }
        try StandardOutput.write(json ? listing.json : listing.table)
        for failure in listing.failures { StandardError.remark("\(failure)") }
        if listing.rows.isEmpty, !json { StandardError.write(Fact.noFavourites + "\n") }
        if configuration.file == nil { await compare(entries) }
    }

    /// Reports if the running board has another list.
    private func compare(_ entries: [FavouriteEntry]) async {
        guard let shown = try? await ConfigurationOption.runningBoard().favourites() else { return }
        guard shown.map(\.favourite.stop) != entries.named.map(\.stop) else { return }
        StandardError.remark("the running board shows other favourites; see boardd status")
    }
}
