/// The result of the latest polls of a stop.
public enum FeedStatus: Hashable, Sendable, Codable {
    /// No response yet.
    case loading
    /// The last poll was successful, and estimates advance.
    case live
    /// Responses arrive, but their newest timestamp has not advanced since then.
    case frozen(since: Timestamp)
    /// The last polls failed: the latest kind, and the number of consecutive failures.
    case failing(FeedFailure.Kind, count: Int)

    func after(_ failure: FeedFailure.Kind) -> FeedStatus {
        guard case .failing(_, let count) = self else { return .failing(failure, count: 1) }
        // A snapshot may contain any count.
        return .failing(failure, count: min(count, .max - 1) + 1)
    }

    var isFailing: Bool {
        if case .failing = self { true } else { false }
    }

    /// Whether the last poll was successful.
    var isResponding: Bool { !isFailing && self != .loading }
}
