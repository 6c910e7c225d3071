internal import BoardCore

/// The branches of a route in one direction, from the sequences of stops of its trips.
///
/// Short workings and expresses serve some stops of a longer sequence and are left out; what remains is laid over each
/// other and cut where it forks and joins.
struct RouteBranches {
    /// The most sequences that are laid over each other: more no drawing shows.
    private static let most = 12

    /// The stops of each branch, by their ids, and the branches that follow it, by their places.
    private(set) var stops: [[String]] = []
    private(set) var next: [Set<Int>] = []

    /// - Parameter patterns: those of one direction, of most trips first.
    init(_ patterns: [RoutePattern]) {
        let sequences = Self.longest(patterns.map(\.stops).filter { $0.count > 1 })
        // A loop would join itself at the stop that it serves twice.
        if sequences.contains(where: { Set($0).count < $0.count }) {
            (stops, next) = (sequences, sequences.map { _ in [] })
        } else {
            cut(sequences)
        }
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

    /// Cuts sequences into stretches without a fork.
    private mutating func cut(_ sequences: [[String]]) {
        var following: [String: [String]] = [:]
        var leading: [String: Set<String>] = [:]
        var order: [String] = []
        for sequence in sequences {
            for stop in sequence where following[stop] == nil {
                following[stop] = []
                order.append(stop)
            }
            for (stop, after) in zip(sequence, sequence.dropFirst()) {
                if following[stop]?.contains(after) == false { following[stop]?.append(after) }
                leading[after, default: []].insert(stop)
            }
        }
        /// Whether a stretch begins and ends there.
        func isEnd(_ stop: String) -> Bool { following[stop]?.count != 1 || leading[stop]?.count != 1 }
        var begins: [String: [Int]] = [:]
        for start in order where isEnd(start) {
            for second in following[start] ?? [] {
                var stretch = [start, second]
                while let last = stretch.last, !isEnd(last), let after = following[last]?.first {
                    stretch.append(after)
                }
                begins[start, default: []].append(stops.count)
                stops.append(stretch)
            }
        }
        next = stops.map { stretch in Set(stretch.last.flatMap { begins[$0] } ?? []) }
    }
}

extension [String] {
    /// Whether all of these stops are in another sequence, in this order.
    fileprivate func isServed(by other: [String]) -> Bool {
        guard count <= other.count else { return false }
        var place = startIndex
        for stop in other where place < endIndex && self[place] == stop { place += 1 }
        return place == endIndex
    }
}
