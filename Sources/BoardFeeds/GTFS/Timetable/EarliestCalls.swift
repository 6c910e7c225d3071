internal import BoardCore

/// The earliest of many planned calls, no more than a bound: what a stop's board can show of them and no more memory.
struct EarliestCalls {
    private let most: Int
    private var calls: [Timetable.ScheduledCall] = []
    /// Calls from here on come after as many as are wanted; nil: there are fewer yet.
    private var end: Timestamp?

    /// None.
    ///
    /// - Parameter most: how many are wanted, at least 1.
    init(most: Int) {
        self.most = max(most, 1)
    }

    /// Adds a call.
    ///
    /// - Returns: whether a later one could still be among the earliest.
    @discardableResult
    mutating func append(_ call: Timetable.ScheduledCall) -> Bool {
        if let end, call.departure >= end { return false }
        calls.append(call)
        // Put in order now and then: each call costs few comparisons, and there are never more than twice as many as wanted.
        if calls.count >= 2 * most { cut() }
        return true
    }

    /// By departure; of the same moment in the order of the trips.
    mutating func sorted() -> [Timetable.ScheduledCall] {
        cut()
        return calls
    }

    private mutating func cut() {
        calls.sort { ($0.departure, $0.run.trip) < ($1.departure, $1.run.trip) }
        guard calls.count >= most else { return }
        calls.removeSubrange(most...)
        end = calls.last?.departure
    }
}
