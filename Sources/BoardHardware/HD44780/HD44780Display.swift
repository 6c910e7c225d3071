public import BoardCore
internal import Glibc

/// A character display with one or two HD44780 or compatible controllers behind a port expander.
///
/// It starts without a display and initialises it when it appears. After a bus fault the controller's state counts as
/// unknown: after a pause (0.1 s, doubled up to 5 s) the expander is searched again and the controller initialised. Faults
/// that no transfer reports (a stray nibble, a brown-out of the controller alone) are repaired by a re-synchronisation
/// every ``DisplayWiring/resync``. Calls sleep only during an initialisation or a re-synchronisation.
public struct HD44780Display<Bus: ExpanderBus>: Display {
    private enum State {
        case down(ReconnectBackoff)
        case up(DisplayWriter, syncedAt: Instant)
    }

    /// The bus, for its counters.
    public private(set) var bus: Bus
    private let panel: Panel
    private let resync: Duration?
    private var state = State.down(ReconnectBackoff())

    /// A display that the first ``show(_:at:)`` searches.
    ///
    /// - Parameter resync: the interval of re-synchronisations; nil: never.
    public init(panel: Panel, resync: Duration?, bus: Bus) {
        self.panel = panel
        self.resync = resync
        self.bus = bus
    }

    /// Writes `frame` to the display.
    ///
    /// Blocks for the bus: 30 ms for a complete 20x4 at 100 kHz, 1 ms for a digit, 130 ms for an initialisation.
    public mutating func show(_ frame: Frame, at now: Instant) -> DisplayReport {
        do throws(BusFault) {
            switch state {
            case .down(let outage):
                if let fault = outage.fault, now < outage.nextTry { return report(fault, until: outage.nextTry) }
                try bus.open()
                var writer = DisplayWriter(panel: panel, speed: bus.speed)
                try run(writer.coldStart(frame))
                state = .up(writer, syncedAt: now)
            case .up(var writer, let syncedAt):
                // Changes come first, so that a press is visible before the re-synchronisation.
                try run(writer.update(frame))
                let isDue = resync.map { now >= syncedAt + $0 } ?? false
                if isDue {
                    try bus.configure()
                    try run(writer.resync())
                }
                state = .up(writer, syncedAt: isDue ? now : syncedAt)
            }
        } catch {
            return fail(error, at: now)
        }
        return DisplayReport(.shown, callAgainAt: callAgainAt)
    }

    /// Writes a last frame if the display is present, and closes the bus.
    ///
    /// Every write ends with E low and a complete byte, so the next program finds the controller in phase.
    public mutating func close(last frame: Frame, at now: Instant) {
        if case .up(var writer, _) = state { try? run(writer.update(frame)) }
        bus.close()
        state = .down(ReconnectBackoff())
    }

    private mutating func run(_ steps: [DisplayWriter.Step]) throws(BusFault) {
        for step in steps {
            switch step {
            case .wait(let pause):
                bus.wait(pause)
            case .write(let portBytes):
                var rest = portBytes[...]
                while !rest.isEmpty {
                    try bus.write(Array(rest.prefix(bus.largestWrite)))
                    rest = rest.dropFirst(bus.largestWrite)
                }
            }
        }
    }

    private mutating func fail(_ fault: BusFault, at now: Instant) -> DisplayReport {
        var outage = ReconnectBackoff()
        if case .down(let earlier) = state { outage = earlier }
        outage.extend(by: fault, at: now)
        state = .down(outage)
        bus.close()
        return report(fault, until: outage.nextTry)
    }

    private func report(_ fault: BusFault, until nextTry: Instant) -> DisplayReport {
        DisplayReport(.absent(DisplayReport.Fault(fault.description)), callAgainAt: nextTry)
    }

    private var callAgainAt: Instant? {
        guard case .up(_, let syncedAt) = state else { return nil }
        return resync.map { syncedAt + $0 }
    }
}

extension HD44780Display: Sendable where Bus: Sendable {}

extension HD44780Display where Bus == SMBusExpander {
    public init(_ wiring: DisplayWiring) {
        self.init(
            panel: wiring.panel, resync: wiring.resync,
            bus: SMBusExpander(bus: wiring.bus, address: wiring.address, pins: wiring.panel.pins))
    }
}

/// The time of the next connection attempt: 0.1, 0.2, 0.4 … 5 s after each failure.
struct ReconnectBackoff: Hashable, Sendable {
    /// The latest fault; nil before the first attempt.
    private(set) var fault: BusFault?
    private(set) var nextTry = Instant(microseconds: .min)
    private var failures = 0

    mutating func extend(by fault: BusFault, at now: Instant) {
        failures += 1
        // A stuck line blocks each attempt for the whole time-out, and is often released again.
        let longest: Duration = fault.errno == ETIMEDOUT ? .seconds(3) : .seconds(5)
        nextTry = now + Backoff(from: .milliseconds(100), upTo: longest).wait(afterFailures: failures)
        self.fault = fault
    }
}
