/// The machine's clocks, real or simulated.
public protocol MachineClock: Sendable {
    /// CLOCK_BOOTTIME.
    func now() -> Instant
    /// The system clock, and whether it is synchronised.
    func reading() -> CorrectedClock.Reading
}
