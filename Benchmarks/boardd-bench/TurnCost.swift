internal import BoardCore

/// The cost of one turn of the board: handling an event, drawing, and computing the next wake-up.
enum TurnCost {
    private static let count = 5_000

    /// Writes the row: three favourites with twelve departures each, on the page of the first.
    static func report() {
        let favourites = [SampleOperator.oxford, SampleOperator.euston, SampleOperator.angel]
        var now = Instant(microseconds: 60_000_000)
        let offset = SampleOperator.start.microseconds - now.microseconds
        let setup = Board.Setup(
            favourites: favourites, profiles: [SampleOperator.profile.name: SampleOperator.profile],
            size: SampleOperator.panel, zone: .utc)
        var board = Board(
            setup, reading: CorrectedClock.Reading(wall: SampleOperator.start, isSynchronised: true), seed: 1, at: now)
        var handling = Duration.zero, drawing = Duration.zero, waking = Duration.zero
        for index in 0..<count {
            let time = Timestamp(microseconds: now.microseconds + offset)
            if index % 10 == 0 {
                for favourite in favourites {
                    let response = SampleOperator.response(to: FeedRequest(stop: favourite.stop), at: time)
                    _ = board.handle(.polled(response), at: now)
                }
            }
            let start = ProcessCost.cpu
            _ = board.handle(.clock(CorrectedClock.Reading(wall: time, isSynchronised: true)), at: now)
            _ = board.handle(.woke, at: now)
            let handled = ProcessCost.cpu
            let frame = board.render(at: now)
            let drawn = ProcessCost.cpu
            let wake = board.nextWake(showing: frame, after: now)
            let end = ProcessCost.cpu
            handling += handled - start
            drawing += drawn - handled
            waking += end - drawn
            now = max(wake ?? now, now + .milliseconds(10))
        }
        let parts = [handling, drawing, waking].map { ($0.inMicroseconds / Double(count)) }
        BenchmarkRow(
            what: "one turn, 3 favourites of 12 rows",
            measured: "\(parts.reduce(0, +).text(0)) us: handle \(parts[0].text(0)), draw \(parts[1].text(0)), "
                + "next wake \(parts[2].text(0))"
        ).write()
    }
}
