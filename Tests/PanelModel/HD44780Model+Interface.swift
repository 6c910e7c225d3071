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

        public init(rs: Bool, rw: Bool, e: Bool, data: UInt8) {
            self.rs = rs
            self.rw = rw
            self.e = e
            self.data = data
        }
    }

    /// Changes the lines' levels at once, as a port's pins do.
    ///
    /// - Parameter now: the time in nanoseconds.
    public mutating func lines(from old: Lines, to new: Lines, at now: Int64) {
        if !old.e, new.e, old.rs != new.rs || old.rw != new.rw { violations.append(.addressSetUp) }
        guard old.e, !new.e else { return }
        if old.rs != new.rs || old.rw != new.rw || (!old.rw && old.data != new.data) { violations.append(.hold) }
        if old.rw || new.rw { return read(data: old.rs) }
        pulse(old.data, data: old.rs, at: now)
    }

    /// Noise on E: the controller reads a nibble that was not sent.
    public mutating func stray(_ nibble: UInt8, data: Bool, at now: Int64) {
        pulse(nibble, data: data, at: now)
    }

    /// E fell with R/W low: the controller reads its data lines.
    private mutating func pulse(_ nibble: UInt8, data: Bool, at now: Int64) {
        guard now >= busyUntil else {
            violations.append(.busy(by: busyUntil - now))
            return
        }
        if isEightBit {
            receive(nibble << 4 | floating, data: data, at: now)
        } else if let first = pending {
            pending = nil
            receive(first << 4 | nibble, data: data, at: now)
        } else {
            pending = nibble
        }
    }

    /// E fell with R/W high: half a read, or a complete one of an 8-bit interface. Reading data moves the counter.
    private mutating func read(data: Bool) {
        if !isEightBit, pending == nil {
            pending = 0
            return
        }
        pending = nil
        if data { step() }
    }

    private mutating func receive(_ byte: UInt8, data: Bool, at now: Int64) {
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
