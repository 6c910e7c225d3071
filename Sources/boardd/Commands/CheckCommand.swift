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

    static let faulty: Int32 = 1
    static let inconclusive: Int32 = 2

    @OptionGroup var configuration: ConfigurationOption

    @Flag(
        help: "Also query each feed (stops, lines, keys, addresses, time zones), and the broker of the fleet.")
    var online = false

    func run() async throws {
        let status = try await check(on: MachineZone.current) { line throws(OutputError) in
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
        do throws(ConfigurationError) {
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
    private func load() async throws(ConfigurationError) -> Configuration {
        let option = configuration
        let directory = StopDirectory.installed
        let outcome = try? await DedicatedThread.run("check") {
            Result { () throws(ConfigurationError) in try option.load { directory.missingReason(of: $0) } }
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

    /// Checks the sources of every feed, then every favourite in turn, and last each key that only trip details use.
    /// Reports a line for each.
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

/// Checks one favourite with its operator: whether the stop exists and its lines call there. Also holds the result for
/// a source that all stops of a feed need, and for a key of trip details.
struct FavouriteCheck: Hashable {
    /// The result, as `boardd check` reports it in its exit status.
    enum Outcome: Hashable {
        case good
        /// A file must be changed.
        case fault
        /// No result.
        case unknown
    }

    /// How many departures of a stop are tried for trip details, since an operator may not have the details of some.
    private static let maximumDepartures = 3

    let outcome: Outcome
    /// The printed line: where, the result, what to do.
    let text: String
    /// The zone of the favourite's stop, if the operator reports it.
    let zone: Zone?

    private init(_ outcome: Outcome, _ text: String, zone: Zone? = nil) {
        self.outcome = outcome
        self.zone = zone
        // One line per favourite, whatever an operator sent.
        self.text = text.asPrintedLine
    }

    /// Sends one request to the favourite's feed.
    ///
    /// - Parameter file: the file that names the favourite.
    static func check(at favourite: Favourite, of file: String, in feed: any DepartureFeed) async -> FavouriteCheck {
        do throws(FeedError) {
            return outcome(favourite, of: file, try await feed.check(favourite.stop), feed.profile)
        } catch {
            let title = feed.profile.title
            switch error.kind {
            case .unknownStop:
                // Without a successor, or if that cannot be requested, the unknown stop is reported.
                if let now = try? await feed.finder?.successor(of: favourite.request) {
                    return FavouriteCheck(
                        .fault,
                        "\(file): \(favourite.stop): \(title) now uses the ID \(now.id) (\(now.name)); set `id` to it")
                }
                return FavouriteCheck(.fault, "\(file): \(favourite.stop): \(title): no such stop; correct `id`")
            case .keyRejected, .keyMissing, .noZone:
                return FavouriteCheck(.fault, "\(favourite.stop): \(error.detail)")
            case .noNetwork, .certificateDate, .certificate, .timedOut, .rateLimited, .status, .unreadable, .cancelled:
                return FavouriteCheck(.unknown, "\(favourite.stop): not checked: \(error.detail)")
            }
        }
    }

    /// Converts the result of a feed's source.
    static func check(at source: SourceCheck, of feed: FeedName) -> FavouriteCheck {
        let place = "\(feed): \(source.name)"
        switch source.outcome {
        case .ok(let text): return FavouriteCheck(.good, "\(place): good" + (text.isEmpty ? "" : ", \(text)"))
        case .fault(let text): return FavouriteCheck(.fault, "\(place): \(text)")
        case .failed(let failure):
            // Most sentences contain the source's name.
            let place = failure.detail.contains(source.name) ? "\(feed)" : place
            switch failure.kind {
            // Only a person who finds the right address can fix that.
            case .keyRejected, .keyMissing, .status(404), .status(410):
                return FavouriteCheck(.fault, "\(place): \(failure.detail)")
            default: return FavouriteCheck(.unknown, "\(place): not checked: \(failure.detail)")
            }
        }
    }

    /// Checks a key that only requests for trip details use: the board sends it only after a person opens a departure.
    /// Requests details of departures from the first stops that have any.
    ///
    /// - Parameter key: the name of the key.
    static func check(at key: String, from stops: [StopID], in feed: any DepartureFeed) async -> FavouriteCheck {
        do throws(FeedError) {
            for stop in stops {
                let departures = try await feed.departures(FeedRequest(stop: stop)).departures.filter {
                    $0.status != .cancelled
                }
                for departure in departures.prefix(maximumDepartures)
                where try await feed.tripDetails(of: departure) != nil {
                    return FavouriteCheck(.good, "\(key): good")
                }
            }
        } catch {
            return switch error.kind {
            case .keyRejected, .keyMissing, .noZone: FavouriteCheck(.fault, "\(key): \(error.detail)")
            default: FavouriteCheck(.unknown, "\(key): not checked: \(error.detail)")
            }
        }
        return FavouriteCheck(
            .unknown, "\(key): not checked: no departure with calling points now; try later")
    }

    private static func outcome(
        _ favourite: Favourite, of file: String, _ check: StopCheck, _ feed: FeedProfile
    ) -> FavouriteCheck {
        let lines = check.lines ?? []
        let missing = favourite.lines.filter { text in !lines.contains { $0.isCalled(text) } }
        guard let first = missing.first else {
            let found = [check.name, check.subject == .departures ? "departures received" : nil].compactMap(\.self)
            return FavouriteCheck(
                .good, (["\(favourite.stop): good"] + found).joined(separator: ", "), zone: check.zone)
        }
        let named = missing.map { "\"\($0)\"" }.joined(separator: ", ")
        guard !lines.isEmpty else {
            return FavouriteCheck(
                .unknown, "\(favourite.stop): good, but \(feed.title) lists no lines there; \(named) not checked")
        }
        let verb = missing.count == 1 ? "line \"\(first)\" does" : "lines \(named) do"
        let calling = lines.map(\.name).joined(separator: ", ")
        return FavouriteCheck(
            .fault, "\(file): \(favourite.stop): \(verb) not call there; correct `lines`. Lines there: \(calling)")
    }
}
