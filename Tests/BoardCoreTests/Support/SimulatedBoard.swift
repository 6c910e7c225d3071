import BoardCore
import FoundationEssentials

/// A hallway in virtual time: a board, an operator that answers as told, a button, and a clock that jumps from one
/// interesting instant to the next.
struct Hallway {
    /// What the operator does with a question.
    typealias Operator = @Sendable (FeedRequest, Timestamp) -> Result<FeedResponse, FeedFailure>?

    static let tfl = FeedProfile(
        name: FeedName("tfl"), title: "TfL", attribution: "Powered by TfL Open Data", staleAfter: .seconds(180),
        suffixes: [" Underground Station"], shortLines: ["victoria": "Vic", "hammersmith-city": "H&C"],
        interval: .seconds(30),
        quota: FeedProfile.Quota(requests: 50, per: .seconds(60)))

    /// 2026-03-02T12:04:00Z, a Monday in winter: London's clocks show UTC.
    static let start = Timestamp(seconds: 1_772_453_040)

    /// What the board was made for.
    let setup: Board.Setup
    var board: Board
    var now = Instant(microseconds: 50_000_000)
    /// Answers after this long.
    var latency = Duration.milliseconds(200)
    var answer: Operator
    /// Questions asked so far.
    private(set) var asked: [(stop: StopID, at: Instant)] = []
    /// The questions themselves.
    private(set) var questions: [FeedRequest] = []
    /// Runs that were asked about so far.
    private(set) var followed: [Departure] = []
    /// What the operator tells of a run.
    var run: @Sendable (Departure, Timestamp) -> TripDetails? = { _, _ in nil }
    /// Whether its answers bring a `Date`.
    let sendsDates: Bool
    /// What a question about a run fails with; nil: it does not.
    var runFailure: FeedFailure?
    /// How often the board was woken.
    private(set) var turns = 0
    private var pending: [(at: Instant, event: Board.Event)] = []
    /// Microseconds from the clock of elapsed time to true time.
    private let offset: Int64

    init(
        _ favourites: [Favourite], size: Panel.Size = Panel.Size(columns: 20, rows: 4),
        options: BoardOptions = BoardOptions(), buttons: [ButtonBinding] = [ButtonBinding()],
        reading: CorrectedClock.Reading? = nil, at start: Timestamp = Hallway.start, seed: UInt64 = 1,
        zone: Zone = .utc, profile: FeedProfile = Hallway.tfl, sendsDates: Bool = false,
        answer: @escaping Operator = { request, _ in
            .success(FeedResponse(stop: Stop(id: request.stop), departures: []))
        }
    ) {
        offset = start.microseconds - now.microseconds
        self.answer = answer
        self.sendsDates = sendsDates
        setup = Board.Setup(
            options: options, favourites: favourites, buttons: buttons, profiles: [profile.name: profile],
            size: size, zone: zone)
        board = Board(
            setup, reading: reading ?? CorrectedClock.Reading(wall: start, isSynchronised: true), seed: seed, at: now)
        send(.woke)
    }

    /// The program ends and is started again `pause` later with what was kept of the board.
    ///
    /// - Parameters:
    ///   - setup: what it is made for now; nil: the same as before.
    ///   - reading: the wall clock at the new start; nil: right and synchronised.
    mutating func restart(
        after pause: Duration, setup: Board.Setup? = nil, reading: CorrectedClock.Reading? = nil
    ) throws {
        // As the daemon keeps it.
        let pieces = try board.snapshot(at: now).pieces.map { piece in
            try JSONDecoder().decode(Board.Snapshot.self, from: JSONEncoder().encode(piece))
        }
        let kept = Board.Snapshot(pieces: pieces)
        pending = []
        now = now + pause
        board = Board(
            setup ?? self.setup, reading: reading ?? CorrectedClock.Reading(wall: time, isSynchronised: true), seed: 1,
            restoring: kept, at: now)
        asked = []
    }

    /// True time, whatever the board believes.
    var time: Timestamp { Timestamp(microseconds: now.microseconds + offset) }

    /// What the glass shows.
    var glass: [String] { board.render(at: now).frame.lines }

    /// The glass as one text with its edges, so that blanks at the ends of rows are seen in a failure.
    var text: String { glass.map { "|\($0)|" }.joined(separator: "\n") }

    /// Lets something happen now.
    mutating func send(_ event: Board.Event) {
        turns += 1
        for command in board.handle(event, at: now) {
            if case .fetchDetails(let departure) = command {
                followed.append(departure)
                let event: Board.Event =
                    runFailure.map { .detailsFailed(departure, $0) } ?? .detailsFetched(departure, run(departure, time))
                pending.append((now + latency, event))
            }
            guard case .poll(let request) = command else { continue }
            questions.append(request)
            asked.append((request.stop, now))
            if sendsDates {
                let sample = DateSample(
                    host: "operator", date: Timestamp(seconds: (time + latency).seconds), requested: now,
                    received: now + latency)
                if let sample { pending.append((now + latency, .date(sample))) }
            }
            switch answer(request, time) {
            case .success(let answer): pending.append((now + latency, .polled(answer)))
            case .failure(let failure): pending.append((now + latency, .failed(request.stop, failure)))
            case nil: pending.append((now + .seconds(20), .failed(request.stop, FeedFailure(.timedOut, detail: ""))))
            }
        }
    }

    /// Lets `duration` pass, waking the board when it asked for it and when answers come.
    mutating func wait(_ duration: Duration, watching: ((Hallway) -> Void)? = nil) {
        let end = now + duration
        while true {
            let answer = pending.map(\.at).min()
            let wake = board.nextWake(showing: board.render(at: now), after: now)
            guard let next = [answer, wake].compactMap({ $0 }).min(), next <= end else { break }
            now = max(next, now)
            if let index = pending.firstIndex(where: { $0.at <= now }) {
                send(pending.remove(at: index).event)
            } else {
                send(.woke)
            }
            watching?(self)
        }
        now = end
        send(.woke)
    }

    /// Holds a button down for a time.
    mutating func press(_ button: Int = 0, for duration: Duration = .milliseconds(100)) {
        down(button)
        wait(duration)
        up(button)
    }

    mutating func down(_ button: Int = 0) {
        send(.button(ButtonChange(button: ButtonID(button), isDown: true, at: now)))
    }

    mutating func up(_ button: Int = 0) {
        send(.button(ButtonChange(button: ButtonID(button), isDown: false, at: now)))
    }
}

extension StopID {
    static let oxford = StopID(feed: FeedName("tfl"), code: "490008660N")
    static let euston = StopID(feed: FeedName("tfl"), code: "490000078A")
}

extension Departure {
    /// A bus that is `away` from `time`, estimated `age` ago, as TfL tells of buses.
    static func bus(
        _ line: String, to destination: String, in away: Duration, from time: Timestamp, vehicle: String = "",
        age: Duration = .seconds(40), stop: StopID = .oxford
    ) -> Departure {
        Departure(
            stop: stop, line: Line(id: line.lowercased(), name: line), destination: destination, vehicle: vehicle,
            status: .expected(time + away), madeAt: time - age, expiresAt: time + away + .seconds(30))
    }
}
