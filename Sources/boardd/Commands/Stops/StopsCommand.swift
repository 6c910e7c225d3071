internal import ArgumentParser

/// `boardd stops …`: the stop directory for people in a terminal and for scripts.
struct StopsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "stops", abstract: "Find a stop by name, by place or along a line.",
        discussion: """
            The stops are those of the operators' own lists, which the daemon fetches once a week into /var/lib/boardd; \
            nobody is asked but for `line` and `update`. A ★ marks favourites. Exit status: 0 found, 1 not found, 69 no \
            usable list. Example: boardd stops search oxford street n
            """,
        subcommands: [
            StopsSearchCommand.self, StopsNearCommand.self, StopsLinesCommand.self, StopsLineCommand.self,
            StopsShowCommand.self, StopsUpdateCommand.self,
        ])
}
