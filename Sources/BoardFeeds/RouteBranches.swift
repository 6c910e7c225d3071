import BoardCore
import BoardIO

/// The branches of a route in one direction, made from the stop sequences of its trips.
///
/// Short workings and expresses, which serve some stops of a longer sequence, are left out. The remaining sequences are
/// merged and split where they fork and join.
struct RouteBranches {
    /// The most sequences that are merged; no drawing shows more.
    private static let maximumSequences = 12

    /// A call at a stop; a second call of the same trip at the stop is another visit.
    private struct StopVisit: Hashable {
        let stop: String
        /// The number of earlier calls of the trip at the stop.
        let earlierVisits: Int
    }

    /// The stop IDs of each branch, and the indices of the branches that follow it.
    private(set) var stops: [[String]] = []
    private(set) var next: [Set<Int>] = []

    /// - Parameter sequences: the stop IDs of each route pattern in one direction; the most frequent pattern first.
    init(_ sequences: [[String]]) {
        cut(Self.longest(sequences.filter { $0.count > 1 }).map(Self.stopVisits))
    }

    /// The sequences whose stops are not all in another sequence in the same order.
    private static func longest(_ sequences: [[String]]) -> [[String]] {
        var result: [[String]] = []
        for sequence in sequences where !result.contains(where: { sequence.isServed(by: $0) }) {
            result.removeAll { $0.isServed(by: sequence) }
            if result.count < maximumSequences { result.append(sequence) }
        }
        return result
    }

    private static func stopVisits(_ sequence: [String]) -> [StopVisit] {
        var visits: [String: Int] = [:]
        return sequence.map { stop in
            defer { visits[stop, default: 0] += 1 }
            return StopVisit(stop: stop, earlierVisits: visits[stop] ?? 0)
        }
    }

    /// Splits sequences into stretches without a fork.
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
        /// The visits where stretches begin and end.
        var ends = Set(order.filter { following[$0]?.count != 1 || leading[$0]?.count != 1 })
        var begins: [StopVisit: [Int]] = [:]
        var lasts: [StopVisit] = []
        var drawn: Set<StopVisit> = []
        func add(_ stretch: [StopVisit]) {
            lasts.append(stretch[stretch.count - 1])
            drawn.formUnion(stretch)
            stops.append(stretch.map(\.stop))
        }
        // First from the ends; the rest are rings that trips enter anywhere. A ring is split where its most frequent
        // pattern begins.
        for start in order.filter(ends.contains) + order where ends.contains(start) || !drawn.contains(start) {
            guard begins[start] == nil else { continue }
            ends.insert(start)
            let (leaving, arriving) = (following[start] ?? [], leading[start] ?? [])
            begins[start] = []
            // Several stretches begin where none ends, or the reverse: a branch of this stop alone joins them.
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
    /// Whether all of these stops are in `other` in this order; if `other` is a ring, starting anywhere on it.
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

/// Sorts the branches of one direction topologically: each comes after those that lead into it. A cycle starts at a
/// branch with a predecessor outside the cycle, else at its first branch.
enum BranchOrder {
    /// - Parameter next: the branches that follow each branch, as indices into `stops`.
    static func branches(_ stops: [[LineRoute.RouteStop]], next: [Set<Int>]) -> [LineRoute.Branch] {
        let order = order(next)
        var newIndex = [Int](repeating: 0, count: order.count)
        for (new, old) in order.enumerated() { newIndex[old] = new }
        return order.map { old in LineRoute.Branch(stops: stops[old], next: next[old].map { newIndex[$0] }.sorted()) }
    }

    /// The indices of `next` in topological order, apart from cycles.
    private static func order(_ next: [Set<Int>]) -> [Int] {
        var pending = [Set<Int>](repeating: [], count: next.count)
        for (place, followers) in next.enumerated() {
            for follower in followers where follower != place { pending[follower].insert(place) }
        }
        let predecessors = pending
        var remaining = Array(next.indices)
        var order: [Int] = []
        while let first = remaining.first {
            let ready = remaining.first { pending[$0].isEmpty }
            let cycleEntry = remaining.first { pending[$0].count < predecessors[$0].count }
            let chosen = ready ?? cycleEntry ?? first
            order.append(chosen)
            remaining.removeAll { $0 == chosen }
            for follower in next[chosen] { pending[follower].remove(chosen) }
        }
        return order
    }
}

extension StopCatalogue {
    /// Passes the stops of a page to `take`, on a thread of its own, since `take` may write to a disk.
    ///
    /// - Throws: ``FeedError`` of kind `cancelled` if `take` threw.
    static func emit(
        _ stops: [ListedStop], from source: some CustomStringConvertible, to take: @escaping StopReceiver
    ) async throws(FeedError) {
        try await DedicatedThread.run("stops", "\(source): reading stops") {
            for stop in stops { try take(stop) }
        } failure: { error in
            FeedError(.cancelled, detail: "\(source): reading stopped: \(error)")
        }
    }
}
