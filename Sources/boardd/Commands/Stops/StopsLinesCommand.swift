internal import ArgumentParser
internal import BoardCore
internal import BoardService
internal import BoardStore

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
        try await CommandError.exitOnFailure {
            let service = try await configuration.localService()
            let name = feed.map { FeedName($0) }
            if let name { try service.checkList(of: name) }
            let result = try await service.directory.read { (directory) throws(DirectoryFailure) in
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
