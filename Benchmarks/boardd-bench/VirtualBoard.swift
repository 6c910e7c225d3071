internal import BoardCore
internal import BoardHardware
internal import BoardSimulation

/// A hallway in virtual time: the board, the driver of the product, and a modelled panel whose glass is read.
///
/// Board and display take turns as their two threads do: the display is called when there is a new frame or when it
/// asked to be, and not before it has ended what it does; the board goes on meanwhile.
struct VirtualBoard {
    /// What the operator says at a moment; nil: it accepts the question and never answers.
    typealias Operator = (FeedRequest, Timestamp) -> Swift.Result<FeedResponse, FeedFailure>?

    /// How long the transport waits for an operator that never answers.
    private static let timeOut = Duration.seconds(20)
    /// The time between question and answer.
    private static let latency = Duration.milliseconds(200)

    let bus: SimulatedExpander
    private(set) var board: Board
    private(set) var now = Instant(microseconds: 60_000_000)
    private(set) var frame: Frame
    private(set) var minutes: ClockCheck
    /// How often the board's and the display's threads woke.
    private(set) var turns = 0, draws = 0
    private var display: HD44780Display<SimulatedExpander>
    private var drawn: Frame?
    private var callAgainAt: Instant?
    private var wake: Instant?
    private var pending: [(at: Instant, event: Board.Event)] = []
    private let answer: Operator
    /// Takes what outlives a restart of the program, whenever it changed.
    var save: (Board.Snapshot) -> Void = { _ in }
    /// Microseconds from the clock of elapsed time to true time.
    private let offset: Int64

    init(
        _ favourites: [Favourite], at start: Timestamp = London.start, size: Panel.Size = London.panel,
        answer: @escaping Operator
    ) {
        let panel = Panel(size: size)
        bus = SimulatedExpander(panel: panel)
        display = HD44780Display(panel: panel, resync: .seconds(60), bus: bus)
        offset = start.microseconds - now.microseconds
        self.answer = answer
        minutes = ClockCheck(from: start)
        frame = Frame(blank: size)
        let setup = Board.Setup(
            favourites: favourites, profiles: [London.profile.name: London.profile], size: size, zone: .utc)
        board = Board(
            setup, reading: CorrectedClock.Reading(wall: start, isSynchronised: true), seed: 1, at: now)
        wake = now
    }

    /// True time.
    var time: Timestamp { time(at: now) }

    /// Whether the newest frame is on the glass.
    var isDisplayCorrect: Bool { bus.cells == frame.rows && bus.isLit == frame.isLit }

    /// A person presses.
    mutating func press(_ gesture: Gesture) {
        turn(.gesture(gesture, ButtonID(0)))
    }

    /// Lets `duration` pass; ends early when `isDone` says so, asked after each change of the glass.
    ///
    /// - Returns: what has passed.
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

    /// When the display's thread does something next.
    private var displayDue: Instant? {
        let wanted = frame == drawn ? callAgainAt : now
        return wanted.map { max($0, bus.now) }
    }

    private mutating func turn(_ event: Board.Event) {
        turns += 1
        let reading = CorrectedClock.Reading(wall: time, isSynchronised: true)
        let commands = board.handle(.clock(reading), at: now) + board.handle(event, at: now)
        for case .poll(let question) in commands { ask(question) }
        if commands.contains(.saveSnapshot) { save(board.snapshot(at: now)) }
        let picture = board.render(at: now)
        frame = picture.frame
        wake = board.nextWake(showing: picture, after: now)
    }

    private mutating func ask(_ question: FeedRequest) {
        let stop = question.stop
        let reply: (at: Instant, event: Board.Event) =
            switch answer(question, time) {
            case .success(let answer): (now + Self.latency, .polled(answer))
            case .failure(let failure): (now + Self.latency, .failed(stop, failure))
            case nil: (now + Self.timeOut, .failed(stop, FeedFailure(.timedOut, detail: "")))
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
        minutes.look(at: bus.screen, time: time(at: max(bus.now, now)))
    }
}

/// Which minutes the clock on the glass has shown while they were.
struct ClockCheck {
    private var minute: Int64
    private let first: Int64
    private var isShown = false
    /// Minutes that nobody could read.
    private(set) var missed = 0
    /// The longest time from a minute's begin until the glass showed it.
    private(set) var latest = Duration.zero

    init(from start: Timestamp) {
        // The first minute has begun before the board did.
        first = start.seconds / 60
        minute = first
    }

    /// The glass shows this from now on.
    mutating func look(at screen: [String], time: Timestamp) {
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
