internal import ArgumentParser
internal import BoardCore
internal import BoardService

/// `boardd favourites …`: the stops on the board.
struct FavouritesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favourites", abstract: "List and change the stops that the board shows.",
        discussion: """
            Changes are written to favourites.toml, whose comments stay; a running board shows them at once. A running boardd \
            makes the change itself, so that members of the group boardd-control need no sudo. A stop is written \
            feed:code, such as tfl:490008660N; its code alone, the number on its pole or its name will do if only one \
            stop has it. Exit status: 0 good, 1 no such stop or line, 69, 75 or 76 failed lookup, 77 not allowed, \
            78 faulty files.
            """,
        subcommands: [ListFavourites.self, AddFavourite.self, RemoveFavourite.self, MoveFavourite.self, SetLines.self],
        defaultSubcommand: ListFavourites.self)
}

/// `boardd favourites remove`.
struct RemoveFavourite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Remove a stop from the board.",
        discussion: "Example: boardd favourites remove tfl:490008660N")

    @Argument(help: "The stop: feed:code, its code, its label, or its name.")
    var stop: String

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        try await CommandError.exitOnFailure {
            var context = try await FavouritesContext(configuration)
            let stop = try await context.favourite(stop)
            let name = await context.named(stop)
            try await context.service.removeFavourite(stop)
            try await context.refresh()
            try context.printResult("\(name) removed; \(Daemon.count(context.entries.count, "favourite")) left")
        }
    }
}

/// `boardd favourites move`.
struct MoveFavourite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Move a favourite to another position.",
        discussion: "Example, to see it first: boardd favourites move tfl:490008660N 1")

    @Argument(help: "The stop: feed:code, its code, its label, or its name.")
    var stop: String

    @Argument(help: "Its new position in the list, from 1; one past the end is the last.")
    var position: Int

    @OptionGroup var configuration: ConfigurationOption

    func validate() throws {
        guard position >= 1 else { throw ValidationError("Positions are counted from 1.") }
    }

    func run() async throws {
        try await CommandError.exitOnFailure {
            var context = try await FavouritesContext(configuration)
            let stop = try await context.favourite(stop)
            _ = try await context.service.changeFavourite(stop, FavouriteChange(position: position))
            try await context.refresh()
            try context.printResult(await context.status(stop))
        }
    }
}

/// `boardd favourites lines`.
struct SetLines: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lines", abstract: "Choose which lines of a favourite the overview shows.",
        discussion: """
            Example: boardd favourites lines tfl:490008660N 73,390
            The stop's own page always shows all. "all" selects every line again.
            """)

    @Argument(help: "The stop: feed:code, its code, its label, or its name.")
    var stop: String

    @Argument(
        help: ArgumentHelp("The lines of interest, such as 73,390; or all.", valueName: "lines"),
        transform: { try FavouriteOptions.texts($0, of: "lines") })
    var lines: [String]

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        try await CommandError.exitOnFailure {
            var context = try await FavouritesContext(configuration)
            let stop = try await context.favourite(stop)
            _ = try await context.service.changeFavourite(stop, FavouriteChange(["lines": lines]))
            try await context.refresh()
            let shown =
                lines.isEmpty ? "all lines" : "line\(lines.count == 1 ? "" : "s") \(lines.joined(separator: ", "))"
            try context.printResult("\(await context.status(stop)), with \(shown)")
        }
    }
}
