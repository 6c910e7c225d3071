public import BoardCore
import BoardIO
import Glibc

/// The buttons, real or simulated.
public protocol Buttons: Sendable {
    /// Passes every debounced change to `receive` until the task is cancelled or the device is lost.
    func watch(_ receive: @escaping @Sendable (ButtonChange) -> Void) async throws(DeviceError)
}

/// The GPIO connection of one button.
public struct ButtonWiring: Hashable, Sendable {
    public enum Chip: Hashable, Sendable {
        /// The chip of the Pi's header, found by its label.
        case auto
        /// A chip's label, or a device's path when it begins with a slash.
        case named(String)
    }

    /// The internal resistor.
    public enum Pull: String, CaseIterable, Sendable {
        /// To the supply; the button connects to ground and is active low.
        case up
        /// To ground; the button connects to the supply and is active high.
        case down
        /// None: the circuit has one; active high.
        case none
    }

    public let chip: Chip
    /// The line on the chip: the BCM number on every Pi.
    public let line: UInt32
    public let pull: Pull

    public init(chip: Chip = .auto, line: UInt32 = 17, pull: Pull = .up) {
        self.chip = chip
        self.line = line
        self.pull = pull
    }
}

extension ButtonWiring {
    /// The lines of the header at which a button may be searched for: on no bus that the kernel or an overlay may use, as
    /// I2C (0 to 3), SPI (7 to 11), the serial port (14, 15) and sound (18 to 21).
    private static let searched: [UInt32] = [4, 5, 6, 12, 13, 16, 17, 22, 23, 24, 25, 26, 27]

    /// The lines of a search: the known ones, and others, pulled up; none that another program uses.
    ///
    /// - Throws: ``DeviceError`` where this machine has no header.
    public static func searched(with known: [ButtonWiring], _ scan: GPIOScan) throws(DeviceError) -> [ButtonWiring] {
        let users = try scan.header.get().consumers
        let others = searched.filter { line in users[line] == nil && !known.contains { $0.line == line } }
        let free = known.filter { users[$0.line].isNilOr { $0 == GPIOButtons.consumer } }
        return free + others.map { ButtonWiring(line: $0) }
    }
}

/// Buttons on GPIO lines, through libgpiod.
///
/// A dedicated thread sleeps in poll(2) until a line changes: without presses nothing wakes. ``Debouncer`` debounces
/// for every version of libgpiod.
public struct GPIOButtons: Buttons {
    /// The consumer of the lines while a board runs.
    public static let consumer = "boardd"

    private let wirings: [ButtonWiring]
    private let library: any GPIOLibrary
    private let clock: EventClock

    /// The wirings are in the order of the buttons. Opens nothing before ``watch(_:)``.
    public init(_ wirings: [ButtonWiring]) {
        self.init(wirings, library: LibGPIO(), clock: .system)
    }

    init(_ wirings: [ButtonWiring], library: any GPIOLibrary, clock: EventClock) {
        self.wirings = wirings
        self.library = library
        self.clock = clock
    }

    /// Passes every debounced change to `receive`, on the buttons' own thread, until the task is cancelled.
    ///
    /// Releases the lines before it returns. May be called again after a fault: a chip can come back.
    ///
    /// - Throws: ``DeviceError`` if no chip matches, a line is in use, or the device may not be opened or was removed.
    public func watch(_ receive: @escaping @Sendable (ButtonChange) -> Void) async throws(DeviceError) {
        let end: Result<Void, DeviceError>
        do throws(ThreadError) {
            let stop = try WakeEvent()
            end = try await DedicatedThread.run("buttons", signallingCancellationTo: stop) {
                Result { () throws(DeviceError) in try run(until: stop, receive) }
            }
        } catch {
            throw DeviceError("cannot watch the buttons: \(error)")
        }
        try end.get()
    }

    private func run(until stop: WakeEvent, _ receive: @Sendable (ButtonChange) -> Void) throws(DeviceError) {
        var bank = try ButtonBank(wirings, library: library, clock: clock)
        defer { bank.close() }
        var polled = ([stop.descriptor] + bank.descriptors).map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while true {
            try sleep(&polled, until: bank.deadline)
            // Polled again after the clock is read: then all edges before `now` are read, and a debounce time that
            // ended while an edge arrived does not settle on an outdated level.
            let now = clock.now()
            _ = unsafe poll(&polled, nfds_t(polled.count), 0)
            guard polled.first?.revents == 0 else { return }
            for line in polled.dropFirst() where line.revents != 0 {
                guard line.revents & Int16(POLLIN) != 0 else { throw bank.fault(of: line.fd) }
                for change in try bank.read(line.fd) { receive(change) }
            }
            for change in try bank.settle(at: now) { receive(change) }
        }
    }

    /// Sleeps until a descriptor is readable or `deadline` has passed.
    private func sleep(_ polled: inout [pollfd], until deadline: Instant?) throws(DeviceError) {
        let limit = deadline.map { ($0 - clock.now()).pollLimit }
        let status = unsafe poll(&polled, nfds_t(polled.count), limit ?? -1)
        guard status >= 0 || errno == EINTR else {
            throw DeviceError("cannot watch the buttons: \(errnoText(errno))")
        }
    }
}

/// A change of a button's line that the kernel saw, with every bounce.
public struct ButtonEdge: Hashable, Sendable {
    public let isDown: Bool
    /// CLOCK_MONOTONIC.
    public let nanoseconds: UInt64

    public init(isDown: Bool, nanoseconds: UInt64) {
        self.isDown = isDown
        self.nanoseconds = nanoseconds
    }
}

extension GPIOButtons {
    /// Every edge of a line for a time; blocks.
    public static func edges(of wiring: ButtonWiring, for time: Duration) throws(DeviceError) -> [ButtonEdge] {
        try edges(of: wiring, until: EventClock.system.now() + time, library: LibGPIO(), clock: .system)
    }

    static func edges(
        of wiring: ButtonWiring, until end: Instant, library: any GPIOLibrary, clock: EventClock
    ) throws(DeviceError) -> [ButtonEdge] {
        let chip = try GPIOChipFinder(library).chip(wiring.chip)
        let request = try library.request([GPIOLine(offset: wiring.line, pull: wiring.pull)], onChipAt: chip.path)
        defer { request.close() }
        var edges: [ButtonEdge] = []
        var polled = request.descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
        while clock.now() < end {
            guard unsafe poll(&polled, nfds_t(polled.count), (end - clock.now()).pollLimit) > 0 else { continue }
            for line in polled where line.revents != 0 {
                edges += try request.read(line.fd).edges.map {
                    ButtonEdge(isDown: $0.isActive, nanoseconds: $0.nanoseconds)
                }
            }
        }
        return edges
    }
}

/// Finds the GPIO chip of a button.
struct GPIOChipFinder {
    /// The labels of the header's chip: Pi 5, Pi 4, Pi 0 to 3.
    ///
    /// The chip's number does not identify it: on a Pi 5 it has been 4, 0 and 15, depending on the kernel.
    static let headerLabels = ["pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835"]
    /// A line name of the header's chip, for future Pis.
    static let headerLineName = "GPIO17"

    private let library: any GPIOLibrary
    private let chips: [GPIOChip]

    init(_ library: any GPIOLibrary) {
        self.library = library
        chips = library.chips()
    }

    func chip(_ choice: ButtonWiring.Chip) throws(DeviceError) -> GPIOChip {
        switch choice {
        case .auto: return try headerChip()
        case .named(let name) where name.hasPrefix("/"): return try chip(at: name)
        case .named(let label):
            guard let chip = chips.first(where: { $0.label == label }) else {
                throw fault("no GPIO chip with the label \"\(label)\"")
            }
            return chip
        }
    }

    private func headerChip() throws(DeviceError) -> GPIOChip {
        for label in Self.headerLabels {
            if let chip = chips.first(where: { $0.label == label }) { return chip }
        }
        let named = chips.first { library.hasLine(named: Self.headerLineName, onChipAt: $0.path) }
        if let named { return named }
        let labels = Self.headerLabels.joined(separator: ", ")
        throw fault("no GPIO chip of a Raspberry Pi's header (\(labels), or one with a line \(Self.headerLineName))")
    }

    private func chip(at path: String) throws(DeviceError) -> GPIOChip {
        let chip = library.chip(at: path)
        if case .failure(let error) = chip.identity {
            guard error.errno != EACCES && error.errno != EPERM else { throw .notPermitted(path) }
            throw fault("\(path) is not a GPIO chip (\(error))")
        }
        return chip
    }

    /// An error with what was searched for, what was found, and what to do.
    private func fault(_ sentence: String) -> DeviceError {
        guard !chips.isEmpty else {
            return DeviceError("\(sentence): this machine has no /dev/gpiochip*")
        }
        let denied = chips.first { chip in
            if case .failure(let error) = chip.identity { return error.errno == EACCES || error.errno == EPERM }
            return false
        }
        if let denied { return .notPermitted(denied.path) }
        let found = chips.map(\.description).joined(separator: ", ")
        return DeviceError("\(sentence): found \(found); set chip in [[button]] to one of these labels or paths")
    }
}

extension DeviceError {
    static func notPermitted(_ path: String) -> DeviceError {
        DeviceError(
            "\(path): permission denied: add the user that runs boardd to group gpio"
                + " (usermod -aG gpio USER), or run boardd as the installed service")
    }
}

/// The GPIO chips of this machine, and the consumers of the pin header's lines.
public struct GPIOScan: Hashable, Sendable {
    public struct Header: Hashable, Sendable {
        /// The lines that the pin header has on every Pi with 40 pins, by their BCM numbers.
        public static let lines: ClosedRange<UInt32> = 0...27

        /// The chip of the header, as in ``GPIOScan/chips``.
        public let chip: String
        /// The consumer of each line that is in use; "" if it has no name.
        public let consumers: [UInt32: String]

        public init(chip: String, consumers: [UInt32: String]) {
            self.chip = chip
            self.consumers = consumers
        }
    }

    /// The path and the label of each chip, or why it cannot be read.
    public let chips: [String]
    /// The chip with the pin header, or why there is none.
    public let header: Result<Header, DeviceError>

    public init(chips: [String], header: Result<Header, DeviceError>) {
        self.chips = chips
        self.header = header
    }

    /// Reads every chip, and requests no line. Blocks for a few milliseconds.
    public init() {
        self.init(LibGPIO())
    }

    init(_ library: any GPIOLibrary) {
        chips = library.chips().map(\.description)
        header = Result { () throws(DeviceError) in
            let chip = try GPIOChipFinder(library).chip(.auto)
            var consumers: [UInt32: String] = [:]
            for line in Header.lines { consumers[line] = library.user(ofLine: line, onChipAt: chip.path) }
            return Header(chip: chip.description, consumers: consumers)
        }
    }
}
