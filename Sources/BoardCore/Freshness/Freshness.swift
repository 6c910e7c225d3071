/// The reliability of a time.
public enum Freshness: Hashable, Sendable {
    /// A realtime estimate.
    case live
    /// A realtime estimate older than the feed's `staleAfter`.
    case stale
    /// Only the timetable.
    case scheduled
}
