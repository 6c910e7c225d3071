/// The calls of the trips that are kept, every distinct sequence of them once.
struct PatternStore {
    private(set) var calls: [Timetable.Call] = []
    private(set) var patterns: [Range<Int>] = []
    /// The newest pattern by the hash of its calls.
    private var byHash: [UInt64: Int32] = [:]
    /// For each pattern the one before it with the same hash; -1: there is none.
    private var previous: [Int32] = []
    private let seed = UInt64.random(in: .min ... .max)

    /// The pattern of a trip.
    ///
    /// - Parameter trip: in order, all with times; not empty.
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
        var known = newest
        while known >= 0 {
            if calls[patterns[Int(known)]].elementsEqual(calls[begin...]) {
                calls.removeSubrange(begin...)
                return (Int(known), Int(start))
            }
            known = previous[Int(known)]
        }
        byHash[hash] = Int32(truncatingIfNeeded: patterns.count)
        previous.append(newest)
        patterns.append(begin..<calls.count)
        return (patterns.count - 1, Int(start))
    }
}
