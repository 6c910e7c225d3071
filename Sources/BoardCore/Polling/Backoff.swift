/// Waits that double with each failure in a row, with no limit on attempts.
public struct Backoff: Hashable, Sendable {
    static let polls = Backoff(from: .seconds(5), upTo: .seconds(300))
    /// The wait after a rejection that only a person can resolve (401, 403, 404).
    static let rejected = Duration.seconds(900)

    /// The longest `Retry-After` that is honoured.
    private static let maximumRequestedWait = Duration.seconds(3_600)

    /// The wait after the first failure.
    let first: Duration
    private let longest: Duration

    public init(from first: Duration, upTo longest: Duration) {
        self.first = first
        self.longest = longest
    }

    public func wait(afterFailures count: Int) -> Duration {
        // More doublings than any user needs; without a limit they would overflow.
        min(longest, first * (1 << min(max(count - 1, 0), 20)))
    }

    /// The wait that an operator requests, limited to a sensible range ("at once" and "next week" are not); nil: none.
    /// After a rate limit without `Retry-After` it is `usual`.
    static func requestedWait(_ failure: FeedError, otherwise usual: Duration) -> Duration? {
        let isRateLimited = if case .rateLimited = failure.kind { true } else { false }
        return (failure.retryAfter ?? (isRateLimited ? usual : nil)).map {
            min(max($0, polls.first), maximumRequestedWait)
        }
    }
}

/// A small seeded generator (SplitMix64), so that jitter is a value like all state of the core.
package struct RandomSource: RandomNumberGenerator, Hashable, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func part(of duration: Duration) -> Duration {
        let whole = max(0, duration.wholeMicroseconds)
        return .microseconds(Int64.random(in: 0...whole, using: &self))
    }
}

/// How often to write a file whose changes others cause: the first at once, those that follow after pauses of 2 s, 10 s
/// and 60 s, so that a client that never stops does not wear out an SD card. The last state is written after the pause.
public struct WritePace: Hashable, Sendable {
    /// The number of writes for each pause.
    private static let writes = 8
    private static let pauses = [Duration.zero, .seconds(2), .seconds(10), .seconds(60)]
    /// After this time without a write, the next ones are at once again.
    private static let rest = Duration.seconds(120)

    private let longest: Duration
    private var count = 0
    private var last: Instant?

    /// - Parameter longest: the longest pause.
    public init(longest: Duration = .seconds(60)) { self.longest = longest }

    /// When the next write may begin; nil: at once.
    public var next: Instant? {
        last.map { $0 + min(Self.pauses[min(count / Self.writes, Self.pauses.count - 1)], longest) }
    }

    public mutating func wrote(at now: Instant) {
        if let last, now - last >= Self.rest { count = 0 }
        count += 1
        last = now
    }
}
