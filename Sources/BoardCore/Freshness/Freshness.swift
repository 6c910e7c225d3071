/// The reliability of a time.
public enum Freshness: Hashable, Sendable {
    /// A realtime estimate.
    case live
    /// A realtime estimate older than the feed's `staleAfter`.
    case stale
    /// Only the timetable.
    case scheduled
}

extension Departure {
    /// - Parameter limit: the feed's ``ExpiryPolicy/staleAfter``.
    package func freshness(at moment: Timestamp, staleAfter limit: Duration) -> Freshness {
        if case .scheduled = status { return .scheduled }
        return moment > becomesStale(after: limit) ? .stale : .live
    }

    package func becomesStale(after limit: Duration) -> Timestamp {
        min(madeAt + limit, staleAt ?? madeAt + limit)
    }
}
