internal import BoardControl

/// One direction of a line as a graph: places where branches begin, end, fork and join, and the stops between them.
///
/// The operator tells branches; the last stop of one is also the first of those that follow it, and is here once.
struct RouteGraph {
    typealias Call = RouteEntry.Call

    /// Where branches begin, end or meet.
    struct Node: Hashable {
        /// The stop there; nil where branches that follow each other do not share one.
        var stop: Call?
        var arriving: [Int] = []
        var leaving: [Int] = []
    }

    /// A branch without the stops that are places.
    struct Segment: Hashable {
        let from: Int
        let to: Int
        let stops: [Call]
    }

    let places: [Node]
    /// In the order of the branches; a branch that is nothing but a place is none.
    let stretches: [Segment]

    /// The graph of a direction; numbers that no branch has are ignored.
    init(_ direction: RouteEntry.Direction) {
        let branches = direction.branches
        // Each branch has two ends: 2b is its beginning, 2b + 1 its end.
        var joined = DisjointSets(count: branches.count * 2)
        for (number, branch) in branches.enumerated() {
            for next in branch.next where branches.indices.contains(next) { joined.join(number * 2 + 1, next * 2) }
        }
        func stop(_ end: Int) -> Call? {
            end % 2 == 0 ? branches[end / 2].stops.first : branches[end / 2].stops.last
        }
        /// The stop that all ends of a place share.
        func shared(_ root: Int) -> Call? {
            let stops = branches.indices.flatMap { [$0 * 2, $0 * 2 + 1] }.filter { joined.root($0) == root }.map(stop)
            guard let first = stops.first, let call = first else { return nil }
            return stops.allSatisfy { $0?.stop == call.stop } ? call : nil
        }
        for (number, branch) in branches.enumerated() where branch.stops.count == 1 {
            // Nothing but a place, if those before and after it say so.
            let ends = (number * 2, number * 2 + 1)
            if shared(joined.root(ends.0)) != nil, shared(joined.root(ends.1)) != nil { joined.join(ends.0, ends.1) }
        }
        var places: [Node] = []
        var numbers: [Int: Int] = [:]
        func place(_ end: Int) -> Int {
            let root = joined.root(end)
            if let number = numbers[root] { return number }
            numbers[root] = places.count
            places.append(Node(stop: shared(root)))
            return places.count - 1
        }
        var stretches: [Segment] = []
        for (number, branch) in branches.enumerated() {
            let (from, to) = (place(number * 2), place(number * 2 + 1))
            if branch.stops.count == 1, from == to, places[from].stop != nil { continue }
            var stops = branch.stops[...]
            if places[from].stop != nil { stops = stops.dropFirst() }
            if places[to].stop != nil { stops = stops.dropLast() }
            places[from].leaving.append(stretches.count)
            places[to].arriving.append(stretches.count)
            stretches.append(Segment(from: from, to: to, stops: Array(stops)))
        }
        self.places = places
        self.stretches = stretches
    }

    /// Where the line begins, as its stops say.
    var origins: [String] {
        places.filter { $0.arriving.isEmpty }.compactMap { place in
            place.stop?.name ?? place.leaving.first.flatMap { stretches[$0].stops.first?.name }
        }
    }

    /// Where it ends.
    var destinations: [String] {
        places.filter { $0.leaving.isEmpty }.compactMap { place in
            place.stop?.name ?? place.arriving.first.flatMap { stretches[$0].stops.last?.name }
        }
    }

    /// The stops at which one vehicle can call twice: a loop. What two branches beside each other have is none.
    var calledTwice: Set<String> {
        // Where in the graph a stop is: behind which place, and before which.
        var spots: [String: [(head: Int, tail: Int, stretch: Int?)]] = [:]
        for (number, place) in places.enumerated() {
            if let stop = place.stop { spots[stop.stop, default: []].append((number, number, nil)) }
        }
        for (number, stretch) in stretches.enumerated() {
            for stop in stretch.stops { spots[stop.stop, default: []].append((stretch.from, stretch.to, number)) }
        }
        var twice: Set<String> = []
        for (id, spots) in spots where spots.count > 1 {
            for (index, first) in spots.enumerated() {
                for (other, second) in spots.enumerated() where index != other {
                    let isSame = first.stretch != nil && first.stretch == second.stretch
                    if isSame || reaches(from: first.tail, to: second.head) { twice.insert(id) }
                }
            }
        }
        return twice
    }

    private func reaches(from start: Int, to end: Int) -> Bool {
        var seen: Set<Int> = [start]
        var waiting = [start]
        while let place = waiting.popLast() {
            if place == end { return true }
            for stretch in places[place].leaving where seen.insert(stretches[stretch].to).inserted {
                waiting.append(stretches[stretch].to)
            }
        }
        return false
    }
}

/// Numbers that belong together.
private struct DisjointSets {
    private var parents: [Int]

    init(count: Int) {
        parents = Array(0..<count)
    }

    mutating func join(_ one: Int, _ other: Int) {
        let (low, high) = (min(root(one), root(other)), max(root(one), root(other)))
        parents[high] = low
    }

    func root(_ number: Int) -> Int {
        var root = number
        while parents[root] != root { root = parents[root] }
        return root
    }
}
