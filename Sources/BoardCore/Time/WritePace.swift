/// How often a file is written that others cause to change: the first changes at once, and those that follow after pauses of 2 s, 10 s and
/// 60 s, so that a client that never stops does not wear out an SD card. The last state is written after the pause.
public struct WritePace: Hashable, Sendable {
    /// So many writes for each pause.
    private static let writes = 8
    private static let pauses = [Duration.zero, .seconds(2), .seconds(10), .seconds(60)]
    /// After this time without a write the next ones come at once again.
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
