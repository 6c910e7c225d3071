public import BoardCore
import Glibc

/// A character display with one or two HD44780 or compatible controllers behind a port expander.
///
/// Calls sleep only during an initialisation or a re-synchronisation. A call blocks for the bus: 30 ms for a complete
/// 20x4 at 100 kHz, 1 ms for a digit, 130 ms for an initialisation.
public struct HD44780Display<Bus: ExpanderBus>: Display {
    private var display: ReconnectingDisplay<HD44780Link<Bus>>

    /// A display that the first ``show(_:at:)`` searches for.
    ///
    /// - Parameter resync: the interval of re-synchronisations; nil: never.
    public init(panel: Panel, resync: Duration?, bus: Bus) {
        display = ReconnectingDisplay(HD44780Link(panel: panel, bus: bus), resync: resync)
    }

    public mutating func show(_ frame: Frame, at now: Instant) -> DisplayReport { display.show(frame, at: now) }

    /// Writes a last frame if the display is present, and closes the bus.
    ///
    /// Every write ends with E low and a complete byte, so the next program finds the controller in phase.
    public mutating func close(last frame: Frame, at now: Instant) { display.close(last: frame, at: now) }
}

/// The connection to the controllers of a character display. No transfer reports a stray nibble, or a brown-out of a
/// controller alone.
struct HD44780Link<Bus: ExpanderBus>: DisplayLink {
    private let panel: Panel
    private var bus: Bus
    /// Nil before the first connection.
    private var controller: HD44780Controller?

    init(panel: Panel, bus: Bus) {
        self.panel = panel
        self.bus = bus
    }

    mutating func connect(showing frame: Frame) throws(DeviceError) {
        try bus.open()
        var controller = HD44780Controller(panel: panel, speed: bus.speed)
        try run(controller.coldStart(frame))
        self.controller = controller
    }

    mutating func update(_ frame: Frame) throws(DeviceError) {
        if let steps = controller?.update(frame) { try run(steps) }
    }

    mutating func resync() throws(DeviceError) {
        try bus.configure()
        if let steps = controller?.resync() { try run(steps) }
    }

    mutating func disconnect() {
        bus.close()
    }

    private mutating func run(_ steps: [HD44780Controller.Step]) throws(DeviceError) {
        for step in steps {
            switch step {
            case .wait(let pause):
                bus.wait(pause)
            case .write(let portBytes):
                var rest = portBytes[...]
                while !rest.isEmpty {
                    try bus.write(Array(rest.prefix(bus.maximumWriteSize)))
                    rest = rest.dropFirst(bus.maximumWriteSize)
                }
            }
        }
    }
}
