internal import ArgumentParser
internal import BoardCore
internal import BoardFeeds
internal import BoardService
internal import BoardStore
internal import Synchronization

/// `boardd departures STOP`: prints the departures of a stop; no hardware.
struct DeparturesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "departures", abstract: "Print the departures of a stop.")

    @Argument(help: "The stop, written feed:code, such as tfl:490008660N.")
    var stop: String

    @Option(
        help: ArgumentHelp("The order: time, line or destination.", valueName: "order"),
        completion: .list(BoardCore.SortOrder.allCases.map(\.rawValue)),
        transform: { text in
            guard let order = SortOrder(rawValue: text) else {
                throw ValidationError("\"\(text)\" is not an order; write time, line or destination.")
            }
            return order
        })
    var sort = SortOrder.time

    @Flag(help: "Print JSON.")
    var json = false

    @Option(
        help: ArgumentHelp("Use this recording instead of a request.", valueName: "directory"), completion: .directory)
    var replay: String?

    @OptionGroup var configuration: ConfigurationOption

    func run() async throws {
        let loaded: Configuration
        do {
            loaded = try configuration.load()
        } catch {
            StandardError.write(error.description + "\n")
            throw ExitCode(ExitStatus.configuration)
        }
        guard let id = StopID(stop) else {
            StandardError.write("\"\(stop)\" is not a stop; write feed:code, such as tfl:490008660N\n")
            throw ExitCode(ExitStatus.usage)
        }
        let clock: any MachineClock = replay == nil ? SystemClock() : ReplayClock()
        let feeds: [FeedName: any DepartureFeed]
        let dates = Mutex<[DateSample]>([])
        do {
            let source = replay.map { FeedFactory.Source.replay($0) } ?? .live(record: nil)
            let factory = try FeedFactory(
                source: source, clock: clock, dates: { sample in dates.withLock { $0.append(sample) } })
            feeds = try factory.feeds(
                loaded.feeds, stops: [id], favourites: loaded.favourites.map(\.stop))
        } catch {
            StandardError.write("\(error)\n")
            throw ExitCode(error is FeedSettingFailure ? ExitStatus.configuration : ExitStatus.noInput)
        }
        guard let feed = feeds[id.feed] else {
            let unknown = ServiceError.unknownFeed(id.feed, known: feeds.keys.map(\.description).sorted())
            StandardError.write(unknown.message + "\n")
            throw ExitCode(ExitStatus.usage)
        }
        let show = { (response: FeedResponse) in
            let listing = DepartureListing(
                response: response, sort: sort, feed: feed.profile, clock: clock, zone: MachineZone.current,
                dates: dates.withLock { $0 })
            try StandardOutput.write(json ? listing.json : listing.table)
        }
        let response: FeedResponse
        do throws(FeedFailure) {
            // All departures, of a stop that is found as the board finds it.
            let favourite = loaded.favourites.first { $0.stop == id }
            response = try await feed.departures(
                FeedRequest(stop: id, name: favourite?.name, location: favourite?.location))
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
}
