extension HD44780Model {
    /// The lines between expander and controller.
    public struct Lines: Hashable, Sendable {
        /// Register select: 1 is data.
        public var rs: Bool
        /// Read (1) or write (0).
        public var rw: Bool
        /// Enable.
        public var e: Bool
        /// D4 to D7.
        public var data: UInt8

        /// Lines at these levels.
        public init(rs: Bool, rw: Bool, e: Bool, data: UInt8) {
            self.rs = rs
            self.rw = rw
            self.e = e
            self.data = data
        }
    }

    /// The lines go from one set of levels to another at once, as a port's pins do.
    ///
    /// - Parameter now: in nanoseconds.
    public mutating func lines(from old: Lines, to new: Lines, at now: Int64) {
        if !old.e, new.e, old.rs != new.rs || old.rw != new.rw { violations.append(.addressSetUp) }
        guard old.e, !new.e else { return }
        if old.rs != new.rs || old.rw != new.rw || (!old.rw && old.data != new.data) { violations.append(.hold) }
        if old.rw || new.rw { return read(data: old.rs) }
        pulse(old.data, data: old.rs, at: now)
    }

    /// Noise on E while nothing is sent: the controller takes a nibble that nobody meant.
    public mutating func stray(_ nibble: UInt8, data: Bool, at now: Int64) {
        pulse(nibble, data: data, at: now)
    }

    /// The next pulses of E do not reach the controller.
    public mutating func lose(pulses: Int) {
        lostPulses += pulses
    }

    /// E fell with R/W low: the controller takes what is on its data lines.
    private mutating func pulse(_ nibble: UInt8, data: Bool, at now: Int64) {
        guard lostPulses == 0 else {
            lostPulses -= 1
            return
        }
        guard now >= busyUntil else {
            violations.append(.busy(by: busyUntil - now))
            return
        }
        if isEightBit {
            take(nibble << 4 | floating, data: data, at: now)
        } else if let first = pending {
            pending = nil
            take(first << 4 | nibble, data: data, at: now)
        } else {
            pending = nibble
        }
    }

    /// E fell with R/W high: half a read, or a whole one of an 8-bit interface. Reading data moves the counter.
    private mutating func read(data: Bool) {
        if !isEightBit, pending == nil {
            pending = 0
            return
        }
        pending = nil
        if data { step() }
    }

    private mutating func take(_ byte: UInt8, data: Bool, at now: Int64) {
        let isLong = !data && (byte == 0x01 || byte & 0xFE == 0x02)
        var time = data ? timing.data : isLong ? timing.clear : timing.execution
        if slowStarts > 0 {
            time = slowStarts == 2 ? 4_100_000 : 100_000
            slowStarts -= 1
        }
        busyUntil = now + time
        if data { store(byte) } else { execute(byte) }
    }
}
