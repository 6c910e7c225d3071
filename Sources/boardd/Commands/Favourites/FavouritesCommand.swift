internal import ArgumentParser
internal import BoardControl
internal import BoardCore

/// `boardd favourites …`: the stops that the board shows.
struct FavouritesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "favourites", abstract: "List and change the stops that the board shows.",
        discussion: """
            Changes go into favourites.toml, whose comments stay; a running board follows at once. Where boardd runs, it \
            makes the change itself, so that members of the group boardd-control need no sudo. A stop is written \
            feed:code, such as tfl:490008660N; its code alone, the number on its pole or a name do where they can mean \
            only one stop. Exit status: 0 good, 1 no such stop or line, 69, 75 or 76 could not be looked up, 77 not allowed, \
            78 faulty files.
            """,
        subcommands: [ListFavourites.self, AddFavourite.self, RemoveFavourite.self, MoveFavourite.self, SetLines.self],
        defaultSubcommand: ListFavourites.self)
}

/// `boardd favourites remove`.
struct RemoveFavourite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "remove", abstract: "Take a stop off the board.",
        discussion: "Example: boardd favourites remove tfl:490008660N")

    @Argument(help: "The stop: feed:code, its code, its label, or its name.")
    var stop: String

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        try await CommandError.exitOnFailure {
            let context = try await FavouritesContext(configuration)
            let stop = try await context.favourite(stop)
            let left = try await context.context.remove(stop).count
            try context.tell(
                "\(await context.named(stop)) is no favourite any more; \(Daemon.count(left, "favourite")) left")
        }
    }
}

/// `boardd favourites move`.
struct MoveFavourite: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "move", abstract: "Put a favourite in another place.",
        discussion: "Example, to see it first: boardd favourites move tfl:490008660N 1")

    @Argument(help: "The stop: feed:code, its code, its label, or its name.")
    var stop: String

    @Argument(help: "Its new place in the list, from 1; one past the end is the last.")
    var position: Int

    @OptionGroup var configuration: ConfigurationOption

    func validate() throws {
        guard position >= 1 else { throw ValidationError("Places are counted from 1.") }
    }

    func run() async throws {
        try await CommandError.exitOnFailure {
            let context = try await FavouritesContext(configuration)
            let stop = try await context.favourite(stop)
            let entries = try await context.context.move(stop, to: position)
            try context.tell(await context.status(stop, in: entries))
        }
    }
}

/// `boardd favourites lines`.
struct SetLines: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lines", abstract: "Choose which lines of a favourite the overview shows.",
        discussion: """
            Example: boardd favourites lines tfl:490008660N 73,390
            The stop's own page always shows all. "all" chooses every line again.
            """)

    @Argument(help: "The stop: feed:code, its code, its label, or its name.")
    var stop: String

    @Argument(
        help: ArgumentHelp("The lines of interest, such as 73,390; or all.", valueName: "lines"),
        transform: LineChoice.init)
    var lines: LineChoice

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        try await CommandError.exitOnFailure {
            let context = try await FavouritesContext(configuration)
            let stop = try await context.favourite(stop)
            let entries = try await context.context.setLines(lines.names, of: stop)
            let shown =
                lines.names.isEmpty
                ? "all lines" : "line\(lines.names.count == 1 ? "" : "s") \(lines.names.joined(separator: ", "))"
            try context.tell("\(await context.status(stop, in: entries)), with \(shown)")
        }
    }
}
