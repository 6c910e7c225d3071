import BoardCore
import BoardService

/// A response as text, in rows like the board's on a wide panel, or as JSON.
struct DepartureListing {
    /// At least: long names and facts make it wider.
    private static let columns = 60

    let response: FeedResponse
    let sort: BoardCore.SortOrder
    let feed: FeedProfile
    let clock: any MachineClock
    let zone: Zone
    /// The `Date` headers of the responses, for the time if the system clock is not synchronised.
    var dates: [DateSample] = []
    /// The stop in the stop directory, for a response without its name.
    var known: [StopID: Stop] = [:]
    /// The language of the notice.
    var language = Language.english

    /// The board that shows the response, and the instant.
    private var shown: (board: Board, now: Instant) {
        let now = clock.now()
        var options = BoardOptions()
        options.language = language
        let setup = Board.Setup(
            options: options, favourites: [Favourite(stop: response.stop.id, sort: sort)], profiles: [feed.name: feed],
            size: DisplaySize(columns: Self.columns, rows: 4), zone: zone, directoryStops: known)
        var board = Board(setup, reading: clock.reading(), seed: 0, at: now)
        for sample in dates { _ = board.handle(.date(sample), at: now) }
        _ = board.handle(.polled(response), at: now)
        return (board, now)
    }

    /// A header and a line per departure, then a line per alert.
    var table: String {
        let (board, now) = shown
        let rows = board.listing(at: now).map(\.withoutTrailingBlanks)
        let moment = board.report(at: now).moment
        // The display has only a mark for alerts; there is room for their text here.
        let alerts = response.alerts.filter { $0.isActive(at: moment) }.map { "! " + $0.text }
        let words = language.words
        let arrangements = response.departures.compactMap { departure in
            (departure.attributes?.arrangement).map {
                "! \(departure.line.name) \(departure.destination): \($0.text(in: words))"
            }
        }
        let notes = arrangements.enumerated().filter { arrangements.firstIndex(of: $1) == $0 }.map(\.element)
        return (rows + notes + alerts + [feed.attribution]).map(\.asPrintedLine).joined(separator: "\n") + "\n"
    }

    /// In the form of the API, without what only a running board has.
    var report: StopReport {
        get throws(ServiceError) {
            let (board, now) = shown
            guard var report = board.report(on: response.stop.id, sorted: sort, at: now) else {
                throw ServiceError(.notFound, "\(response.stop.id) is not on the board")
            }
            report.badRows = response.badRows
            report.nextPollAt = nil
            report.intervalSeconds = nil
            for index in report.departures.indices { report.departures[index].isShown = nil }
            return report
        }
    }

    /// Times are in UTC (RFC 3339).
    var json: String {
        get throws(ServiceError) { try PrettyJSON.text(try report) }
    }
}

extension StopReport {
    /// A response with everything that a page of the board shows.
    var response: FeedResponse {
        FeedResponse(
            stop: Stop(id: stop, name: name, letter: letter), departures: departures.map(\.departure), alerts: alerts,
            isWithheld: withheld, next: nextDepartureAt.map { .laterToday($0) }, timetableEndsAt: timetableEndsAt)
    }
}
