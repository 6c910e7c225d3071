public import BoardCore
internal import Synchronization

/// An I2C bus with a modelled panel on it, in virtual time: 9 clocks a byte, as on a real bus.
///
/// The panel can be pulled off, disturbed and starved while a driver talks to it; what a person would see is in
/// ``glass``. All copies of a reference are the same bus, so a test keeps one and the driver has the other.
public final class SimulatedExpander: ExpanderBus, Sendable {
    /// What a driver has asked of the bus.
    public struct Counts: Hashable, Sendable {
        /// Calls that wrote.
        public var calls = 0
        /// Port bytes that were handed over.
        public var portBytes = 0
        /// Reads that looked for the expander.
        public var probes = 0
        /// Time on the wire, in nanoseconds.
        public var wire: Int64 = 0
        /// Time in which the driver asked to wait, in nanoseconds.
        public var waited: Int64 = 0

        /// Nothing asked yet.
        public init() {}
    }

    /// The clock of the bus in hertz.
    public let speed: Int
    let state: Mutex<State>

    /// A bus with a panel.
    ///
    /// - Parameters:
    ///   - panel: on the bus.
    ///   - speed: in hertz.
    ///   - start: the state in which the controller is found.
    ///   - floating: what its unconnected data lines read as, 0 or 15.
    ///   - timing: how fast the controller is.
    public init(
        panel: Panel, speed: Int = 100_000, start: HD44780Model.Start = .eightBit, floating: UInt8 = 0xF,
        timing: ControllerTiming = .slowest
    ) {
        self.speed = speed
        let controller = HD44780Model(panel: panel, start: start, floating: floating, timing: timing)
        state = Mutex(State(controller: controller, expander: PCF8574Model(pins: panel.pins), speed: speed))
    }

    /// Reads from the expander once.
    public func open() throws(BusFault) {
        try state.withLock { state throws(BusFault) in
            state.counts.probes += 1
            try state.address(bytes: 1)
        }
    }

    /// Puts 1 to 33 states on the port, as fast as the bus is.
    public func write(_ portBytes: [UInt8]) throws(BusFault) {
        try state.withLock { state throws(BusFault) in
            state.counts.calls += 1
            state.counts.portBytes += portBytes.count
            guard (1...Self.largestWrite).contains(portBytes.count) else {
                throw BusFault(errno: 22, bus: State.name)  // EINVAL
            }
            try state.address(bytes: 0)
            try state.put(portBytes)
        }
    }

    /// Lets virtual time go by, at the driver's wish.
    public func wait(_ duration: Duration) {
        state.withLock { state in
            let time = State.nanoseconds(duration)
            state.counts.waited += time
            state.now += time
        }
    }

    /// Nothing to let go.
    public func close() {}

    /// What a person sees, row by row.
    public var screen: [String] { cells.map { String($0) } }
    /// What a person sees, cell by cell.
    public var cells: [[Character]] { state.withLock { $0.isPowered ? $0.controller.cells : $0.dark } }
    /// Whether the light is on.
    public var isLit: Bool { state.withLock { $0.isPowered && $0.expander.isLit } }
    /// Whether a cursor is seen.
    public var isCursorVisible: Bool { state.withLock { $0.controller.isCursorVisible } }
    /// Whether the controller waits for the first half of a byte, and E is low.
    public var isAtRest: Bool { state.withLock { $0.controller.isInPhase && !$0.expander.lines.e } }
    /// The rules of the data sheet that the driver has broken.
    public var violations: [HD44780Model.Violation] { state.withLock(\.controller.violations) }
    /// What the driver has asked for since the last ``resetCounts()``.
    public var counts: Counts { state.withLock(\.counts) }
    /// The virtual time.
    public var now: Instant { state.withLock { Instant(microseconds: $0.now / 1_000) } }

    /// Begins to count anew, and forgets the violations.
    public func resetCounts() {
        state.withLock { state in
            state.counts = Counts()
            state.controller.violations = []
        }
    }

    /// Lets virtual time go by without the driver.
    public func advance(by duration: Duration) {
        state.withLock { $0.now += State.nanoseconds(duration) }
    }

    /// Runs `body` and gives every different picture that was on the glass meanwhile, looked at after every nibble;
    /// the first is the one from before.
    public func pictures(during body: () -> Void) -> [[[Character]]] {
        state.withLock { $0.pictures = [$0.controller.cells] }
        body()
        return state.withLock { state in
            defer { state.pictures = nil }
            return state.pictures ?? []
        }
    }
}
