import BoardCore
import FoundationEssentials

/// A board in virtual time with a simulated operator, buttons, and a clock that jumps from one event to the next.
struct SimulatedBoard {
    /// The operator's response to a request; nil: none, the request times out.
    typealias Operator = @Sendable (FeedRequest, Timestamp) -> Result<FeedResponse, FeedError>?

    static let tfl = FeedProfile(
        name: FeedName("tfl"), title: "TfL", attribution: "Powered by TfL Open Data",
        suffixes: [" Underground Station"], shortLines: ["victoria": "Vic", "hammersmith-city": "H&C"],
        interval: .seconds(30), quota: FeedProfile.Quota(requests: 50, per: .seconds(60)))

    /// 2026-03-02T12:04:00Z, a Monday in winter: London's clocks show UTC.
    static let start = Timestamp(seconds: 1_772_453_040)

    let setup: Board.Setup
    var board: Board
    var now = Instant(microseconds: 50_000_000)
    /// The response time.
    var latency = Duration.milliseconds(200)
    var respond: Operator
    /// The polls so far.
    private(set) var polls: [(stop: StopID, at: Instant)] = []
    /// The requests of the polls so far.
    private(set) var requests: [FeedRequest] = []
    /// The departures for which trip details were requested so far.
    private(set) var detailsRequests: [Departure] = []
    /// How often a press has declined a pairing.
    private(set) var declines = 0
    /// How often the board opened the set-up by phone.
    private(set) var setupsOpened = 0
    /// The gestures that were reported so far.
    private(set) var gestures: [Board.Command] = []
    /// The operator's trip details of a departure.
    var tripDetails: @Sendable (Departure, Timestamp) -> TripDetails? = { _, _ in nil }
    /// Whether responses have a `Date` header.
    let sendsDates: Bool
    /// The failure of requests for trip details; nil: they succeed.
    var detailsFailure: FeedError?
    /// The number of events that the board handled.
    private(set) var wakeUps = 0
    private var pending: [(at: Instant, event: Board.Event)] = []
    /// Microseconds from the elapsed-time clock to the true time.
    private let offset: Int64

    /// A board `after` this time; three seconds after the start the first responses are shown.
    ///
    /// - Parameter home: the home page if the options have none; nil: the board's own choice.
    init(
        _ favourites: [Favourite], after: Duration = .seconds(3), size: DisplaySize = DisplaySize(columns: 20, rows: 4),
        options: BoardOptions = BoardOptions(), home: BoardOptions.Home? = .first,
        buttons: [ButtonBinding] = [ButtonBinding()],
        reading: CorrectedClock.Reading? = nil, at start: Timestamp = SimulatedBoard.start, seed: UInt64 = 1,
        zone: Zone = .utc, profile: FeedProfile = SimulatedBoard.tfl, sendsDates: Bool = false,
        respond: @escaping Operator = { request, _ in
            .success(FeedResponse(stop: Stop(id: request.stop), departures: []))
        }
    ) {
        offset = start.microseconds - now.microseconds
        self.respond = respond
        self.sendsDates = sendsDates
        var options = options
        options.home = options.home ?? home
        setup = Board.Setup(
            options: options, favourites: favourites, buttons: buttons, profiles: [profile.name: profile],
            size: size, zone: zone)
        board = Board(
            setup, reading: reading ?? CorrectedClock.Reading(wall: start, isSynchronised: true), seed: seed, at: now)
        send(.woke)
        if after > .zero { wait(after) }
    }

    /// Ends the program and starts it again `pause` later with the snapshot of the board.
    ///
    /// - Parameters:
    ///   - setup: the new setup; nil: unchanged.
    ///   - reading: the system clock at the new start; nil: correct and synchronised.
    mutating func restart(
        after pause: Duration, setup: Board.Setup? = nil, reading: CorrectedClock.Reading? = nil
    ) throws {
        // In pieces, as the daemon stores it.
        let pieces = try board.snapshot(at: now).pieces.map { piece in
            try JSONDecoder().decode(Board.Snapshot.self, from: JSONEncoder().encode(piece))
        }
        let snapshot = Board.Snapshot(pieces: pieces)
        pending = []
        now = now + pause
        board = Board(
            setup ?? self.setup, reading: reading ?? CorrectedClock.Reading(wall: time, isSynchronised: true), seed: 1,
            restoring: snapshot, at: now)
        polls = []
    }

    /// The true time, whatever the board's clock shows.
    var time: Timestamp { Timestamp(microseconds: now.microseconds + offset) }

    /// The rows on the display.
    var rows: [String] { board.render(at: now).frame.lines }

    /// What the first row says in the next beats, while no event comes.
    func firstRows(beats: Int = 12) -> [String] {
        (0..<beats).map { beat in
            let line = board.render(at: now + .seconds(3 * beat)).frame.lines[0]
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    /// The rows with their edges, so that trailing blanks are visible in a failure.
    var text: String { rows.map { "|\($0)|" }.joined(separator: "\n") }

    /// Sends an event to the board now.
    mutating func send(_ event: Board.Event) {
        wakeUps += 1
        for command in board.handle(event, at: now) {
            if case .fetchDetails(let departure) = command {
                detailsRequests.append(departure)
                let event: Board.Event =
                    detailsFailure.map { .detailsFailed(departure, $0) }
                    ?? .detailsFetched(departure, tripDetails(departure, time))
                pending.append((now + latency, event))
            }
            if command == .declinePairing { declines += 1 }
            if command == .openSetup { setupsOpened += 1 }
            if case .gestureRecognised = command { gestures.append(command) }
            guard case .poll(let request) = command else { continue }
            requests.append(request)
            polls.append((request.stop, now))
            if sendsDates {
                let sample = DateSample(
                    host: "operator", date: Timestamp(seconds: (time + latency).seconds), requested: now,
                    received: now + latency)
                if let sample { pending.append((now + latency, .date(sample))) }
            }
            switch respond(request, time) {
            case .success(let response): pending.append((now + latency, .polled(response)))
            case .failure(let failure): pending.append((now + latency, .failed(request.stop, failure)))
            case nil: pending.append((now + .seconds(20), .failed(request.stop, FeedError(.timedOut, detail: ""))))
            }
        }
    }

    /// Lets `duration` pass; wakes the board when it is due and delivers responses.
    mutating func wait(_ duration: Duration, watching: ((SimulatedBoard) -> Void)? = nil) {
        let end = now + duration
        while true {
            let response = pending.map(\.at).min()
            let wake = board.nextWake(showing: board.render(at: now), after: now)
            guard let next = [response, wake].compactMap({ $0 }).min(), next <= end else { break }
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

    mutating func press(_ button: Int = 0, for duration: Duration = .milliseconds(100)) {
        down(button)
        wait(duration)
        up(button)
    }

    /// Holds the button until its release opens the details, or goes back from them.
    mutating func open(_ button: Int = 0) { press(button, for: .milliseconds(700)) }

    /// Holds the button until its release changes the order.
    mutating func sort() { press(for: .milliseconds(1_600)) }

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
    /// A bus that is due in `away` from `time`, estimated `age` ago, in TfL's form.
    static func bus(
        _ line: String, to destination: String, in away: Duration, from time: Timestamp, vehicle: String = "",
        age: Duration = .seconds(40), stop: StopID = .oxford
    ) -> Departure {
        Departure(
            stop: stop, line: Line(id: line.lowercased(), name: line), destination: destination, vehicle: vehicle,
            status: .expected(time + away), madeAt: time - age, expiresAt: time + away + .seconds(30))
    }
}

extension Board.Report {
    /// The stop of the page in view; nil: the overview or the address.
    var stopInView: StopID? { StopID(pageInView.id) }
}
