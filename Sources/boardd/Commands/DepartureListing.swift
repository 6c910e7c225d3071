internal import BoardCore
internal import BoardService

/// A response as text, like the board's page on a wide and high panel, or as JSON.
struct DepartureListing {
    private static let columns = 60

    let response: FeedResponse
    let sort: BoardCore.SortOrder
    let feed: FeedProfile
    let clock: any MachineClock
    let zone: Zone
    /// The `Date` headers of the responses, for the time where the system clock is not synchronised.
    var dates: [DateSample] = []
    /// The stop in the stop directory, for a response without its name.
    var known: [StopID: Stop] = [:]

    /// The board that shows the response, and the instant at which it does.
    private var shown: (board: Board, now: Instant) {
        let now = clock.now()
        var options = BoardOptions()
        options.refreshBar = .off
        let setup = Board.Setup(
            options: options, favourites: [Favourite(stop: response.stop.id, sort: sort)], profiles: [feed.name: feed],
            size: Panel.Size(columns: Self.columns, rows: max(3, response.departures.count + 1)), zone: zone,
            directoryStops: known)
        // The attribution that a board shows first has its own line here.
        let start = now - .seconds(60)
        let reading = clock.reading()
        var board = Board(
            setup,
            reading: CorrectedClock.Reading(
                wall: reading.wall - .seconds(60), isSynchronised: reading.isSynchronised),
            seed: 0, at: start)
        for sample in dates { _ = board.handle(.date(sample), at: now) }
        _ = board.handle(.polled(response), at: now)
        return (board, now)
    }

    /// The board's page with a line per departure, then a line per alert.
    var table: String {
        let (board, now) = shown
        let lines = board.render(at: now).frame.lines.map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
        let used = lines.prefix { !$0.isEmpty }
        let moment = board.report(at: now).moment
        // The display has only a mark for alerts; here is room for their text.
        let alerts = response.alerts.filter { $0.isActive(at: moment) }.map { "! " + $0.text }
        return (used + alerts + [feed.attribution]).map(\.asPrintedLine).joined(separator: "\n") + "\n"
    }

    /// Times are in UTC (RFC 3339).
    var json: String {
        get throws(ServiceError) {
            let (board, now) = shown
            return try PrettyJSON.text(
                StopDepartures(
                    board, response.stop.id, sorted: sort, attribution: feed.attribution, badRows: response.badRows,
                    at: now))
        }
    }
}
