import Testing

@testable import BoardCore

@Suite("What takes turns")
struct TurnTests {
    private static func response(_ request: FeedRequest, _ time: Timestamp, alerts: [Alert]) -> FeedResponse {
        let buses: [Departure] = [
            .bus("73", to: "Stoke Newington", in: .seconds(4_000), from: time, stop: request.stop),
            .bus("390", to: "Archway", in: .seconds(5_000), from: time, stop: request.stop),
        ]
        let name = request.stop == .oxford ? "Oxford Street" : "Euston"
        return FeedResponse(stop: Stop(id: request.stop, name: name), departures: buses, alerts: alerts)
    }

    private static let stops = [Favourite(stop: .oxford), Favourite(stop: .euston)]
    private static let alert = Alert("Lifts are out of order until the end of the month.")

    /// The frames of two minutes.
    private func frames(
        _ size: DisplaySize, favourites: [Favourite] = stops, alerts: [Alert] = [], change: (inout BoardOptions) -> Void
    ) -> [[String]] {
        var options = BoardOptions()
        change(&options)
        var simulation = SimulatedBoard(favourites, size: size, options: options, home: nil) { request, time in
            .success(Self.response(request, time, alerts: alerts))
        }
        var frames: [[String]] = []
        simulation.wait(.seconds(120)) { frames.append($0.rows) }
        return frames
    }

    @Test("leave each stop's departures on two rows for as long as its page lasts", arguments: [2, 3, 5, 9, 10, 20])
    func shortRotation(seconds: Int) {
        let frames = frames(.small) {
            $0.rotation = .every(.seconds(seconds))
            $0.home = .first
        }
        let pages = frames.filter { $0[0].hasPrefix("Oxford Street") || $0[0].hasPrefix("Euston") }
        let rows = frames.filter { $0[0].hasPrefix("73 ") }
        #expect(!pages.isEmpty && rows.count >= pages.count - 1, "\(frames)")
    }

    @Test("have a page for an alert on two rows, also of a board that turns its pages", arguments: [9, 10, 15, 30])
    func alertPage(seconds: Int) {
        let frames = frames(.small, alerts: [Self.alert]) { $0.rotation = .every(.seconds(seconds)) }
        #expect(frames.contains { $0[0].hasPrefix("⚠ Lifts are out") }, "\(frames)")
    }

    @Test("say all of an alert in the first row, also where the screens or pages turn before it ends")
    func alertInFirstRow() {
        let many = (1...7).map { Favourite(stop: StopID(feed: SimulatedBoard.tfl.name, code: "\($0)")) }
        let boards: [([Favourite], BoardOptions.Rotation)] = [
            (many, .auto), (Self.stops, .auto), (Self.stops, .every(.seconds(9))), (Self.stops, .every(.seconds(30))),
        ]
        for (favourites, rotation) in boards {
            let seen = Set(
                frames(.usual, favourites: favourites, alerts: [Self.alert]) { $0.rotation = rotation }.map(\.[0]))
            for words in ["Lifts", "order", "end of", "month."] {
                #expect(seen.contains { $0.contains(words) }, "\(rotation): \(words) in \(seen)")
            }
        }
    }

    @Test("show every text of a row, however the pages turn", arguments: [2, 3, 4])
    func everyText(stops: Int) {
        let favourites = (1...stops).map { number in
            Favourite(stop: StopID(feed: SimulatedBoard.rail.name, code: "\(number)"), walk: nil)
        }
        var options = BoardOptions()
        options.rotation = .every(.seconds(9))
        options.home = .first
        var simulation = SimulatedBoard(favourites, size: .usual, options: options, profile: SimulatedBoard.rail) {
            request, time in
            let train = Departure.train(
                to: "Bristol Temple Meads", booked: 50, late: .seconds(190), platform: "4", madeAt: time,
                stop: request.stop)
            return .success(FeedResponse(stop: Stop(id: request.stop, name: "P"), departures: [train]))
        }
        var seen: Set<String> = []
        simulation.wait(.seconds(300)) {
            if $0.board.view.page == .favourite(favourites[0].stop) { seen.insert($0.rows[1]) }
        }
        for text in ["Bristol", "Temple", "Meads", "plat 4"] {
            #expect(seen.contains { $0.contains(text) }, "\(text) in \(seen)")
        }
    }

    @Test("do not turn the overview's screens while the display is dark")
    func dark() {
        let many = (1...7).map { Favourite(stop: StopID(feed: SimulatedBoard.tfl.name, code: "\($0)")) }
        let frames = frames(.usual, favourites: many) { $0.quiet = [WeeklyWindow(from: 11 * 60, to: 13 * 60)] }
        #expect(Set(frames.map { $0.dropFirst() }).count <= 2, "\(frames)")
    }
}
