/// The trips that call at a requested stop, from `stop_times.txt`; trips with equal calls share one pattern.
package struct SelectedTrips {
    /// `trip_id`, numbered in the order of the file.
    package var ids = ByteKeys()
    /// The pattern of each trip; -1: unreadable.
    private(set) var patternOfTrip: [Int32] = []
    private(set) var starts: [Int32] = []
    private(set) var calls: [Timetable.Call] = []
    private(set) var patterns: [Range<Int>] = []
    /// The newest pattern by the hash of its calls. A collision costs the memory of a second pattern.
    private var byHash: [UInt64: Int] = [:]
    private let seed = UInt64.random(in: .min ... .max)

    /// Sets the calls of a trip, which are in order and have times.
    mutating func setCalls(_ calls: [TripCall], of number: Int) {
        while patternOfTrip.count <= number {
            patternOfTrip.append(-1)
            starts.append(0)
        }
        guard !calls.isEmpty else { return }
        starts[number] = calls[0].departure
        patternOfTrip[number] = Int32(truncatingIfNeeded: pattern(of: calls))
    }

    /// Drops the calls, but not the IDs, to which more may be added.
    mutating func dropCalls() {
        let ids = ids
        self = SelectedTrips()
        self.ids = ids
    }

    private mutating func pattern(of trip: [TripCall]) -> Int {
        let start = trip[0].departure
        let begin = calls.count
        var hash = seed
        for call in trip {
            let call = Timetable.Call(
                place: call.place, sequence: call.sequence, arrival: call.arrival - start,
                departure: call.departure - start, headsign: call.headsign, boarding: call.boarding,
                bookingRule: call.bookingRule)
            calls.append(call)
            hash = ByteKeys.mixed(hash, call.place, call.departure)
            hash = ByteKeys.mixed(hash, call.sequence, call.arrival ^ call.headsign)
        }
        if let known = byHash[hash], calls[patterns[known]].elementsEqual(calls[begin...]) {
            calls.removeSubrange(begin...)
            return known
        }
        byHash[hash] = patterns.count
        patterns.append(begin..<calls.count)
        return patterns.count - 1
    }
}
