/// A row of `stop_times.txt` of a trip that is kept, as it stands there.
struct TripCall {
    /// No time, no headsign, no distance.
    static let none: Int32 = .min
    /// A time that cannot be read, which is counted as a bad row already.
    static let unreadable: Int32 = .min + 1

    /// A stop, by its number among the places.
    var place: Int32
    /// `stop_sequence`.
    var sequence: Int32
    /// Seconds from the beginning of the service day; ``none`` where blank, or ``unreadable``.
    var arrival: Int32
    /// Seconds from the beginning of the service day; ``none`` where blank, or ``unreadable``.
    var departure: Int32
    /// `stop_headsign`, by its number; -1: the trip's own.
    var headsign: Int32
    /// `shape_dist_traveled`, in whatever unit; not a number where blank.
    var distance: Float
    /// `pickup_type` is not 1.
    var allowsBoarding: Bool
}

extension TripCall {
    /// Seconds of a day, and of half a day: a time that is more than half a day before another one of its trip is written
    /// without the 24 hours of the next day (`00:19:00` after `23:32:00`), as some operators do.
    private static let day: Int32 = 86_400, halfDay: Int32 = 43_200
    /// As a row's time is less than 240 hours, a time of a further day is.
    private static let latest: Int32 = 240 * 3_600

    /// The departure of a row, which is not before its arrival.
    static func departure(_ departure: Int32, after arrival: Int32) -> Int32 {
        guard departure < arrival, departure > unreadable else { return max(arrival, departure) }
        return arrival - departure > halfDay ? departure + day : arrival
    }

    /// Moves the call to the next day where its times are more than half a day before an earlier departure of the trip.
    ///
    /// - Parameter before: the latest departure of the calls before it.
    /// - Returns: whether its times are in order then.
    mutating func follow(_ before: Int32) -> Bool {
        while before - departure > Self.halfDay {
            arrival += Self.day
            departure += Self.day
        }
        return departure >= before && departure < Self.latest
    }
}

/// What is wrong with a trip's times.
struct TripTimeFaults {
    /// Times are missing at an end, without a bad row that was counted.
    var hasNoEnd = false
    /// `stop_sequence` of the calls that are before an earlier one of the trip.
    var backwards: [Int32] = []
}

/// Calls, millions of them, of which nobody knows how many will come: in pieces, so that none is copied when others come,
/// and there are never two arrays of them.
struct ChunkedCalls {
    private static let size = 1 << 14

    private var pieces: [[TripCall]] = []

    /// How many.
    private(set) var count = 0

    /// A call, by its place among them.
    subscript(_ place: Int) -> TripCall { pieces[place / Self.size][place % Self.size] }

    /// Adds one.
    mutating func append(_ call: TripCall) {
        if count % Self.size == 0 {
            pieces.append([])
            pieces[pieces.count - 1].reserveCapacity(Self.size)
        }
        pieces[pieces.count - 1].append(call)
        count += 1
    }
}

extension [TripCall] {
    /// Brings a trip's calls in order, and gives times to those between two that have them: in proportion to the distance
    /// where all of them tell it, else in equal steps.
    ///
    /// What comes before the first time is dropped. What comes after the last one stays, since that is where the trip goes;
    /// it has the last time, for want of a better one, and is no departure. The same holds for a call that goes back in
    /// time, and for those without a time beside it: no time is interpolated over it.
    mutating func complete() -> TripTimeFaults {
        if zip(self, dropFirst()).contains(where: { $0.sequence > $1.sequence }) {
            // Rows with equal numbers stay as they are in the file.
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
        var faults = TripTimeFaults(backwards: backwards.map { self[$0].sequence })
        isCounted = isCounted || !backwards.isEmpty
        guard let first = firstIndex(where: { $0.departure != TripCall.none }),
            let last = lastIndex(where: { $0.departure != TripCall.none })
        else {
            faults.hasNoEnd = !isEmpty && !isCounted
            removeAll()
            return faults
        }
        faults.hasNoEnd = (first > startIndex || last + 1 < endIndex) && !isCounted
        hold(last, endIndex)
        var known = first
        var faulty = backwards[...]
        for index in first..<endIndex where self[index].departure != TripCall.none {
            let isBroken = faulty.first.map { $0 < index } ?? false
            faulty = faulty.drop { $0 < index }
            if isBroken { hold(known, index) } else if index > known + 1 { interpolate(known, index) }
            known = index
        }
        removeSubrange(..<first)
        return faults
    }

    /// Moves calls that are written without the hours of the days before to their day, and takes the times of those away that
    /// go back all the same.
    ///
    /// - Returns: which calls those are, ascending.
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

    /// Gives the calls between two the time of the first, for want of a better one: they are no departures.
    private mutating func hold(_ from: Int, _ to: Int) {
        for index in from + 1..<to {
            self[index].arrival = self[from].departure
            self[index].departure = self[from].departure
            self[index].allowsBoarding = false
        }
    }

    /// Gives times to the calls between two that have them.
    private mutating func interpolate(_ from: Int, _ to: Int) {
        let begin = Int(self[from].departure)
        let span = Swift.max(0, Int(self[to].arrival) - begin)
        let way = self[to].distance - self[from].distance
        let isMeasured = way > 0 && (from..<to).allSatisfy { self[$0].distance <= self[$0 + 1].distance }
        for index in from + 1..<to {
            let part =
                isMeasured
                ? Int((Float(span) * (self[index].distance - self[from].distance) / way).rounded())
                : span * (index - from) / (to - from)
            self[index].arrival = Int32(truncatingIfNeeded: begin + part)
            self[index].departure = self[index].arrival
        }
    }
}
