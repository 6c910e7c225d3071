import ArgumentParser
import BoardCore
import BoardIO
import BoardService
import BoardStore

/// `boardd stops line FEED:LINE`: the route of a line.
struct StopsLineCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "line", abstract: "Show a line's stops in sequence, in both directions.",
        discussion: """
            The request goes to the operator, through the running board (which has the key) or directly. Each branch is a \
            list of its own; ▶ marks the stop of --stop, ★ favourites. \
            Examples: boardd stops line tfl:73 --stop 490008660N · boardd stops line northern
            """)

    @Argument(help: ArgumentHelp("The line, such as tfl:73, or a number or name that one feed has.", valueName: "line"))
    var line: String

    @Option(help: ArgumentHelp("Mark this stop: its code, the number on its pole, or its name.", valueName: "stop"))
    var stop: String?

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        let (feed, name) = try await configuration.line(line)
        let route = try await configuration.withOperator { (board) throws(ServiceError) in
            try await board.route(of: name, feed: feed)
        }
        var marked: Set<String> = []
        if let stop {
            let matcher = RouteStopMatcher(route: route, directory: .installed)
            marked = try await DedicatedThread.attempt { try matcher.find(stop) }
        }
        try StandardOutput.write(json ? PrettyJSON.text(route) : RouteListing(route: route, marked: marked).text)
    }
}

extension ConfigurationOption {
    /// The line that a user wrote.
    ///
    /// - Parameter text: `feed:line`, or a number or name that the lines of one feed have.
    func line(_ text: String) async throws(ServiceError) -> (feed: FeedName, line: String) {
        let resolver = try await localService().resolver()
        return try await DedicatedThread.attempt { try resolver.line(text) }
    }
}

/// `boardd stops lines [FEED]`: the lines of the feeds.
struct StopsLinesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lines", abstract: "List the lines, numbers in numeric order.",
        discussion: "Example: boardd stops lines tfl --json")

    @Argument(help: ArgumentHelp("The feed, such as tfl; all by default.", valueName: "feed"), completion: .feeds)
    var feed: String?

    @Flag(help: "Print JSON.")
    var json = false

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        let service = try await configuration.localService()
        let name = feed.map { FeedName($0) }
        if let name { try service.checkList(of: name) }
        let result = try await service.directory.read { directory in
            try directory.lines(of: name)
        }
        for failure in result.failures { StandardError.remark("\(failure)") }
        try StandardOutput.write(
            json ? PrettyJSON.text(result.found.map { LineEntry($0.line, of: $0.feed) }) : table(result.found))
    }

    private func table(_ lines: [DirectoryLine]) -> String {
        var table = TextTable()
        let counts = lines.map { "\($0.stops)" }
        let width = counts.map(\.count).max() ?? 0
        for (line, count) in zip(lines, counts) {
            table.add(
                line.line.line.name, line.line.mode ?? "",
                String(repeating: " ", count: width - count.count) + count + (line.stops == 1 ? " stop" : " stops"),
                "\(line.feed):\(line.line.line.id)")
        }
        return table.text
    }
}

/// The route of a line as text: each direction with its branches, from fork to fork, the stops in sequence.
struct RouteListing {
    /// Longer names are cut.
    private static let maximumNameLength = 40
    /// The number of ends in a heading.
    private static let maximumEnds = 3

    let route: RouteEntry
    /// The stops of `--stop`.
    var marked: Set<String> = []

    /// The lines, each terminated.
    var text: String {
        let heading = ["Line \(route.name)", route.mode, route.line].compactMap { $0 }.joined(separator: "  ")
        return ([[heading]] + route.directions.map(lines(of:))).page
    }

    private func lines(of direction: RouteEntry.Direction) -> [String] {
        let branches = direction.branches
        // A branch of one stop is where other branches meet.
        let listed = branches.indices.filter { index in
            let stops = branches[index].stops
            return stops.count > 1
                || stops.count == 1
                    && !branches.indices.contains { other in
                        let isLonger = branches[other].stops.count > 1 || other < index
                        return other != index && isLonger && branches[other].stops.contains(stops[0])
                    }
        }
        let width = branches.flatMap(\.stops).map { Self.name($0).count }.max() ?? 0
        var lines = [heading(of: direction)]
        for index in listed {
            let stops = branches[index].stops
            let isDivided = listed.count > 1
            if isDivided { lines.append("    \(Self.name(stops[0])) → \(Self.name(stops[stops.count - 1]))") }
            lines += stops.map { line(of: $0, width, indented: isDivided ? "  " : "") }
        }
        return lines
    }

    private func line(of call: RouteEntry.Call, _ width: Int, indented indent: String) -> String {
        let name = Self.name(call)
        return (marked.contains(call.stop) ? "▶ " : "  ") + (call.isFavourite ? "★ " : "  ") + indent + name
            + String(repeating: " ", count: width - name.count) + "  " + call.stop
    }

    private func heading(of direction: RouteEntry.Direction) -> String {
        let branches = direction.branches
        let following = Set(branches.flatMap(\.next))
        let from = branches.indices.filter { !following.contains($0) }.compactMap { branches[$0].stops.first?.name }
        let to = branches.filter { !$0.next.contains(where: branches.indices.contains) }.compactMap(\.stops.last?.name)
        let way = [Self.list(from), Self.list(to)].filter { !$0.isEmpty }.joined(separator: " → ")
        return [direction.name, way].filter { !$0.isEmpty }.joined(separator: ": ")
    }

    private static func list(_ names: [String]) -> String {
        var seen: Set<String> = []
        let different = names.filter { seen.insert($0).inserted }
        let rest = different.count - maximumEnds
        return different.prefix(maximumEnds).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    private static func name(_ call: RouteEntry.Call) -> String {
        let name = (call.letter.map { "\(call.name) (\($0))" } ?? call.name).asPrintedLine
        return name.count <= maximumNameLength ? name : name.prefix(maximumNameLength - 1) + "…"
    }
}
