internal import ArgumentParser
internal import BoardControl
internal import BoardCore
internal import BoardFeeds
internal import BoardStore

/// `boardd stops lines [FEED]`: the lines of the feeds.
struct StopsLinesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "lines", abstract: "List the lines, numbers in numeric order.",
        discussion: "Example: boardd stops lines tfl --json")

    @Argument(help: ArgumentHelp("The feed, such as tfl; all by default.", valueName: "feed"))
    var feed: String?

    @Flag(help: "Print JSON.")
    var json = false

    func validate() throws {
        let known = FeedRegistry.declarations
        guard let name = feed.map({ FeedName($0) }) else { return }
        if let reason = FeedFactory.missingListReason(aboutListOf: name) { throw ValidationError(reason + ".") }
        guard known[name] == nil else { return }
        throw ValidationError("There is no feed \"\(name)\"; known feeds: \(known.names.joined(separator: ", ")).")
    }

    func run() async throws {
        let context = StopsContext()
        let name = feed.map { FeedName($0) }
        let result = try await context.read { (directory) throws(DirectoryFailure) in try directory.lines(of: name) }
        StopsContext.remark(result.failures)
        guard !json else {
            return try StandardOutput.write(PrettyJSON.text(result.found.map { LineEntry($0.line, of: $0.feed) }))
        }
        var table = TextTable()
        let counts = result.found.map { "\($0.stops)" }
        let width = counts.map(\.count).max() ?? 0
        for (line, count) in zip(result.found, counts) {
            table.add(
                line.line.line.name, line.line.mode ?? "",
                String(repeating: " ", count: width - count.count) + count + (line.stops == 1 ? " stop" : " stops"),
                "\(line.feed):\(line.line.line.id)")
        }
        try StandardOutput.write(table.text)
    }
}
