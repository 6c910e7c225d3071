internal import ArgumentParser
internal import BoardCore
internal import BoardFeeds
internal import BoardFleet
internal import BoardIO
internal import BoardService
internal import BoardStore

/// `boardd check`: reports every fault of every file with its position.
struct CheckCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "check",
        abstract: "Read every configuration file and report every fault with its line.",
        discussion: "Exit status: 0 valid, 1 faults, 2 not checked.")

    static let faulty: Int32 = 1
    static let inconclusive: Int32 = 2

    @OptionGroup var configuration: ConfigurationOption

    @Flag(
        help: "Also query each feed (stops, lines, keys, addresses, time zones), and the broker of the fleet.")
    var online = false

    func run() async throws {
        let status = try await check(on: MachineZone.current) { line throws(OutputFailure) in
            try StandardOutput.write(line + "\n")
        }
        if status != 0 { throw ExitCode(status) }
    }

    /// Checks everything, reports each result as a line, and returns the exit status.
    ///
    /// - Parameter zone: the zone of this machine.
    func check<Failure: Error>(
        on zone: Zone, _ report: (String) throws(Failure) -> Void
    ) async throws(Failure) -> Int32 {
        let loaded: Configuration
        do throws(ConfigurationFaults) {
            loaded = try await load()
        } catch {
            try report(error.description)
            return error.isIncomplete ? Self.inconclusive : Self.faulty
        }
        for remark in loaded.warnings { StandardError.write("remark: \(remark)\n") }
        try report("Configuration valid: \(Self.summary(of: loaded)).")
        if loaded.entries.isEmpty { try report(Diagnosis.noFavourites) }
        if loaded.display.driver == .none { try report("display: \(Diagnosis.noDisplay)") }
        return online ? try await checkOnline(loaded, on: zone, report) : 0
    }

    /// Reads every file, and looks the stops up in the local stop directory.
    private func load() async throws(ConfigurationFaults) -> Configuration {
        let option = configuration
        let directory = StopDirectory.installed
        let outcome = try? await DedicatedThread.run("check") {
            Result { () throws(ConfigurationFaults) in try option.load { directory.missingReason(of: $0) } }
        }
        // Without a thread, only the files.
        guard let outcome else { return try option.load() }
        return try outcome.get()
    }

    private static func summary(of configuration: Configuration) -> String {
        "\(Daemon.count(configuration.favourites.count, "favourite")), "
            + "\(Daemon.count(configuration.buttons.count, "button")), "
            + "display \(configuration.display.driver.rawValue) \(configuration.display.panel.size)"
    }

    /// Checks the sources of every feed, then every favourite in turn, and last each key that only trip details use. Reports a
    /// line for each.
    private func checkOnline<Failure: Error>(
        _ configuration: Configuration, on zone: Zone, _ report: (String) throws(Failure) -> Void
    ) async throws(Failure) -> Int32 {
        let feeds: [FeedName: any DepartureFeed]
        do {
            let factory = try FeedFactory(source: .live(record: nil), clock: SystemClock())
            feeds = try factory.feeds(configuration)
        } catch {
            try report("\(error)")
            return Self.inconclusive
        }
        var outcomes: Set<FavouriteCheck.Outcome> = []
        var zones: [Zone] = []
        for (name, feed) in feeds.sorted(by: { $0.key.description < $1.key.description }) {
            for source in await feed.sources() {
                let result = FavouriteCheck.check(at: source, of: name)
                try report(result.text)
                outcomes.insert(result.outcome)
            }
        }
        var stops: [FeedName: [StopID]] = [:]
        for favourite in configuration.favourites {
            // The files name only declared feeds, and each of those was made.
            guard let feed = feeds[favourite.stop.feed] else { continue }
            let result = await FavouriteCheck.check(
                at: favourite, of: self.configuration.source.favouritesPath, in: feed)
            try report(result.text)
            outcomes.insert(result.outcome)
            zones += [result.zone].compactMap(\.self)
            if result.outcome != .fault { stops[favourite.stop.feed, default: []].append(favourite.stop) }
        }
        for (name, stops) in stops.sorted(by: { $0.key.description < $1.key.description }) {
            guard let feed = feeds[name], let key = feed.detailsKeyName else { continue }
            let result = await FavouriteCheck.check(at: key, from: stops, in: feed)
            try report(result.text)
            outcomes.insert(result.outcome)
        }
        if let check = BrokerCheck(configuration.fleet, hostName: MachineAddress.name, clock: SystemClock()) {
            for finding in await check.run() {
                try report(finding.text.asPrintedLine)
                outcomes.insert(finding.outcome == .good ? .good : finding.outcome == .fault ? .fault : .unknown)
            }
        }
        if let remark = zone.remark(about: zones, at: SystemClock().reading().wall) {
            try report("time zone: \(remark)")
        }
        return outcomes.contains(.fault) ? Self.faulty : outcomes.contains(.unknown) ? Self.inconclusive : 0
    }
}
