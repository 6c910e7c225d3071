/// The reliability of a time.
public enum Freshness: Hashable, Sendable {
    /// A realtime estimate.
    case live
    /// A realtime estimate older than the feed's `staleAfter`.
    case stale
    /// Only the timetable.
    case scheduled
}

extension DepartureRow {
    func freshness(at moment: Timestamp, staleAfter limit: Duration) -> Freshness {
        if case .scheduled = departure.status { return .scheduled }
        return moment > departure.becomesStale(after: limit) ? .stale : .live
    }
}

extension Departure {
    func becomesStale(after limit: Duration) -> Timestamp {
        min(madeAt + limit, staleAt ?? madeAt + limit)
    }
}
