import Testing

@testable import BoardCore

@Suite("A night of rows")
struct RowNightTests {
    /// Buses every few minutes with names of all lengths, an alert for half of the time, and forty minutes without a response.
    private static let traffic: SimulatedBoard.Operator = { request, time in
        let minutes = (time - SimulatedBoard.start).wholeSeconds / 60
        if (50..<90).contains(minutes) { return .failure(FeedError(.timedOut, detail: "")) }
        let names = ["Walthamstow Central", "Bow", "Heathrow Terminal 5", "Holborn, Red Lion Square", "Archway"]
        let departures = (0..<9).map { index -> Departure in
            let number = time.seconds / 200 + Int64(index)
            let due = Timestamp(seconds: number * 200 + number &* 7_919 % 90)
            return Departure(
                stop: request.stop,
                line: Line(id: "\(number % 5)", name: ["73", "N73", "8", "390", "Victoria"][Int(number % 5)]),
                destination: names[Int(number % 5)], vehicle: "V\(number)",
                status: number % 7 == 3 ? .cancelled : .expected(due), madeAt: time - .seconds(35),
                expiresAt: due + .seconds(30))
        }
        return .success(
            FeedResponse(
                stop: Stop(id: request.stop, name: "Oxford Street", letter: "N"),
                departures: departures.filter { $0.expiresAt > time },
                alerts: minutes / 30 % 2 == 0 ? [] : [Alert("Lifts are out of order until the end of the month.")]))
    }

    @Test(
        "has no frame in which a text covers a departure, whatever there is to say and whoever presses",
        arguments: [DisplaySize.small, .usual])
    func nothingIsCovered(size: DisplaySize) {
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford, walk: .seconds(240)), Favourite(stop: .euston)], size: size, home: nil,
            respond: Self.traffic)
        var (frames, pages) = (0, 0)
        func check(_ simulation: SimulatedBoard) {
            let (board, now) = (simulation.board, simulation.now)
            let favourite = board.favouriteInView
            guard favourite?.detailPage == nil, board.reasonForNoRows(at: now) == nil,
                board.view.splashUntil.isNilOr({ $0 <= now })
            else { return }
            var drawing = Drawing(of: board, at: now)
            let lines = drawing.lines(of: RowsPage(of: board, at: now).rows, isOverview: favourite == nil)
            let layout = RowLayout(lines, columns: size.columns, names: board.streetNames)
            let shown = simulation.rows.suffix(board.rowsPerScreen)
            let fitting = zip(shown, layout.rows).count { text, row in
                row.texts.indices.contains { cycle in (0..<3).contains { row.cells(beat: $0, cycle: cycle) == text } }
            }
            frames += 1
            // On two rows a text is a page: then no departure is in view at all.
            if fitting == 0, !board.hasHeader {
                pages += 1
            } else {
                #expect(fitting == layout.rows.count, "\(simulation.text)")
            }
        }
        for minute in 0..<120 {
            if minute % 13 == 5 { simulation.press() }
            if minute % 47 == 11 { simulation.open() }
            simulation.wait(.seconds(60), watching: check)
        }
        #expect(frames > 2_000 && (size == .usual || pages > 50), "\(frames) frames, \(pages) pages")
    }
}
