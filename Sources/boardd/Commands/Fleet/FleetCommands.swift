import ArgumentParser
import BoardControl
import BoardCore
import BoardIO
import BoardService
import BoardStore

/// `boardd fleet …`: several boards on a broker.
struct FleetCommands: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "fleet", abstract: "List the boards of the fleet, and what they share.",
        discussion: """
            [fleet] in boardd.toml names the broker; docs/fleet.md has the set-up. Exit status: 0 good, 1 no such board, \
            69 no board runs, or no connection. Example: boardd fleet
            """,
        subcommands: [ListFleet.self, ForgetBoard.self, JoinList.self], defaultSubcommand: ListFleet.self)
}

struct ListFleet: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "list",
        abstract: "Print the boards, and which of them received the departures of each stop.",
        discussion:
            "With the age of each response, the shared list of favourites, and what to change. Example: boardd fleet --json"
    )

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        let report = try await ConfigurationOption.runningBoard().fleet()
        try StandardOutput.write(json ? PrettyJSON.text(report) : report.text)
    }
}

struct ForgetBoard: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "forget", abstract: "Remove what the broker and Home Assistant store about a board.",
        discussion:
            "For a board that no longer exists; one that is online sends everything again. Example: boardd fleet forget attic"
    )

    @Argument(help: "The name of the board, as boardd fleet prints it.")
    var name: String

    func run() async throws {
        guard let board = FleetName(name) else {
            throw ServiceError(.notFound, "\"\(name)\" is not the name of a board: boardd fleet lists them")
        }
        try await ConfigurationOption.runningBoard().forgetBoard(board)
        try StandardOutput.write("\(board) removed\n")
    }
}

struct JoinList: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "join", abstract: "Share the favourites of this board with the other boards of a list.",
        discussion: """
            Needed once, where this board and the list have different favourites; otherwise the board joins by itself. Without \
            --favourites it asks whose favourites to keep. Example: boardd fleet join home --favourites both
            """)

    @Argument(help: "The list, as in [fleet] of boardd.toml.")
    var list: String

    @Option(
        help: ArgumentHelp("Whose favourites remain: board, list or both.", valueName: "whose"),
        completion: .list(FleetJoin.allCases.map(\.rawValue)),
        transform: FleetJoin.reading("a choice"))
    var favourites: FleetJoin?

    func run() async throws {
        let report = try await ConfigurationOption.runningBoard().fleet()
        guard let shared = report.list, shared.name.description == list else {
            throw ServiceError(
                .notFound,
                report.list.map { "this board shares the list \($0.name), not \(list): change list in [fleet]" }
                    ?? "this board shares no list: set list in [fleet] of boardd.toml")
        }
        guard !shared.isJoined else {
            return try StandardOutput.write("this board shares the list \(list) already\n")
        }
        let choice = if let favourites { favourites } else { try await choose(shared) }
        let joined = try await ConfigurationOption.runningBoard().joinList(choice)
        try StandardOutput.write("joined \(list): \(joined.list?.favourites ?? 0) favourites\n")
    }

    /// Asks whose favourites to keep.
    private func choose(_ list: FleetReport.List) async throws -> FleetJoin {
        StandardError.write(
            """
            The list \(list.name) has \(Daemon.count(list.favourites, "favourite")). Which remain, on all its boards?
              board  those of this board
              list   those of the list
              both   those of the list, then those of this board that it lacks

            """)
        guard let line = try? await TerminalLine.read("board, list or both: "),
            let choice = FleetJoin(rawValue: line.lowercased())
        else {
            throw ServiceError(.malformed, "nothing was changed: enter board, list or both, or use --favourites")
        }
        return choice
    }
}

extension FleetReport {
    /// The output of `boardd fleet`.
    var text: String {
        let head = "\(board) at \(broker): \(isConnected ? "connected" : "not connected")"
        let faults = [error, list?.fault].compactMap(\.self) + self.faults
        var boards = TextTable()
        for board in self.boards {
            boards.add(
                board.name.description, board.isOnline ? "online" : "offline",
                board.isHub ? "hub" : "patience \(board.patience)", board.version)
        }
        var responses = TextTable()
        for response in self.responses {
            let lines = response.lines.isEmpty ? "" : " " + response.lines.joined(separator: ",")
            responses.add(
                response.stop.description + lines, response.by.map { "by \($0)" } ?? "no response yet",
                response.ageSeconds.map { "\(Int($0)) s ago" } ?? "", response.error ?? "")
        }
        let list = self.list.map { list in
            let end = list.isJoined ? "" : ", not shared by this board"
            return "list \(list.name): \(Daemon.count(list.favourites, "favourite"))\(end)"
        }
        return [[head], faults.map { "! \($0)" }, boards.lines, responses.lines, list.map { [$0] } ?? []].page
    }
}
