/// The branches of a route in one direction, from the sequences of stops of its trips.
///
/// Short workings and expresses serve some stops of a longer sequence and are left out; what remains is laid over each
/// other and cut where it forks and joins.
struct RouteBranches {
    /// The most sequences that are laid over each other: more no drawing shows.
    private static let most = 12

    /// A stop on the way. Where a trip comes to a stop again, it is further on than the first time.
    private struct StopVisit: Hashable {
        let stop: String
        /// How often the trip has been there before.
        let before: Int
    }

    /// The stops of each branch, by their ids, and the branches that follow it, by their places.
    private(set) var stops: [[String]] = []
    private(set) var next: [Set<Int>] = []

    /// - Parameter sequences: the stops of each way in one direction, by their ids; the most usual way first.
    init(_ sequences: [[String]]) {
        cut(Self.longest(sequences.filter { $0.count > 1 }).map(Self.stopVisits))
    }

    /// The sequences of which no other has all stops in the same order.
    private static func longest(_ sequences: [[String]]) -> [[String]] {
        var kept: [[String]] = []
        for sequence in sequences where !kept.contains(where: { sequence.isServed(by: $0) }) {
            kept.removeAll { $0.isServed(by: sequence) }
            if kept.count < most { kept.append(sequence) }
        }
        return kept
    }

    private static func stopVisits(_ sequence: [String]) -> [StopVisit] {
        var visits: [String: Int] = [:]
        return sequence.map { stop in
            defer { visits[stop, default: 0] += 1 }
            return StopVisit(stop: stop, before: visits[stop] ?? 0)
        }
    }

    /// Cuts sequences into stretches without a fork.
    private mutating func cut(_ sequences: [[StopVisit]]) {
        var following: [StopVisit: [StopVisit]] = [:]
        var leading: [StopVisit: Set<StopVisit>] = [:]
        var order: [StopVisit] = []
        for sequence in sequences {
            for visit in sequence where following[visit] == nil {
                following[visit] = []
                order.append(visit)
            }
            for (visit, after) in zip(sequence, sequence.dropFirst()) {
                if following[visit]?.contains(after) == false { following[visit]?.append(after) }
                leading[after, default: []].insert(visit)
            }
        }
        /// Where stretches begin and end.
        var ends = Set(order.filter { following[$0]?.count != 1 || leading[$0]?.count != 1 })
        var begins: [StopVisit: [Int]] = [:]
        var lasts: [StopVisit] = []
        var drawn: Set<StopVisit> = []
        func add(_ stretch: [StopVisit]) {
            lasts.append(stretch[stretch.count - 1])
            drawn.formUnion(stretch)
            stops.append(stretch.map(\.stop))
        }
        // First from the ends; what is left is a ring that trips enter anywhere. It is cut where the most usual begins.
        for start in order.filter(ends.contains) + order where ends.contains(start) || !drawn.contains(start) {
            guard begins[start] == nil else { continue }
            ends.insert(start)
            let (leaving, arriving) = (following[start] ?? [], leading[start] ?? [])
            begins[start] = []
            // Several ways begin there and none leads there, or the reverse: they meet in a branch of this stop alone.
            if arriving.isEmpty, leaving.count > 1 { add([start]) }
            if leaving.isEmpty, arriving.count > 1 {
                begins[start] = [lasts.count]
                add([start])
            }
            for second in leaving {
                var stretch = [start, second]
                while let last = stretch.last, !ends.contains(last), let after = following[last]?.first {
                    stretch.append(after)
                }
                begins[start]?.append(lasts.count)
                add(stretch)
            }
        }
        next = lasts.enumerated().map { place, last in Set(begins[last] ?? []).subtracting([place]) }
    }
}

extension [String] {
    /// Whether all of these stops are in another sequence, in this order; of one that ends where it began, wherever on the
    /// way round.
    fileprivate func isServed(by other: [String]) -> Bool {
        if count <= other.count, isIn(other) { return true }
        let isRing = other.count > 2 && other.first == other.last
        return isRing && count <= other.count && isIn(other + other.dropFirst())
    }

    private func isIn(_ other: [String]) -> Bool {
        var place = startIndex
        for stop in other where place < endIndex && self[place] == stop { place += 1 }
        return place == endIndex
    }
}
