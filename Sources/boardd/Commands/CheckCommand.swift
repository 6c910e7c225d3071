internal import ArgumentParser
internal import BoardCore
internal import BoardFeeds
internal import BoardStore
internal import BoardThreads

/// `boardd check`: every fault of every file, each with its place.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Read every configuration file and report every fault with its line.",
        discussion: "Exit status: 0 good, 1 faults, 2 could not look.")

    private static let faulty: Int32 = 1
    private static let inconclusive: Int32 = 2

    @OptionGroup var configuration: ConfigurationOption

    @Flag(
        help: "Also ask each feed whether the stops and lines exist and its keys are taken, and each city's addresses.")
    var online = false

    func run() async throws {
        let status = try await check { line throws(OutputFailure) in try StandardOutput.write(line + "\n") }
        if status != 0 { throw ExitCode(status) }
    }

    /// Looks, says what it finds line by line, and gives the exit status.
    func check<Failure: Error>(_ say: (String) throws(Failure) -> Void) async throws(Failure) -> Int32 {
        let loaded: Configuration
        do throws(ConfigurationFaults) {
            loaded = try await load()
        } catch {
            try say(error.description)
            return error.isIncomplete ? Self.inconclusive : Self.faulty
        }
        for remark in loaded.warnings { StandardError.write("remark: \(remark)\n") }
        try say("The configuration is good: \(Self.summary(of: loaded)).")
        return online ? try await checkOnline(loaded, say) : 0
    }

    /// Reads every file, and looks the stops up in the directory of this machine.
    private func load() async throws(ConfigurationFaults) -> Configuration {
        let option = configuration
        let known = StopListCheck(in: StopDirectory(folder: Folders(environment: Environment.current).state))
        let looked = try? await DedicatedThread.run("check") {
            Result { () throws(ConfigurationFaults) in try option.load { known.missingStopReason(about: $0) } }
        }
        // Where there is no thread to be had, the files alone.
        guard let looked else { return try option.load() }
        return try looked.get()
    }

    private static func summary(of configuration: Configuration) -> String {
        let stops = configuration.favourites.count
        let buttons = configuration.buttons.count
        return "\(stops) favourite\(stops == 1 ? "" : "s"), \(buttons) button\(buttons == 1 ? "" : "s"), "
            + "display \(configuration.display.driver.rawValue) \(configuration.display.panel.size)"
    }

    /// Asks once for what every feed works from, then about every favourite, one after the other, and says a line of each;
    /// then one of each key that is for calling points alone.
    private func checkOnline<Failure: Error>(
        _ configuration: Configuration, _ say: (String) throws(Failure) -> Void
    ) async throws(Failure) -> Int32 {
        let feeds: [FeedName: any DepartureFeed]
        do {
            let assembly = try FeedFactory(source: .live(record: nil), clock: SystemClock())
            let stops = configuration.favourites.map(\.stop)
            feeds = try assembly.feeds(configuration.feeds, asking: stops, favourites: stops)
        } catch {
            try say("\(error)")
            return Self.inconclusive
        }
        var outcomes: Set<FavouriteCheck.Outcome> = []
        for (name, feed) in feeds.sorted(by: { $0.key.description < $1.key.description }) {
            for source in await feed.sources() {
                let look = FavouriteCheck.check(at: source, of: name)
                try say(look.text)
                outcomes.insert(look.outcome)
            }
        }
        var stops: [FeedName: [StopID]] = [:]
        for favourite in configuration.favourites {
            // The files name declared feeds alone, and each of those was made.
            guard let feed = feeds[favourite.stop.feed] else { continue }
            let look = await FavouriteCheck.check(at: favourite, of: favouritesFile, in: feed)
            try say(look.text)
            outcomes.insert(look.outcome)
            if look.outcome != .fault { stops[favourite.stop.feed, default: []].append(favourite.stop) }
        }
        for (name, stops) in stops.sorted(by: { $0.key.description < $1.key.description }) {
            guard let feed = feeds[name], let key = feed.detailsKeyName else { continue }
            let look = await DetailsKeyCheck.check(at: key, from: stops, in: feed)
            try say(look.text)
            outcomes.insert(look.outcome)
        }
        return outcomes.contains(.fault) ? Self.faulty : outcomes.contains(.unknown) ? Self.inconclusive : 0
    }

    /// The file that names the favourites.
    private var favouritesFile: String {
        switch configuration.source {
        case .directory(let path): path + "/favourites.toml"
        case .file(let path):
            String(path[..<(path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex)])
                + "favourites.toml"
        }
    }
}
