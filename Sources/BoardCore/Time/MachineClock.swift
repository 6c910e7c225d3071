/// The machine's clocks, real or simulated.
public protocol MachineClock: Sendable {
    /// CLOCK_BOOTTIME.
    func now() -> Instant
    func reading() -> CorrectedClock.Reading
    /// Sleeps until an instant, or until the task is cancelled.
    func sleep(until instant: Instant) async
}

extension MachineClock {
    /// Sleeps for a while, or until the task is cancelled.
    public func sleep(for duration: Duration) async { await sleep(until: now() + duration) }

    /// Waits for the first element of a stream; nil: none came within the limit, or the stream or the task ended.
    public func first<Element: Sendable>(of stream: AsyncStream<Element>, within limit: Duration) async -> Element? {
        await withTaskGroup(of: Element?.self) { group in
            group.addTask { await stream.first { _ in true } }
            group.addTask {
                await sleep(for: limit)
                return nil
            }
            defer { group.cancelAll() }
            return await group.next() ?? nil
        }
    }
}

/// A clock that is stopped at a moment, for what is computed at once. A sleep by it ends at once.
public struct StoppedClock: MachineClock {
    private let moment: Timestamp

    public init(_ moment: Timestamp) { self.moment = moment }

    /// Late enough after the start of a machine for every duration before it.
    public func now() -> Instant { Instant(microseconds: 86_400_000_000) }
    public func reading() -> CorrectedClock.Reading { .init(wall: moment, isSynchronised: true) }
    public func sleep(until instant: Instant) async {}
}
