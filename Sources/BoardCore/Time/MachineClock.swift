/// The machine's clocks: an edge of the house, real or simulated.
public protocol MachineClock: Sendable {
    /// The instant: CLOCK_BOOTTIME.
    func now() -> Instant
    /// What the wall clock says now, and whether anybody vouches for it.
    func reading() -> CorrectedClock.Reading
}
