import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

/// A board in virtual time, polling National Rail's feed with the boards of an invented night.
private struct PolledNight {
    /// The words that the display shows for a train.
    typealias Words = [String]

    /// The display's history of a train.
    struct ShownTrain {
        /// When it was first shown.
        let first: Timestamp
        /// When it was last shown.
        var last: Timestamp
        /// The contents of its time column, each with its start.
        var times: [(from: Timestamp, text: String)]
    }

    let night: RailNight
    /// By destination.
    private(set) var shownTrains: [String: ShownTrain] = [:]
    private let feed: NationalRailFeed
    private let clock: VirtualClock
    private var board: Board
    private var now = Instant(microseconds: 50_000_000)
    private let started: Instant
    private var pending: [(at: Instant, event: Board.Event, madeAt: Timestamp)] = []
    /// When the displayed board was made; nil: none arrived yet.
    private var madeAt: Timestamp?

    init(_ night: RailNight, keys: [String: String]) throws {
        let clock = VirtualClock(wall: night.start)
        let transport = CannedTransport(date: nil) { _ in
            let moment = clock.reading().wall
            return (200, Array((keys == Rail.darwin ? night.xml(at: moment) : night.json(at: moment)).utf8))
        }
        self.night = night
        self.clock = clock
        feed = try Rail.feed(keys, over: transport)
        started = now
        // Enough rows for every train of a board.
        var options = BoardOptions()
        options.rotation = .off
        let setup = Board.Setup(
            options: options,
            favourites: [Favourite(stop: .rail("AMB"))], profiles: [feed.profile.name: feed.profile],
            size: DisplaySize(columns: Self.columns, rows: 30), zone: night.zone)
        board = Board(
            setup, reading: CorrectedClock.Reading(wall: night.start, isSynchronised: true), seed: 1, at: now)
    }

    private var moment: Timestamp { night.start + (now - started) }

    /// Checks the display until the end of the night.
    mutating func watch() async throws {
        try await send(.woke)
        while moment < night.end {
            let picture = board.render(at: now)
            if madeAt != nil, now - started > .seconds(5) { try check(at: picture.frame.lines) }
            let wake = board.nextWake(showing: picture, after: now)
            guard let next = [pending.first?.at, wake].compactMap({ $0 }).min() else { break }
            now = max(now, next)
            if let first = pending.first, first.at <= now {
                pending.removeFirst()
                madeAt = first.madeAt
                try await send(first.event)
            } else {
                try await send(.woke)
            }
        }
    }

    private mutating func send(_ event: Board.Event) async throws {
        for command in board.handle(event, at: now) {
            guard case .poll(let request) = command else { continue }
            clock.set(moment)
            let response = try await feed.departures(request)
            #expect(response.badRows == 0)
            pending.append((now + .milliseconds(300), .polled(response), Timestamp(seconds: moment.seconds)))
        }
    }

    /// So wide that a row has all its facts.
    private static let columns = 80

    /// Compares the display with the simulated trains, and records its contents.
    private mutating func check(at display: [String]) throws {
        let madeAt = try #require(madeAt)
        let rows = display.dropFirst().map { $0.split(separator: " ").map(String.init) }.filter { !$0.isEmpty }
        let text = "at \(moment.rfc3339):\n" + display.joined(separator: "\n")
        try #require(display.first?.hasSuffix(night.clock(moment)) == true, "\(text)")
        try #require(rows == expected(madeAt), "\(text)")
        for row in rows {
            let time = row.last == "min" ? row[row.count - 2] + "m" : row.last ?? ""
            let destination = row[1].filter { $0 != "," }
            var sight = shownTrains[destination] ?? ShownTrain(first: moment, last: moment, times: [])
            sight.last = moment
            if sight.times.last?.text != time { sight.times.append((moment, time)) }
            shownTrains[destination] = sight
        }
    }

    /// The expected display for the trains on the last board.
    private func expected(_ madeAt: Timestamp) -> [Words] {
        night.listed(at: madeAt).map { train -> (due: Timestamp, booked: Timestamp, words: Words) in
            var due = train.booked
            var facts = (train.isBus ? ["bus, not train"] : []) + (train.platform.map { ["platform \($0)"] } ?? [])
            let time: String
            switch train.report(at: madeAt) {
            case .delayed: time = "delayed"
            case .cancelled: (time, facts) = ("cancelled", [])
            case .expected(let estimate):
                due = estimate
                time = countdown(to: due)
            case .onTime: time = countdown(to: due)
            }
            let late = (due - train.booked).components.seconds / 60
            let row = [
                night.clock(train.booked) + (late < 2 ? "" : "+\(late)"),
                ([train.destination] + facts).joined(separator: ", "), time,
            ]
            return (due, train.booked, row.flatMap { $0.split(separator: " ").map(String.init) })
        }.sorted { ($0.due, $0.booked, $0.words[1]) < ($1.due, $1.booked, $1.words[1]) }.map(\.words)
    }

    private func countdown(to time: Timestamp) -> String {
        let left = time - moment
        if left < .seconds(30) { return "due" }
        if left > .seconds(3_600) { return night.clock(time) }
        return "\(max(1, left.components.seconds / 60)) min"
    }
}

@Suite("A night at a station", .endsHangs)
struct RailNightTests {
    private static let nights: [(name: String, from: String, to: String)] = [
        ("through midnight", "2026-03-02T22:30:00Z", "2026-03-03T02:30:00Z"),
        ("in which 01:00 is followed by 02:00", "2026-03-28T22:30:00Z", "2026-03-29T01:30:00Z"),
        ("in which 01:00 comes twice", "2026-10-24T21:30:00Z", "2026-10-25T02:30:00Z"),
    ]

    private func watch(_ from: String, _ to: String, _ keys: [String: String]) async throws -> PolledNight {
        let night = RailNight(from: try Rail.time(from), to: try Rail.time(to), in: try Rail.zone())
        var watch = try PolledNight(night, keys: keys)
        try await watch.watch()
        return watch
    }

    @Test(
        "the display is correct at every moment: booked times, platforms, delays and cancellations, and minutes without jumps",
        // Every second case has each night, with one or the other format.
        arguments: Rounds.some(
            [Rail.darwin, Rail.marketplace].flatMap { keys in nights.map { ($0, keys) } }, step: 2))
    func truth(night: (name: String, from: String, to: String), keys: [String: String]) async throws {
        let watch = try await watch(night.from, night.to, keys)
        expectCountdown(watch)
        let seen = watch.night.trains.filter { watch.shownTrains[$0.destination] != nil }
        #expect(seen.count > 25)
        for train in seen where train.goes < watch.night.end - .seconds(180) {
            let sight = try #require(watch.shownTrains[train.destination])
            // It stays until it has left, however late, and is dropped with the first board without it.
            #expect(sight.last >= train.goes, "\(train.destination)")
            #expect(sight.last < train.goes + .seconds(150), "\(train.destination)")
        }
        // Some trains of the night are late past midnight.
        #expect(
            seen.contains { train in
                train.goes > train.booked && watch.night.clock(train.booked) > "23:30"
                    && watch.night.clock(train.goes) < "01:00"
            })
    }

    /// The display counts down by one each minute, without jumps for trains on time.
    private func expectCountdown(_ watch: PolledNight) {
        var whole = 0
        for train in watch.night.trains {
            guard let sight = watch.shownTrains[train.destination], train.reports.isEmpty else { continue }
            let times = sight.times.filter { $0.text != "60m" }
            for (earlier, later) in zip(times, times.dropFirst()) {
                switch (Int(earlier.text.dropLast()), later.text) {
                case (1?, let text): #expect(text == "due")
                case (let minutes?, let text): #expect(text == "\(minutes - 1)m", "\(train.destination)")
                case (nil, let text): #expect(text == "59m", "\(train.destination): \(earlier.text)")
                }
                // A minute each, except the first, which may be seen late, and the last, half of which is "due".
                guard earlier.from > sight.first, earlier.text.hasSuffix("m") else { continue }
                let length = later.from - earlier.from
                #expect(length == .seconds(later.text == "due" ? 90 : 60), "\(train.destination) \(earlier.text)")
            }
            if times.first?.text.contains(":") == true, times.last?.text == "due" { whole += 1 }
        }
        #expect(whole > 3)
    }
}
