internal import ArgumentParser

/// `boardd stops …`: queries of the stop directory.
struct StopsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stops", abstract: "Find a stop by name, by place or along a line.",
        discussion: """
            The stops come from the operators' lists, which the daemon downloads once a week to /var/lib/boardd. Only `line`, \
            `map --line`, `update` and searches of operators without a list send requests. A ★ marks favourites. Exit status: 0 found, \
            1 not found, 69 no usable list, 75 no response, 76 unreadable response, 77 not allowed, 78 faulty files. Example: boardd stops search oxford street n
            """,
        subcommands: [
            StopsSearchCommand.self, StopsNearCommand.self, StopsLinesCommand.self, StopsLineCommand.self,
            StopsShowCommand.self, StopsMapCommand.self, StopsUpdateCommand.self,
        ])
}
