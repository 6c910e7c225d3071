internal import ArgumentParser
internal import BoardCore
internal import BoardFeeds
internal import BoardService
internal import BoardStore

/// `boardd favourites add`.
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
        try await CommandError.exitOnFailure {
            var context = try await FavouritesContext(configuration)
            let stop = try await operators.stop(stop, of: try await context.local())
            var favourite = Favourite(stop: stop)
            try FavouriteChange(options.values).apply(to: &favourite)
            if !favourite.towards.isEmpty {
                favourite.towards = try await context.towards(favourite.towards, from: stop)
            }
            _ = try await context.service.addFavourite(favourite, at: position)
            try await context.refresh()
            try context.printResult(await context.status(stop))
            guard let declaration = FeedRegistry.feedOperator(stop.feed)?.declaration, declaration.searchesStops,
                context.entries.named.contains(where: { $0.stop == stop && $0.name == nil })
            else { return }
            StandardError.write(
                "remark: \(declaration.title) reports no name for \(stop): if its ID changes, it cannot be found again. "
                    + "Add name and location to favourites.toml.\n")
        }
    }
}
