/// The result of the latest polls of a stop.
enum FeedStatus: Hashable, Sendable, Codable {
    /// No response yet.
    case loading
    /// The last poll was successful.
    case responding
    /// The last polls failed: the latest kind, and the number of consecutive failures.
    case failing(FeedFailure.Kind, count: Int)

    /// The status after another failure.
    func after(_ failure: FeedFailure.Kind) -> FeedStatus {
        if case .failing(_, let count) = self { return .failing(failure, count: count + 1) }
        return .failing(failure, count: 1)
    }

    var isFailing: Bool {
        if case .failing = self { return true }
        return false
    }
}

// MARK: - Snapshot

extension FeedStatus {
    /// The limit of the failure count, so that it can always be incremented.
    private static let maximumCount = 1_000_000_000
    /// The longest valid `Retry-After`.
    private static let longestWait = Duration.seconds(366 * 86_400)

    /// Whether the value can result from polls.
    var isValid: Bool {
        guard case .failing(let kind, let count) = self else { return true }
        guard (0...Self.maximumCount).contains(count) else { return false }
        guard case .rateLimited(let wait?) = kind else { return true }
        return (.zero...Self.longestWait).contains(wait)
    }
}
