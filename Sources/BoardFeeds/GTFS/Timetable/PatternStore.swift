/// The calls of the selected trips; trips with equal calls share one pattern.
struct PatternStore {
    private(set) var calls: [Timetable.Call] = []
    private(set) var patterns: [Range<Int>] = []
    /// The newest pattern by the hash of its calls.
    private var byHash: [UInt64: Int32] = [:]
    /// For each pattern the previous one with the same hash; -1: none.
    private var previous: [Int32] = []
    private let seed = UInt64.random(in: .min ... .max)

    /// The pattern of a trip, and its first departure.
    ///
    /// - Parameter trip: its calls in order, all with times; not empty.
    mutating func pattern(of trip: [TripCall]) -> (pattern: Int, start: Int) {
        let start = trip[0].departure
        let begin = calls.count
        var hash = seed
        for call in trip {
            let call = Timetable.Call(
                place: call.place, sequence: call.sequence, arrival: call.arrival - start,
                departure: call.departure - start, headsign: call.headsign, allowsBoarding: call.allowsBoarding)
            calls.append(call)
            hash = ByteKeys.mixed(hash, call.place, call.departure)
            hash = ByteKeys.mixed(hash, call.sequence, call.arrival ^ call.headsign)
        }
        let newest = byHash[hash] ?? -1
        var candidate = newest
        while candidate >= 0 {
            if calls[patterns[Int(candidate)]].elementsEqual(calls[begin...]) {
                calls.removeSubrange(begin...)
                return (Int(candidate), Int(start))
            }
            candidate = previous[Int(candidate)]
        }
        byHash[hash] = Int32(truncatingIfNeeded: patterns.count)
        previous.append(newest)
        patterns.append(begin..<calls.count)
        return (patterns.count - 1, Int(start))
    }
}
