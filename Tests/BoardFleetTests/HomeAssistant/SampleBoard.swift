import BoardCore
import BoardService
import BoardStore
import Testing

@testable import BoardFleet

/// A board with two favourites at 2026-11-26T17:04:00Z, and what it announces and publishes.
struct SampleBoard {
    static let now = Timestamp(seconds: 1_795_712_640)
    private static let instant = Instant(microseconds: 1_000_000_000)

    /// Its code has all that ends a text in a template.
    static let oxford = StopID(feed: FeedName("tfl"), code: "490'008}} N")
    static let reading = StopID(feed: FeedName("rail"), code: "RDG")

    var favourites = [
        Favourite(stop: oxford, label: "Oxford St", lines: ["73", "390"]),
        Favourite(stop: reading, label: "Reading", walk: .seconds(420)),
    ]
    var light = LightMode.auto
    var faults = BoardFaults()
    var isRotating = false
    var status = StopReport.Status.live
    var lastError: StopReport.Failure?
    /// Minutes from ``now`` to the bus of line 73.
    var minutes = 4
    var moment = now

    var pages: [PageReport] {
        [PageReport(id: PageReport.overview, title: "All stops", screens: 1)]
            + favourites.map {
                PageReport(id: $0.stop.description, title: $0.label ?? $0.stop.description, screens: 1)
            } + [PageReport(id: PageReport.address, title: "Address in the network", screens: 1)]
    }

    var live: LiveState {
        get throws {
            LiveState(
                name: "boardpi", version: "1.2.3", time: moment, timeSource: .kernel,
                utcOffsetSeconds: 3_600,
                display: DisplayPicture(
                    rows: [], lit: true, dots: DisplayDots(.characters, rows: []),
                    page: .init(
                        id: favourites.first?.stop.description ?? "overview", screen: 0, screens: 1,
                        isRotating: isRotating), light: light),
                pages: pages,
                stops: try favourites.map { try departures(of: $0) }, favourites: [], faults: faults)
        }
    }

    func message() throws -> StateMessage { StateMessage(try live, favourites: favourites) }

    func discovery(board: FleetName, buttons: Int = 2, hub: DeviceID? = DeviceID(machineID: "hub")) -> DiscoveryMessage
    {
        DiscoveryMessage(
            board: board, device: DeviceID(machineID: "0123"), version: "1.2.3", language: .english,
            favourites: favourites, pages: pages, buttons: buttons, pageURL: "http://boardpi.local", hub: hub)
    }

    /// The departures as a board of these favourites holds them.
    private func departures(of favourite: Favourite) throws -> StopReport {
        let feed = favourite.stop.feed
        let profile = FeedProfile(
            name: feed, title: feed.description, attribution: "Powered by \(feed)", suffixes: [],
            leadingColumn: feed == FeedName("rail") ? .booked : .line, interval: .seconds(30),
            quota: FeedProfile.Quota(requests: 50, per: .seconds(60)))
        var board = Board(
            Board.Setup(
                favourites: [favourite], profiles: [feed: profile], size: DisplaySize(columns: 20, rows: 4), zone: .utc),
            reading: .init(wall: Self.now, isSynchronised: true), seed: 1, at: Self.instant)
        let zone: Zone? = feed == FeedName("rail") ? .utc : nil
        let stop = Stop(id: favourite.stop, name: "A name", zone: zone)
        let all = feed == FeedName("rail") ? trains(favourite.stop) : buses(favourite.stop)
        _ = board.handle(.polled(FeedResponse(stop: stop, departures: all)), at: Self.instant)
        if status == .failing {
            for _ in 0..<3 {
                _ = board.handle(
                    .failed(favourite.stop, FeedError(.timedOut, detail: "no response in 10 s")), at: Self.instant)
            }
        }
        var report = try #require(
            board.report(on: favourite.stop, sorted: .time, at: Self.instant + (moment - Self.now)))
        report.status = status
        report.lastError = lastError
        return report
    }

    private func buses(_ stop: StopID) -> [Departure] {
        func bus(_ line: String, to destination: String, in away: Duration, age: Int) -> Departure {
            Departure(
                stop: stop, line: Line(id: line, name: line), destination: destination,
                status: .expected(Self.now + away), madeAt: Self.now - .seconds(age),
                expiresAt: Self.now + away + .seconds(30))
        }
        return [
            bus("73", to: "Victoria", in: .seconds(60 * minutes + 20), age: 40),
            bus("390", to: "Archway", in: .seconds(900), age: 200), bus("8", to: "Bow", in: .seconds(60), age: 40),
        ]
    }

    private func trains(_ stop: StopID) -> [Departure] {
        func train(_ status: Departure.Status, booked: Int, platform: String? = nil) -> Departure {
            Departure(
                stop: stop, line: Line(id: "GW", name: "GWR"), destination: "London \"Paddington\"",
                platform: platform, booked: Self.now + .seconds(60 * booked), status: status,
                madeAt: Self.now - .seconds(10), expiresAt: Self.now + .seconds(60 * booked + 300))
        }
        return [
            train(.expected(Self.now + .seconds(360)), booked: 6, platform: "9"), train(.cancelled, booked: 9),
            train(.delayed, booked: 11), train(.expected(Self.now + .seconds(840)), booked: 12, platform: "9"),
            train(.scheduled(Self.now + .seconds(1_800)), booked: 30),
        ]
    }
}
