internal import BoardCore

/// Collects the earliest of many scheduled calls, up to a limit, in bounded memory.
struct EarliestCalls {
    private let most: Int
    private var calls: [Timetable.ScheduledCall] = []
    /// Calls from here on are beyond the limit; nil: the limit is not reached yet.
    private var end: Timestamp?

    /// - Parameter most: the limit, at least 1.
    init(most: Int) {
        self.most = max(most, 1)
    }

    /// Adds a call.
    ///
    /// - Returns: whether a later call could still be among the earliest.
    @discardableResult
    mutating func append(_ call: Timetable.ScheduledCall) -> Bool {
        if let end, call.departure >= end { return false }
        calls.append(call)
        // Sorting rarely costs few comparisons per call, and there are never more than twice as many calls as the limit.
        if calls.count >= 2 * most { cut() }
        return true
    }

    /// The calls by departure, then by trip.
    mutating func sorted() -> [Timetable.ScheduledCall] {
        cut()
        return calls
    }

    private mutating func cut() {
        calls.sort { ($0.departure, $0.instance.trip) < ($1.departure, $1.instance.trip) }
        guard calls.count >= most else { return }
        calls.removeSubrange(most...)
        end = calls.last?.departure
    }
}
