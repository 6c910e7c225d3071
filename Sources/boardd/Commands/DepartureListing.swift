internal import BoardCore

/// One answer, printed: as the board itself would draw it on a panel wide and high enough, or whole as JSON.
struct DepartureListing {
    private static let columns = 60

    private let answer: FeedResponse
    private let sort: BoardCore.SortOrder
    private let feed: FeedProfile
    private let clock: any MachineClock
    private let zone: Zone
    private let dates: [DateSample]

    /// - Parameter dates: the `Date` headers that came with the answer: the time, where this machine's clock is unsynchronised.
    init(
        _ answer: FeedResponse, sort: BoardCore.SortOrder, feed: FeedProfile, clock: any MachineClock, zone: Zone,
        dates: [DateSample] = []
    ) {
        self.answer = answer
        self.sort = sort
        self.feed = feed
        self.clock = clock
        self.zone = zone
        self.dates = dates
    }

    /// The board's own page, a line a departure, and what people there should know, a line each.
    var table: String {
        let now = clock.now()
        var options = BoardOptions()
        options.refreshBar = .off
        let setup = Board.Setup(
            options: options, favourites: [Favourite(stop: answer.stop.id, sort: sort)], profiles: [feed.name: feed],
            size: Panel.Size(columns: Self.columns, rows: max(3, answer.departures.count + 1)), zone: zone)
        // The attributions that a board shows first have their own line here.
        let start = now - .seconds(60)
        let reading = clock.reading()
        var board = Board(
            setup,
            reading: CorrectedClock.Reading(
                wall: reading.wall - .seconds(60), isSynchronised: reading.isSynchronised),
            seed: 0, at: start)
        for sample in dates { _ = board.handle(.date(sample), at: now) }
        _ = board.handle(.polled(answer), at: now)
        let lines = board.render(at: now).frame.lines.map { line in
            String(line.reversed().drop { $0 == " " }.reversed())
        }
        let used = lines.prefix { !$0.isEmpty }
        let moment = board.report(at: now).moment
        // The mark on the board's first line says that there is something; here is room for it.
        let alerts = answer.alerts.filter { $0.isActive(at: moment) }.map { "! " + $0.text }
        return (used + alerts + [feed.attribution]).map(\.asPrintedLine).joined(separator: "\n") + "\n"
    }

    /// Everything that is known; times in UTC (RFC 3339).
    var json: String {
        PrettyJSON.text(DepartureOutput(answer, sort: sort, attribution: feed.attribution))
    }
}
