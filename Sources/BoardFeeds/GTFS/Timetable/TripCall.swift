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
    var takesRiders: Bool
}

/// Calls, millions of them, of which nobody knows how many will come: in pieces, so that none is copied when others come,
/// and there are never two arrays of them.
struct CallPieces {
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
    /// it has the last time, for want of a better one, and nobody gets on there.
    ///
    /// - Returns: whether times are missing at an end, without a bad row that was counted.
    mutating func complete() -> Bool {
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
            self[index].departure = Swift.max(self[index].arrival, self[index].departure)
        }
        guard let first = firstIndex(where: { $0.departure != TripCall.none }),
            let last = lastIndex(where: { $0.departure != TripCall.none })
        else {
            defer { removeAll() }
            return !isEmpty && !isCounted
        }
        let isShort = first > startIndex || last + 1 < endIndex
        for index in last + 1..<endIndex {
            self[index].arrival = self[last].departure
            self[index].departure = self[last].departure
            self[index].takesRiders = false
        }
        removeSubrange(..<first)
        var known = 0
        for index in indices where self[index].departure != TripCall.none {
            if index > known + 1 { interpolate(known, index) }
            known = index
        }
        return isShort && !isCounted
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
