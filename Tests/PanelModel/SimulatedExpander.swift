public import BoardCore
public import BoardDisplays
import Synchronization

/// An I2C bus with a simulated display, in virtual time: 9 clocks per byte, as on a real bus.
///
/// Tests can unplug and disturb the display while a driver uses it; ``screen`` is the visible result. All references
/// share one bus, so a test and the driver each have one.
public final class SimulatedExpander: ExpanderBus, Sendable {
    /// The driver's use of the bus.
    public struct Counts: Hashable, Sendable {
        /// Write calls.
        public var calls = 0
        /// Port bytes written.
        public var portBytes = 0
        /// Reads that probed for the expander.
        public var probes = 0
        /// Time on the wire, in nanoseconds.
        public var wire: Int64 = 0
        /// Time in ``wait(_:)``, in nanoseconds.
        public var waited: Int64 = 0

        public init() {}
    }

    /// The bus clock in hertz.
    public let speed: Int
    /// The maximum number of port bytes of a write: a block is a command byte and 32 more, and the command byte is a register
    /// if the expander has any.
    public var maximumWriteSize: Int { hasRegisters ? 32 : 33 }
    let state: Mutex<State>
    private let hasRegisters: Bool

    /// - Parameters:
    ///   - panel: the display on the bus.
    ///   - speed: the bus clock in hertz.
    ///   - start: the initial state of the controller.
    ///   - floating: the level of its unconnected data lines, 0 or 15.
    ///   - timing: the execution times of the controller.
    public init(
        panel: Panel, speed: Int = 100_000, start: HD44780Model.Start = .eightBit, floating: UInt8 = 0xF,
        timing: ControllerTiming = .slowest
    ) {
        self.speed = speed
        hasRegisters = panel.pins.expander != .pcf8574
        // The module's wiring, independent of the driver's map: each controller of a 40x4 has two rows.
        let isDouble = panel.size == DisplaySize(columns: 40, rows: 4)
        let half = isDouble ? Panel(size: DisplaySize(columns: 40, rows: 2), rom: panel.rom) : panel
        let controllers = (0..<(isDouble ? 2 : 1)).map { _ in
            HD44780Model(panel: half, start: start, floating: floating, timing: timing)
        }
        state = Mutex(State(controllers: controllers, expander: PortModel(pins: panel.pins), speed: speed))
    }

    public func open() throws(DeviceError) {
        try state.withLock { state throws(DeviceError) in
            state.counts.probes += 1
            try state.address(bytes: 1)
        }
        try configure()
    }

    /// Makes the pins outputs, with a write to a register.
    public func configure() throws(DeviceError) {
        guard hasRegisters else { return }
        try state.withLock { state throws(DeviceError) in
            try state.address(bytes: 2)
            state.expander.configure()
        }
    }

    /// Writes states to the port.
    public func write(_ portBytes: [UInt8]) throws(DeviceError) {
        try state.withLock { state throws(DeviceError) in
            state.counts.calls += 1
            state.counts.portBytes += portBytes.count
            guard (1...maximumWriteSize).contains(portBytes.count) else {
                throw DeviceError(errno: 22, bus: State.name)  // EINVAL
            }
            try state.address(bytes: hasRegisters ? 1 : 0)
            try state.put(portBytes)
        }
    }

    /// Advances the virtual time for the driver.
    public func wait(_ duration: Duration) {
        state.withLock { state in
            let time = State.nanoseconds(duration)
            state.counts.waited += time
            state.now += time
        }
    }

    /// Does nothing: there is nothing to close.
    public func close() {}

    /// The visible text, row by row.
    public var screen: [String] { cells.map { String($0) } }
    /// The visible characters, cell by cell.
    public var cells: [[Character]] { state.withLock { $0.isPowered ? $0.cells : $0.blank } }
    /// The dots that are on, row by row, also without backlight.
    public var dots: [[Bool]] { state.withLock { $0.controllers.flatMap(\.dots) } }
    /// Whether the backlight is on.
    public var isLit: Bool { state.withLock { $0.isPowered && $0.expander.isLit } }
    public var isCursorVisible: Bool { state.withLock { $0.controllers.contains(where: \.isCursorVisible) } }
    /// Whether every controller expects the first half of a byte, and its E is low.
    public var isAtRest: Bool {
        state.withLock { $0.controllers.allSatisfy(\.isInPhase) && !$0.expander.lines.contains(where: \.e) }
    }
    /// The driver's violations of the data sheet's timing.
    public var violations: [HD44780Model.Violation] { state.withLock { $0.controllers.flatMap(\.violations) } }
    /// The use of the bus since the last ``resetCounts()``.
    public var counts: Counts { state.withLock(\.counts) }
    public var now: Instant { state.withLock { Instant(microseconds: $0.now / 1_000) } }

    /// Resets the counts and the violations.
    public func resetCounts() {
        state.withLock { state in
            state.counts = Counts()
            for index in state.controllers.indices { state.controllers[index].violations = [] }
        }
    }

    /// Advances the virtual time without the driver.
    public func advance(by duration: Duration) {
        state.withLock { $0.now += State.nanoseconds(duration) }
    }

    /// Runs `body` and returns every different screen meanwhile, checked after every nibble; the first is the one before.
    public func screens(during body: () -> Void) -> [[[Character]]] {
        state.withLock { $0.screens = [$0.cells] }
        body()
        return state.withLock { state in
            defer { state.screens = nil }
            return state.screens ?? []
        }
    }
}
