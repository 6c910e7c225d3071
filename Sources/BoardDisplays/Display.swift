public import BoardCore
import Glibc

/// A display, real or simulated.
///
/// Used from one thread. It may block while its bus needs time. It never throws: an absent display is a state, not a
/// reason to exit.
public protocol Display {
    /// Shows `frame`, if possible.
    mutating func show(_ frame: Frame, at now: Instant) -> DisplayReport

    /// Shows the last frame, leaves the controller synchronised and closes the bus.
    mutating func close(last frame: Frame, at now: Instant)
}

public struct DisplayReport: Hashable, Sendable {
    public enum Health: Hashable, Sendable {
        case shown
        /// The display is not connected or not reachable: where, what was found, the remedy.
        case absent(String)
    }

    public let health: Health
    /// When to call ``Display/show(_:at:)`` again although the frame is the same (to recover or re-synchronise).
    public let callAgainAt: Instant?

    public init(_ health: Health, callAgainAt: Instant? = nil) {
        self.health = health
        self.callAgainAt = callAgainAt
    }
}

/// The display that a configuration describes, or that is searched for.
public enum HardwareDisplay {
    /// - Parameter found: receives the wiring of a display that was searched for, on the thread that shows the frames.
    public static func make(_ wiring: DisplayWiring, found: @escaping (DisplayWiring) -> Void = { _ in }) -> any Display
    {
        make(wiring, library: LibI2C(), found: found)
    }

    static func make(
        _ wiring: DisplayWiring, library: any I2CLibrary, found: @escaping (DisplayWiring) -> Void = { _ in }
    ) -> any Display {
        wiring.origin == .configured
            ? described(wiring, library)
            : SearchedDisplay(DisplaySearch(library), make: { described($0, library) }, found: found)
    }

    private static func described(_ wiring: DisplayWiring, _ library: any I2CLibrary) -> any Display {
        switch wiring.driver {
        case .hd44780:
            HD44780Display(
                panel: wiring.panel, resync: wiring.resync,
                bus: SMBusExpander(bus: wiring.bus, address: wiring.address, pins: wiring.panel.pins, library: library))
        case .ssd1306: oled(.ssd1306, wiring, library)
        case .sh1106: oled(.sh1106, wiring, library)
        case .ht16k33: led(wiring, library)
        case .lcdproc:
            ReconnectingDisplay(LCDdLink(server: wiring.server, size: wiring.panel.size), resync: wiring.resync)
        case .none: NoDisplay()
        }
    }

    private static func oled(_ chip: OLEDChip, _ wiring: DisplayWiring, _ library: any I2CLibrary) -> any Display {
        let panel = OLEDPanel(
            chip: chip, height: wiring.dotRows, size: wiring.panel.size, brightness: wiring.brightness)
        let device = I2CDevice(bus: wiring.bus, address: wiring.address, candidates: .oled, library: library)
        return ReconnectingDisplay(OLEDLink(panel: panel, bus: device), resync: wiring.resync)
    }

    private static func led(_ wiring: DisplayWiring, _ library: any I2CLibrary) -> any Display {
        let panel = LEDPanel(modules: wiring.modules, size: wiring.panel.size, brightness: wiring.brightness)
        let devices = wiring.modules.addresses.map { address in
            I2CDevice(bus: wiring.bus, address: .fixed(address), candidates: .none, library: library)
        }
        return ReconnectingDisplay(LEDLink(panel: panel, buses: devices), resync: wiring.resync)
    }
}

extension I2CDevice: DeviceBus {}

/// `driver = "none"`: a board that is read only over the control socket.
private struct NoDisplay: Display {
    mutating func show(_ frame: Frame, at now: Instant) -> DisplayReport { DisplayReport(.shown) }
    mutating func close(last frame: Frame, at now: Instant) {}
}

// MARK: - Connections

/// The connection to a display, and what the display shows.
protocol DisplayLink {
    /// Connects to a display in any state and shows `frame`. May be called again after a fault.
    mutating func connect(showing frame: Frame) throws(DeviceError)

    /// Shows `frame`: sends only what differs from the last one.
    mutating func update(_ frame: Frame) throws(DeviceError)

    /// Repeats the settings and the whole picture.
    mutating func resync() throws(DeviceError)

    mutating func disconnect()
}

/// A display that is connected whenever it is there.
///
/// After a fault its state counts as unknown: it is connected and initialised again after 0.1 s, doubled up to 5 s.
/// A re-synchronisation every ``DisplayWiring/resync`` repairs faults that no transfer reports (noise, a brown-out).
struct ReconnectingDisplay<Link: DisplayLink>: Display {
    private enum State {
        case down(ReconnectBackoff)
        case up(syncedAt: Instant)
    }

    private var link: Link
    private let resync: Duration?
    private var state = State.down(ReconnectBackoff())

    /// A display that the first ``show(_:at:)`` connects.
    ///
    /// - Parameter resync: the interval of re-synchronisations; nil: never.
    init(_ link: Link, resync: Duration?) {
        self.link = link
        self.resync = resync
    }

    mutating func show(_ frame: Frame, at now: Instant) -> DisplayReport {
        do throws(DeviceError) {
            switch state {
            case .down(let outage):
                if let fault = outage.fault, now < outage.nextTry {
                    return DisplayReport(fault, until: outage.nextTry)
                }
                try link.connect(showing: frame)
                state = .up(syncedAt: now)
            case .up(let syncedAt):
                // Changes come first, so that a press is visible before the re-synchronisation.
                try link.update(frame)
                if let resync, now >= syncedAt + resync {
                    try link.resync()
                    state = .up(syncedAt: now)
                }
            }
        } catch {
            return fail(error, at: now)
        }
        guard case .up(let syncedAt) = state else { return DisplayReport(.shown) }
        return DisplayReport(.shown, callAgainAt: resync.map { syncedAt + $0 })
    }

    /// Shows a last frame if the display is connected, and disconnects it.
    mutating func close(last frame: Frame, at now: Instant) {
        if case .up = state { try? link.update(frame) }
        link.disconnect()
        state = .down(ReconnectBackoff())
    }

    private mutating func fail(_ fault: DeviceError, at now: Instant) -> DisplayReport {
        var outage = ReconnectBackoff()
        if case .down(let earlier) = state { outage = earlier }
        outage.extend(by: fault, at: now)
        state = .down(outage)
        link.disconnect()
        return DisplayReport(fault, until: outage.nextTry)
    }
}

extension DisplayReport {
    /// - Parameter nextTry: the time of the next attempt.
    init(_ fault: DeviceError, until nextTry: Instant) {
        self.init(.absent(fault.description), callAgainAt: nextTry)
    }
}

/// The time of the next connection attempt: 0.1, 0.2, 0.4 … 5 s after each failure.
struct ReconnectBackoff: Hashable, Sendable {
    /// The latest fault; nil before the first attempt.
    private(set) var fault: DeviceError?
    private(set) var nextTry = Instant(microseconds: .min)
    private var failures = 0

    mutating func extend(by fault: DeviceError, at now: Instant) {
        failures += 1
        // A stuck line blocks each attempt for the whole timeout, and is often released again.
        let longest: Duration = fault.errno == ETIMEDOUT ? .seconds(3) : .seconds(5)
        nextTry = now + Backoff(from: .milliseconds(100), upTo: longest).wait(afterFailures: failures)
        self.fault = fault
    }
}
