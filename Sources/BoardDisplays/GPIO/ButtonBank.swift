import BoardCore
import Glibc

/// All buttons with their lines and debouncers, driven by the thread of ``GPIOButtons``.
struct ButtonBank {
    private struct Group {
        let chip: GPIOChip
        let request: any GPIORequest
        var debouncers: [UInt32: Debouncer] = [:]
    }

    private typealias Button = (id: ButtonID, line: GPIOLine)

    private let clock: EventClock
    private var groups: [Group] = []

    /// Requests the lines of all wirings, or none; button 0 is the first.
    init(_ wirings: [ButtonWiring], library: any GPIOLibrary, clock: EventClock) throws(DeviceError) {
        self.clock = clock
        do throws(DeviceError) {
            for (chip, buttons) in try Self.byChip(wirings, library: library) {
                groups.append(try Self.open(buttons, on: chip, library: library))
            }
        } catch {
            close()
            throw error
        }
    }

    var descriptors: [Int32] { groups.flatMap(\.request.descriptors) }

    /// When ``settle(at:)`` is due; nil while all contacts are stable.
    var deadline: Instant? { groups.flatMap(\.debouncers.values).compactMap(\.deadline).min() }

    /// Reads the pending edges of a descriptor; returns the changes that settled between them.
    mutating func read(_ descriptor: Int32) throws(DeviceError) -> [ButtonChange] {
        guard let index = groups.firstIndex(where: { $0.request.descriptors.contains(descriptor) }) else { return [] }
        let read: GPIOEdges
        do {
            read = try groups[index].request.read(descriptor)
        } catch {
            throw lost(groups[index].chip, error)
        }
        var changes: [ButtonChange] = []
        for edge in read.edges {
            let instant = clock.instant(ofMonotonic: edge.nanoseconds)
            let change = groups[index].debouncers[edge.line]?
                .edge(isDown: edge.isActive, at: instant, sequence: edge.sequence)
            if let change { changes.append(change) }
        }
        if read.queueWasFull {
            for line in Set(read.edges.map(\.line)) {
                groups[index].debouncers[line]?.noteLostEdges(at: clock.now())
            }
        }
        return changes
    }

    /// Settles the debouncers whose deadline has passed; reads the level of a line that may have lost edges.
    ///
    /// - Parameter now: an instant before the last edges were read, so that every edge up to it has been read.
    mutating func settle(at now: Instant) throws(DeviceError) -> [ButtonChange] {
        var changes: [ButtonChange] = []
        for index in groups.indices {
            let due = groups[index].debouncers.filter { ($0.value.deadline ?? now + .microseconds(1)) <= now }
            for (line, debouncer) in due {
                var level: Bool?
                if debouncer.needsLevel {
                    do {
                        level = try groups[index].request.isActive(line)
                    } catch {
                        throw lost(groups[index].chip, error)
                    }
                }
                let change = groups[index].debouncers[line]?.settle(at: now, level: level)
                if let change { changes.append(change) }
            }
        }
        return changes.sorted { ($0.at, $0.button.index) < ($1.at, $1.button.index) }
    }

    /// The fault of a descriptor for which poll(2) reports an error: its chip was removed.
    func fault(of descriptor: Int32) -> DeviceError {
        let group = groups.first { $0.request.descriptors.contains(descriptor) }
        return group.map { lost($0.chip, DeviceError(gpio: ENODEV)) } ?? DeviceError("a GPIO chip was removed")
    }

    func close() {
        for group in groups { group.request.close() }
    }

    private func lost(_ chip: GPIOChip, _ error: DeviceError) -> DeviceError {
        DeviceError("the buttons at \(chip) failed: \(error)")
    }

    /// The buttons of each chip, chips in the order of their first button.
    private static func byChip(
        _ wirings: [ButtonWiring], library: any GPIOLibrary
    ) throws(DeviceError) -> [(GPIOChip, [Button])] {
        guard !wirings.isEmpty else { return [] }
        let finder = GPIOChipFinder(library)
        var chips: [(chip: GPIOChip, buttons: [Button])] = []
        for (index, wiring) in wirings.enumerated() {
            let chip = try finder.chip(wiring.chip)
            let button = (id: ButtonID(index), line: GPIOLine(offset: wiring.line, pull: wiring.pull))
            if case .success(let identity) = chip.identity, wiring.line >= identity.lineCount {
                throw DeviceError("\(chip) has no line \(wiring.line): its lines are 0 to \(identity.lineCount - 1)")
            }
            guard let existing = chips.firstIndex(where: { $0.chip.path == chip.path }) else {
                chips.append((chip, [button]))
                continue
            }
            if let other = chips[existing].buttons.first(where: { $0.line.offset == wiring.line }) {
                throw DeviceError(
                    "[[button]] number \(other.id.number) and number \(index + 1) are both line \(wiring.line)"
                        + " of \(chip): give each its own")
            }
            chips[existing].buttons.append(button)
        }
        return chips.map { ($0.chip, $0.buttons) }
    }

    private static func open(
        _ buttons: [Button], on chip: GPIOChip, library: any GPIOLibrary
    ) throws(DeviceError) -> Group {
        let request: any GPIORequest
        do {
            request = try library.request(buttons.map(\.line), onChipAt: chip.path)
        } catch {
            throw fault(error, buttons, chip, library)
        }
        var group = Group(chip: chip, request: request)
        do {
            for button in buttons {
                let isDown = try request.isActive(button.line.offset)
                group.debouncers[button.line.offset] = Debouncer(button: button.id, isDown: isDown)
            }
        } catch {
            request.close()
            throw DeviceError("the buttons at \(chip) cannot be read: \(error)")
        }
        return group
    }

    /// Why lines cannot be requested: which line, who uses it, what to do.
    private static func fault(
        _ error: DeviceError, _ buttons: [Button], _ chip: GPIOChip, _ library: any GPIOLibrary
    ) -> DeviceError {
        switch error.errno {
        case EACCES, EPERM:
            return .notPermitted(chip.path)
        case EBUSY:
            let used = buttons.lazy.compactMap { button in
                library.user(ofLine: button.line.offset, onChipAt: chip.path).map { (button.line.offset, $0) }
            }.first
            let what = used.map { line, user in
                "GPIO line \(line) of \(chip) is in use by "
                    + (user.isEmpty ? "the kernel or another program" : "\"\(user)\"")
            }
            let all = buttons.map { String($0.line.offset) }.joined(separator: ", ")
            return DeviceError(
                (what ?? "a GPIO line of \(chip) (of \(all)) is in use")
                    + ": stop that program, remove its overlay from config.txt, or choose another line in [[button]]"
                    + " (gpioinfo lists the users)")
        default:
            let all = buttons.map { String($0.line.offset) }.joined(separator: ", ")
            return DeviceError("GPIO line \(all) of \(chip) cannot be requested: \(error)")
        }
    }
}

/// Converts the timestamps of GPIO events to instants.
///
/// The kernel stamps edges with CLOCK_MONOTONIC, which stops during suspend; instants use CLOCK_BOOTTIME.
struct EventClock: Sendable {
    let now: @Sendable () -> Instant
    /// The difference CLOCK_BOOTTIME − CLOCK_MONOTONIC in microseconds.
    let aheadOfMonotonic: @Sendable () -> Int64

    static let system = EventClock(
        now: { Instant(microseconds: nanoseconds(CLOCK_BOOTTIME) / 1_000) },
        aheadOfMonotonic: {
            // Read between two readings of the other clock; repeated if the thread was preempted in between.
            var ahead: Int64 = 0
            for _ in 0..<4 {
                let before = nanoseconds(CLOCK_MONOTONIC)
                let boot = nanoseconds(CLOCK_BOOTTIME)
                let after = nanoseconds(CLOCK_MONOTONIC)
                ahead = (boot - before - (after - before) / 2) / 1_000
                if after - before < 50_000 { break }
            }
            return ahead
        })

    /// The instant of an edge.
    ///
    /// Never later than now: kernels before 5.7 stamp with the wall clock, whose values are far in the future.
    func instant(ofMonotonic nanoseconds: UInt64) -> Instant {
        let mapped = Instant(microseconds: Int64(clamping: nanoseconds / 1_000)) + .microseconds(aheadOfMonotonic())
        return min(mapped, now())
    }

    private static func nanoseconds(_ clock: clockid_t) -> Int64 {
        var time = timespec()
        unsafe clock_gettime(clock, &time)
        return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
    }
}
