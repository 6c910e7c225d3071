import ArgumentParser
import BoardCore
import BoardDisplays
import BoardFeeds
import BoardFleet
import BoardIO
import BoardService
import BoardStore

/// `boardd check`: reports every fault of every file with its position.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Read every configuration file and report every fault with its line.",
        discussion: "Exit status: 0 valid, 1 faults, 2 not checked.")

    @OptionGroup var configuration: ConfigurationOption

    @Flag(help: "Also query each feed (stops, lines, keys, addresses, time zones), and the broker of the fleet.")
    var online = false

    @Flag(help: "Print JSON.")
    var json = false

    func run() async throws {
        var facts: [Fact] = []
        let status = try await check(on: MachineZone.current) { fact throws(OutputError) in
            facts.append(fact)
            if !json { try StandardOutput.write(fact.line + "\n") }
        }
        if json { try StandardOutput.write(PrettyJSON.text(facts)) }
        if status != 0 { throw ExitCode(status) }
    }

    /// Checks everything, reports each fact at once, and returns the exit status.
    ///
    /// - Parameter zone: the zone of this machine.
    func check<Failure: Error>(on zone: Zone, _ report: (Fact) throws(Failure) -> Void) async throws(Failure) -> Int32 {
        let result = await load()
        var facts = Fact.files(result)
        for fact in facts { try report(fact) }
        let loaded: Configuration
        switch result {
        case .failure(let error): return error.isIncomplete ? 2 : 1
        case .success(let configuration): loaded = configuration
        }
        for remark in loaded.warnings { StandardError.remark("\(remark)") }
        let favourites = Fact.favourites(loaded)
        if favourites.verdict != .good { try report(favourites.asRemark) }
        if let missing = Fact.missingDisplay(loaded) { try report(missing.asRemark) }
        if loaded.display.origin == .searched,
            let bus = try? await DedicatedThread.run("scan", { DisplaySearch().scan() }),
            let found = Fact.found(loaded, on: [bus])
        {
            try report(found.asRemark)
        }
        if online {
            try await checkOnline(loaded, on: zone) { fact throws(Failure) in
                facts.append(fact)
                try report(fact)
            }
        }
        return facts.status
    }

    /// Reads every file, and looks the stops up in the local stop directory.
    private func load() async -> Result<Configuration, ConfigurationError> {
        let option = configuration
        let directory = StopDirectory.installed
        let result = try? await DedicatedThread.run("check") {
            Result { () throws(ConfigurationError) in try option.load { directory.missingReason(of: $0) } }
        }
        // Without a thread, only the files.
        return result ?? option.result
    }

    /// Checks the sources of every feed, then every favourite in turn, then each key that only trip details use, and
    /// last the broker.
    private func checkOnline<Failure: Error>(
        _ configuration: Configuration, on zone: Zone, _ report: (Fact) throws(Failure) -> Void
    ) async throws(Failure) {
        let feeds: [FeedName: any DepartureFeed]
        do {
            let factory = try FeedFactory(source: .live(record: nil), clock: SystemClock())
            feeds = try factory.feeds(configuration)
        } catch {
            return try report(.unknown("feeds", "\(error)"))
        }
        let sorted = feeds.sorted { $0.key.description < $1.key.description }
        for (name, feed) in sorted {
            for source in await feed.sources() {
                try report(.source(source, of: name, at: self.configuration.place(of: source.name, in: name)))
            }
        }
        var zones: [Zone] = []
        var stops: [FeedName: [StopID]] = [:]
        for favourite in configuration.favourites {
            // The files name only declared feeds, and each of those was made.
            guard let feed = feeds[favourite.stop.feed] else { continue }
            let place = self.configuration.place(of: favourite.stop) ?? self.configuration.source.favouritesPath
            let (fact, zone) = await Fact.stop(of: favourite, at: place, from: feed)
            try report(fact)
            zones += [zone].compactMap(\.self)
            if fact.verdict != .fault { stops[favourite.stop.feed, default: []].append(favourite.stop) }
        }
        for (name, feed) in sorted {
            guard let stops = stops[name], let key = feed.detailsKeyName else { continue }
            try report(await .detailsKey(key, from: stops, in: feed))
        }
        if let check = BrokerCheck(configuration.fleet, hostName: MachineAddress.name, clock: SystemClock()) {
            for fact in await check.run() { try report(fact) }
        }
        let agreement = Fact.zone(zone, of: zones, at: SystemClock().reading().wall)
        if let agreement, agreement.verdict != .good { try report(agreement.asRemark) }
    }
}
