internal import ArgumentParser
internal import BoardCore
internal import BoardFeeds
internal import BoardStore

/// `boardd check`: every fault of every file, each with its place.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Read every configuration file and report every fault with its line.",
        discussion: "Exit status: 0 good, 1 faults, 2 could not look.")

    @OptionGroup var configuration: ConfigurationOption

    @Flag(help: "Also ask each feed whether the stops and lines exist.")
    var online = false

    func run() async throws {
        let loaded: Configuration
        do {
            loaded = try configuration.load()
        } catch {
            StandardOutput.write(error.description + "\n")
            throw error.isIncomplete ? ExitCode(2) : ExitCode(1)
        }
        for remark in loaded.remarks { StandardError.write("remark: \(remark)\n") }
        StandardOutput.write("The configuration is good: \(Self.summary(of: loaded)).\n")
        if online { try await look(loaded) }
    }

    private static func summary(of configuration: Configuration) -> String {
        Daemon.count(configuration.favourites.count, "favourite")
            + ", \(Daemon.count(configuration.buttons.count, "button")), "
            + "display \(configuration.display.driver.rawValue) \(configuration.display.panel.size)"
    }

    /// Asks about every favourite once.
    private func look(_ configuration: Configuration) async throws {
        let feeds: [FeedName: any DepartureFeed]
        do {
            feeds = try FeedAssembly(source: .live(record: nil), clock: SystemClock()).feeds(configuration.feeds)
        } catch {
            StandardOutput.write("\(error)\n")
            throw ExitCode(1)
        }
        var isFaulty = false
        var isBlind = false
        for favourite in configuration.favourites {
            guard let feed = feeds[favourite.stop.feed] else { continue }
            do throws(FeedFailure) {
                let answer = try await feed.departures(FeedQuestion(stop: favourite.stop))
                StandardOutput.write("\(favourite.stop): good\(Self.unseen(favourite, in: answer))\n")
            } catch {
                switch error.kind {
                case .unknownStop, .keyRefused, .keyMissing: isFaulty = true
                default: isBlind = true
                }
                StandardOutput.write("\(favourite.stop): \(error.detail)\n")
            }
        }
        if isFaulty { throw ExitCode(1) }
        if isBlind { throw ExitCode(2) }
    }

    /// The lines of interest that an answer does not have. That proves no mistake: a night bus is not predicted by day.
    private static func unseen(_ favourite: Favourite, in answer: FeedAnswer) -> String {
        let lines = favourite.lines.filter { name in !answer.departures.contains { $0.line.isCalled(name) } }
        return lines.isEmpty ? "" : "; nothing is predicted now of \(lines.joined(separator: ", "))"
    }
}
