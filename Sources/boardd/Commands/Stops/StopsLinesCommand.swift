internal import ArgumentParser
internal import BoardCore
internal import BoardFeeds
internal import BoardService
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
        if let reason = FeedRegistry.missingListReason(of: name) { throw ValidationError(reason + ".") }
        guard known[name] == nil else { return }
        throw ValidationError(ServiceError.unknownFeed(name, known: known.names).message + ".")
    }

    func run() async throws {
        try await CommandError.exitOnFailure {
            let name = feed.map { FeedName($0) }
            let result = try await StopDirectory.installed.read { (directory) throws(DirectoryFailure) in
                try directory.lines(of: name)
            }
            for failure in result.failures { StandardError.write("remark: \(failure)".asPrintedLine + "\n") }
            try StandardOutput.write(
                json ? PrettyJSON.text(result.found.map { LineEntry($0.line, of: $0.feed) }) : table(result.found))
        }
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
