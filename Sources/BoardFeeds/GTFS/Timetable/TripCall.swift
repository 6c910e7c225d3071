import BoardCore

struct TripCall {
    static let none: Int32 = .min
    /// An unreadable time, already counted as a bad row.
    static let unreadable: Int32 = .min + 1

    var place: Int32
    var sequence: Int32
    /// Seconds from the beginning of the service day; ``none`` if blank, or ``unreadable``.
    var arrival: Int32, departure: Int32
    /// The number of `stop_headsign`; -1: the trip's headsign.
    var headsign: Int32
    /// `shape_dist_traveled`, in any unit; NaN if blank.
    var distance: Float
    var boarding: Boarding
    /// The number of `pickup_booking_rule_id`; -1: none.
    var bookingRule: Int16 = -1
    /// Whether it has a time window instead of a time.
    var hasWindow = false

    /// A day and half a day, in seconds. A time more than half a day before another one of its trip lacks the 24 hours
    /// of the next day (`00:19:00` after `23:32:00`), as some operators write it.
    private static let day: Int32 = 86_400, halfDay: Int32 = 43_200
    /// The limit of a moved time, the same as for times in rows: 240 hours.
    private static let latest: Int32 = 240 * 3_600

    /// The departure of a row, adjusted so that it is not before its arrival.
    static func departure(_ departure: Int32, after arrival: Int32) -> Int32 {
        guard departure < arrival, departure > unreadable else { return max(arrival, departure) }
        return arrival - departure > halfDay ? departure + day : arrival
    }

    /// Moves the call to the next day if its times are more than half a day before an earlier departure of the trip.
    ///
    /// - Parameter before: the latest departure of the calls before it.
    /// - Returns: whether its times are then in order.
    mutating func follow(_ before: Int32) -> Bool {
        while before - departure > Self.halfDay {
            arrival += Self.day
            departure += Self.day
        }
        return departure >= before && departure < Self.latest
    }
}

/// A growing array of millions of calls, in chunks, so that growing does not copy calls or hold two arrays of them.
struct ChunkedCalls {
    private static let size = 1 << 14

    private var chunks: [[TripCall]] = []

    private(set) var count = 0

    subscript(_ index: Int) -> TripCall { chunks[index / Self.size][index % Self.size] }

    mutating func append(_ call: TripCall) {
        if count % Self.size == 0 {
            chunks.append([])
            chunks[chunks.count - 1].reserveCapacity(Self.size)
        }
        chunks[chunks.count - 1].append(call)
        count += 1
    }
}

extension [TripCall] {
    /// Sorts a trip's calls, and interpolates missing times: in proportion to the distance if all calls have one, else
    /// in equal steps.
    ///
    /// Calls before the first time are dropped. Calls after the last time stay, since the trip goes there; they get the
    /// last time and are not departures. The same applies to a call that goes back in time, and to adjacent calls
    /// without a time: nothing is interpolated across it.
    ///
    /// - Returns: whether times are missing at an end without a bad row counted for it; and the `stop_sequence` of
    ///   calls with times before those of an earlier call.
    mutating func complete() -> (hasNoEnd: Bool, backwards: [Int32]) {
        if zip(self, dropFirst()).contains(where: { $0.sequence > $1.sequence }) {
            // Stable: rows with equal numbers stay in the order of the file.
            let sorted = enumerated().sorted { ($0.1.sequence, $0.0) < ($1.1.sequence, $1.0) }
            self = sorted.map(\.element)
        }
        var isCounted = false
        for index in indices {
            if self[index].arrival == TripCall.unreadable { (self[index].arrival, isCounted) = (TripCall.none, true) }
            if self[index].departure == TripCall.unreadable {
                (self[index].departure, isCounted) = (TripCall.none, true)
            }
            if self[index].departure == TripCall.none { self[index].departure = self[index].arrival }
            if self[index].arrival == TripCall.none { self[index].arrival = self[index].departure }
            self[index].departure = TripCall.departure(self[index].departure, after: self[index].arrival)
        }
        let backwards = order()
        var faults = (hasNoEnd: false, backwards: backwards.map { self[$0].sequence })
        isCounted = isCounted || !backwards.isEmpty
        guard let first = firstIndex(where: { $0.departure != TripCall.none }),
            let last = lastIndex(where: { $0.departure != TripCall.none })
        else {
            faults.hasNoEnd = !isEmpty && !isCounted
            removeAll()
            return faults
        }
        let ends = [self[startIndex..<first], self[(last + 1)...]].joined()
        faults.hasNoEnd = !ends.allSatisfy(\.hasWindow) && !isCounted
        repeatTime(of: last, upTo: endIndex)
        var timed = first
        // When a vehicle reaches a call with a window depends on its passengers.
        var faulty = (backwards + indices.filter { self[$0].hasWindow }).sorted()[...]
        for index in first..<endIndex where self[index].departure != TripCall.none {
            let hasFault = faulty.first.isSomeAnd { $0 < index }
            faulty = faulty.drop { $0 < index }
            if hasFault {
                repeatTime(of: timed, upTo: index)
            } else if index > timed + 1 {
                interpolate(timed, index)
            }
            timed = index
        }
        removeSubrange(..<first)
        return faults
    }

    /// Moves calls to the next day if their times lack 24 hours; removes the times of calls that still go back in time.
    ///
    /// - Returns: the indices of the latter, ascending.
    private mutating func order() -> [Int] {
        var backwards: [Int] = []
        var latest: Int32?
        for index in indices where self[index].departure != TripCall.none {
            if let latest, !self[index].follow(latest) {
                (self[index].arrival, self[index].departure) = (TripCall.none, TripCall.none)
                backwards.append(index)
            } else {
                latest = self[index].departure
            }
        }
        return backwards
    }

    /// Gives the calls between two the time of the first; they are not departures.
    private mutating func repeatTime(of from: Int, upTo to: Int) {
        for index in from + 1..<to {
            self[index].arrival = self[from].departure
            self[index].departure = self[from].departure
            self[index].boarding = .none
        }
    }

    private mutating func interpolate(_ from: Int, _ to: Int) {
        let begin = Int(self[from].departure)
        let span = Swift.max(0, Int(self[to].arrival) - begin)
        let length = self[to].distance - self[from].distance
        let isMeasured = length > 0 && (from..<to).allSatisfy { self[$0].distance <= self[$0 + 1].distance }
        for index in from + 1..<to {
            let part =
                isMeasured
                ? Int((Float(span) * (self[index].distance - self[from].distance) / length).rounded())
                : span * (index - from) / (to - from)
            self[index].arrival = Int32(truncatingIfNeeded: begin + part)
            self[index].departure = self[index].arrival
        }
    }
}
