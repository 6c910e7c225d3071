import BoardCore
import Testing

@Suite("The departures that the board holds")
struct HeldDeparturesTests {
    /// A board with one favourite, whose operator reports these departures once.
    private func board(_ favourite: Favourite, _ departures: [Departure]) -> SimulatedBoard {
        var board = SimulatedBoard([favourite]) { request, _ in
            .success(
                FeedResponse(
                    stop: Stop(id: request.stop, name: "Oxford Circus"), departures: departures,
                    alerts: [Alert("No lift")], isWithheld: true))
        }
        board.wait(.seconds(1))
        board.respond = { _, _ in nil }
        return board
    }

    @Test("are all of the last response, whatever the filters of the page, in the requested order")
    func unfiltered() throws {
        let start = SimulatedBoard.start
        let board = board(
            Favourite(stop: .oxford, lines: ["73"], walk: .seconds(600), directions: ["up"]),
            [
                .bus("73", to: "Bow", in: .seconds(100), from: start),
                .bus("390", to: "Archway", in: .seconds(4_000), from: start),
                .bus("12", to: "Dulwich", in: .seconds(200), from: start),
            ])
        func lines(_ order: SortOrder) -> [String]? {
            board.board.departures(of: .oxford, sorted: order, at: board.now)?.entries.map(\.departure.line.name)
        }
        #expect(lines(.time) == ["73", "12", "390"])
        #expect(lines(.line) == ["12", "73", "390"])
        let held = try #require(board.board.departures(of: .oxford, sorted: .time, at: board.now))
        #expect(held.entries.map(\.minutes) == [1, 3, 66])
        #expect(held.report.stop.name == "Oxford Circus" && held.moment == board.time)
        #expect(held.alerts == [Alert("No lift")] && held.isWithheld)
        #expect(board.board.departures(of: .euston, sorted: .time, at: board.now) == nil)
    }

    @Test("leave when they expire, become stale with the display, and have the minutes of the display")
    func ageing() throws {
        let start = SimulatedBoard.start
        var board = board(
            Favourite(stop: .oxford),
            [
                .bus("73", to: "Bow", in: .seconds(40), from: start, age: .zero),
                .bus("390", to: "Archway", in: .seconds(320), from: start, age: .zero),
            ])
        func held() throws -> Board.HeldDepartures {
            try #require(board.board.departures(of: .oxford, sorted: .time, at: board.now))
        }
        #expect(try held().entries.map(\.minutes) == [1, 5])
        board.wait(.seconds(20))
        #expect(try held().entries.map(\.minutes) == [0, 4])
        #expect(try held().entries.map(\.freshness) == [.live, .live])
        board.wait(.seconds(180))
        #expect(try held().entries.map(\.departure.line.name) == ["390"])
        #expect(try held().entries.map(\.freshness) == [.stale])
        #expect(board.text.contains("?"))
    }
}
