/// The machine's clocks, real or simulated.
public protocol MachineClock: Sendable {
    /// CLOCK_BOOTTIME.
    func now() -> Instant
    func reading() -> CorrectedClock.Reading
}
