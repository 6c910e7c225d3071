import ArgumentParser
import BoardControl
import BoardCore
import BoardFeeds
import BoardIO
import BoardService
import BoardStore
import Synchronization

/// `boardd departures STOP`: prints the departures of a stop, without hardware.
struct DeparturesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "departures", abstract: "Print the departures of a stop.",
        discussion: """
            Sends a request to the operator; with --running it prints what the running board holds for one of its stops, without \
            a request. --json has the format of GET /v1/stops/{stop}/departures (docs/control/openapi.json). \
            Examples: boardd departures tfl:490008660N · boardd departures "Oxford Street N" --json · \
            boardd departures Home --running
            """)

    @Argument(
        help: "The stop: feed:code, its code, the number on its pole, its name, or a favourite's label or number.",
        completion: .favourites)
    var stop: String

    @Option(
        help: ArgumentHelp("The order: time, line or destination.", valueName: "order"),
        completion: .list(BoardCore.SortOrder.allCases.map(\.rawValue)),
        transform: SortOrder.reading("an order"))
    var sort = SortOrder.time

    @Flag(help: "Print JSON.")
    var json = false

    @Flag(help: "Print what the running board holds, without a request to the operator.")
    var running = false

    @Option(
        help: ArgumentHelp("Use this recording instead of a request.", valueName: "directory"), completion: .directory)
    var replay: String?

    @OptionGroup var operators: OperatorsOption

    @OptionGroup var configuration: ConfigurationOption

    func validate() throws {
        if running, replay != nil { throw ValidationError("--running and --replay exclude each other.") }
    }

    func run() async throws {
        let loaded = try configuration.loadOrExit()
        let stop = try await operators.stop(stop, of: try await configuration.localService())
        let dates = Mutex<[DateSample]>([])
        let clock: any MachineClock = replay == nil ? SystemClock() : ReplayClock()
        let feed = try feed(of: stop, loaded, clock) { sample in dates.withLock { $0.append(sample) } }
        if running {
            try await printHeld(stop, feed.profile)
        } else {
            // All departures; the stop is found as the board finds it.
            let favourite = loaded.favourites.first { $0.stop == stop } ?? Favourite(stop: stop)
            let request = FeedRequest(stop: stop, name: favourite.name, location: favourite.location)
            let known = try await DedicatedThread.attempt {
                FavouriteResolution([.stop(favourite)], in: .installed).known
            }
            try await printReported(request, feed) { response in
                DepartureListing(
                    response: response, sort: sort, feed: feed.profile, clock: clock, zone: MachineZone.current,
                    dates: dates.withLock { $0 }, known: known)
            }
        }
    }

    /// The feed of a stop, live or recorded.
    private func feed(
        of stop: StopID, _ loaded: Configuration, _ clock: any MachineClock,
        dates: @escaping @Sendable (DateSample) -> Void
    ) throws -> any DepartureFeed {
        let feeds: [FeedName: any DepartureFeed]
        do {
            let source = replay.map { FeedFactory.Source.replay($0) } ?? .live(record: nil)
            let factory = try FeedFactory(source: source, clock: clock, dates: dates)
            feeds = try factory.feeds(loaded, stops: [stop])
        } catch {
            StandardError.write("\(error)\n")
            throw ExitCode(error is FeedSettingError ? ExitStatus.configuration : ExitStatus.noInput)
        }
        guard let feed = feeds[stop.feed] else {
            throw ServiceError.unknownFeed(stop.feed, known: loaded.feedNames(of: FeedRegistry.declarations))
        }
        return feed
    }

    private func printReported(
        _ request: FeedRequest, _ feed: any DepartureFeed, _ listing: (FeedResponse) -> DepartureListing
    ) async throws {
        func show(_ response: FeedResponse) throws {
            let listing = listing(response)
            try StandardOutput.write(json ? listing.json : listing.table)
        }
        let response: FeedResponse
        do throws(FeedError) {
            response = try await feed.departures(request)
        } catch {
            if let cached = error.cached, !cached.departures.isEmpty {
                try show(FeedResponse(stop: cached.stop, departures: cached.departures))
            }
            StandardError.write(error.detail.asPrintedLine + "\n")
            throw ExitCode(ExitStatus.status(of: error.kind))
        }
        try show(response)
        // Partial data is reported, too.
        if let partialFailure = response.partialFailure {
            StandardError.write(partialFailure.detail.asPrintedLine + "\n")
        }
    }

    /// Prints what the running board holds, and what it lacks.
    private func printHeld(_ stop: StopID, _ feed: FeedProfile) async throws {
        let held = try await ConfigurationOption.runningBoard().departures(of: stop, sorted: sort)
        let error = held.lastError ?? held.partialFailure
        if json {
            try StandardOutput.write(PrettyJSON.text(held))
        } else if held.lastResponseAt != nil {
            let listing = DepartureListing(
                response: held.response, sort: sort, feed: feed, clock: StoppedClock(held.time),
                zone: MachineZone.current)
            try StandardOutput.write(listing.table)
        } else if error == nil {
            throw ServiceError(.unavailable, "the board has no response for \(stop) yet: try again")
        }
        if let error { StandardError.write(error.detail.asPrintedLine + "\n") }
    }
}
