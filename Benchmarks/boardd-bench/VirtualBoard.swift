internal import BoardCore
internal import BoardHardware
internal import PanelModel

/// The board in virtual time, with the product's driver and a modelled panel whose display is read.
///
/// Board and display alternate like their two threads: the display is called for a new frame or at the time that it
/// requested, and not before its last call has ended; the board continues meanwhile.
struct VirtualBoard {
    /// The response of the operator at a time; nil: it accepts the request and does not respond.
    typealias Operator = (FeedRequest, Timestamp) -> Result<FeedResponse, FeedFailure>?

    /// The timeout of the transport.
    private static let timeout = Duration.seconds(20)
    /// The time between request and response.
    private static let latency = Duration.milliseconds(200)

    let bus: SimulatedExpander
    private(set) var board: Board
    private(set) var now = Instant(microseconds: 60_000_000)
    private(set) var frame: Frame
    private(set) var minutes: ClockCheck
    /// Wake-ups of the board's and the display's threads.
    private(set) var turns = 0, draws = 0
    private var display: HD44780Display<SimulatedExpander>
    private var drawn: Frame?
    private var callAgainAt: Instant?
    private var wake: Instant?
    private var pending: [(at: Instant, event: Board.Event)] = []
    private let response: Operator
    /// Saves the snapshot, whenever it changed.
    var save: (Board.Snapshot) -> Void = { _ in }
    /// Microseconds from the clock of elapsed time to true time.
    private let offset: Int64

    init(
        _ favourites: [Favourite], at start: Timestamp = SampleOperator.start, size: Panel.Size = SampleOperator.panel,
        response: @escaping Operator
    ) {
        let panel = Panel(size: size)
        bus = SimulatedExpander(panel: panel)
        display = HD44780Display(panel: panel, resync: .seconds(60), bus: bus)
        offset = start.microseconds - now.microseconds
        self.response = response
        minutes = ClockCheck(from: start)
        frame = Frame(blank: size)
        let setup = Board.Setup(
            favourites: favourites, profiles: [SampleOperator.profile.name: SampleOperator.profile], size: size,
            zone: .utc)
        board = Board(
            setup, reading: CorrectedClock.Reading(wall: start, isSynchronised: true), seed: 1, at: now)
        wake = now
    }

    /// True time.
    var time: Timestamp { time(at: now) }

    /// Whether the display shows the newest frame.
    var isDisplayCorrect: Bool { bus.cells == frame.rows && bus.isLit == frame.isLit }

    mutating func press(_ gesture: Gesture) {
        turn(.gesture(gesture, ButtonID(0)))
    }

    /// Lets `duration` pass; ends early if `isDone`, which is called after each change of the display, returns true.
    ///
    /// - Returns: the time that has passed.
    @discardableResult
    mutating func wait(_ duration: Duration, until isDone: (VirtualBoard) -> Bool = { _ in false }) -> Duration {
        let began = now
        let end = now + duration
        while let next = [pending.first?.at, wake, displayDue].compactMap({ $0 }).min(), next <= end {
            now = max(now, next)
            if let first = pending.first, first.at <= now {
                pending.removeFirst()
                turn(first.event)
            } else if let wake, wake <= now {
                turn(.woke)
            }
            if let due = displayDue, due <= now {
                draw()
                if isDone(self) { return max(bus.now, now) - began }
            }
        }
        now = end
        if bus.now < now { bus.advance(by: now - bus.now) }
        return duration
    }

    private func time(at instant: Instant) -> Timestamp {
        Timestamp(microseconds: instant.microseconds + offset)
    }

    /// When the display's thread runs next.
    private var displayDue: Instant? {
        let next = frame == drawn ? callAgainAt : now
        return next.map { max($0, bus.now) }
    }

    private mutating func turn(_ event: Board.Event) {
        turns += 1
        let reading = CorrectedClock.Reading(wall: time, isSynchronised: true)
        let commands = board.handle(.clock(reading), at: now) + board.handle(event, at: now)
        for case .poll(let request) in commands { poll(request) }
        if commands.contains(.saveSnapshot) { save(board.snapshot(at: now)) }
        let rendered = board.render(at: now)
        frame = rendered.frame
        wake = board.nextWake(showing: rendered, after: now)
    }

    private mutating func poll(_ request: FeedRequest) {
        let stop = request.stop
        let reply: (at: Instant, event: Board.Event) =
            switch response(request, time) {
            case .success(let response): (now + Self.latency, .polled(response))
            case .failure(let failure): (now + Self.latency, .failed(stop, failure))
            case nil: (now + Self.timeout, .failed(stop, FeedFailure(.timedOut, detail: "")))
            }
        let place = pending.firstIndex { $0.at > reply.at } ?? pending.endIndex
        pending.insert(reply, at: place)
    }

    private mutating func draw() {
        draws += 1
        if bus.now < now { bus.advance(by: now - bus.now) }
        let report = display.show(frame, at: now)
        drawn = frame
        // A thread cannot be called twice at one instant.
        callAgainAt = report.callAgainAt.map { max($0, now + .milliseconds(1)) }
        minutes.check(bus.screen, time: time(at: max(bus.now, now)))
    }
}

/// The minutes that the clock on the display has shown in time.
struct ClockCheck {
    private var minute: Int64
    private let first: Int64
    private var isShown = false
    /// Minutes that were never shown.
    private(set) var missed = 0
    /// The longest time from the start of a minute until the display showed it.
    private(set) var latest = Duration.zero

    init(from start: Timestamp) {
        // The first minute started before the board.
        first = start.seconds / 60
        minute = first
    }

    /// The display shows these rows from now on.
    mutating func check(_ screen: [String], time: Timestamp) {
        let current = time.seconds / 60
        while minute < current {
            if !isShown, minute > first { missed += 1 }
            minute += 1
            isShown = false
        }
        guard !isShown else { return }
        let text = "\(Self.twoDigits(minute / 60 % 24)):\(Self.twoDigits(minute % 60))"
        guard screen.contains(where: { $0.contains(text) }) else { return }
        isShown = true
        if minute > first { latest = max(latest, time - Timestamp(seconds: minute * 60)) }
    }

    private static func twoDigits(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
