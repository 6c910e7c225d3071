internal import BoardService

/// One direction of a line as a graph: nodes where branches begin, end, fork and join, and segments between them.
///
/// The operator reports branches; the last stop of one is also the first of the following ones, and appears here once.
struct RouteGraph {
    typealias Call = RouteEntry.Call

    /// A point where branches begin, end or meet.
    struct Node: Hashable {
        /// The stop there; nil where consecutive branches share none.
        var stop: Call?
        var arriving: [Int] = []
        var leaving: [Int] = []
    }

    /// A branch without the stops that are nodes.
    struct Segment: Hashable {
        let from: Int
        let to: Int
        let stops: [Call]
    }

    let nodes: [Node]
    /// In the order of the branches; a branch of a single node has none.
    let segments: [Segment]

    /// Ignores numbers of branches that do not exist.
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
        /// The stop that all ends of a node share.
        func shared(_ root: Int) -> Call? {
            let stops = branches.indices.flatMap { [$0 * 2, $0 * 2 + 1] }.filter { joined.root($0) == root }.map(stop)
            guard let first = stops.first, let call = first else { return nil }
            return stops.allSatisfy { $0?.stop == call.stop } ? call : nil
        }
        for (number, branch) in branches.enumerated() where branch.stops.count == 1 {
            // A single node, if the branches before and after it share its stop.
            let ends = (number * 2, number * 2 + 1)
            if shared(joined.root(ends.0)) != nil, shared(joined.root(ends.1)) != nil { joined.join(ends.0, ends.1) }
        }
        var nodes: [Node] = []
        var numbers: [Int: Int] = [:]
        func node(_ end: Int) -> Int {
            let root = joined.root(end)
            if let number = numbers[root] { return number }
            numbers[root] = nodes.count
            nodes.append(Node(stop: shared(root)))
            return nodes.count - 1
        }
        var segments: [Segment] = []
        for (number, branch) in branches.enumerated() {
            let (from, to) = (node(number * 2), node(number * 2 + 1))
            if branch.stops.count == 1, from == to, nodes[from].stop != nil { continue }
            var stops = branch.stops[...]
            if nodes[from].stop != nil { stops = stops.dropFirst() }
            if nodes[to].stop != nil { stops = stops.dropLast() }
            nodes[from].leaving.append(segments.count)
            nodes[to].arriving.append(segments.count)
            segments.append(Segment(from: from, to: to, stops: Array(stops)))
        }
        self.nodes = nodes
        self.segments = segments
    }

    /// The names of the first stops.
    var origins: [String] {
        nodes.filter { $0.arriving.isEmpty }.compactMap { node in
            node.stop?.name ?? node.leaving.first.flatMap { segments[$0].stops.first?.name }
        }
    }

    /// The names of the last stops.
    var destinations: [String] {
        nodes.filter { $0.leaving.isEmpty }.compactMap { node in
            node.stop?.name ?? node.arriving.first.flatMap { segments[$0].stops.last?.name }
        }
    }

    /// The stops at which one vehicle calls twice: a loop. A stop of two parallel branches is none.
    var calledTwice: Set<String> {
        // Positions of a stop in the graph: after which node, and before which.
        var spots: [String: [(head: Int, tail: Int, segment: Int?)]] = [:]
        for (number, node) in nodes.enumerated() {
            if let stop = node.stop { spots[stop.stop, default: []].append((number, number, nil)) }
        }
        for (number, segment) in segments.enumerated() {
            for stop in segment.stops { spots[stop.stop, default: []].append((segment.from, segment.to, number)) }
        }
        var twice: Set<String> = []
        for (id, spots) in spots where spots.count > 1 {
            for (index, first) in spots.enumerated() {
                for (other, second) in spots.enumerated() where index != other {
                    let isSame = first.segment != nil && first.segment == second.segment
                    if isSame || reaches(from: first.tail, to: second.head) { twice.insert(id) }
                }
            }
        }
        return twice
    }

    private func reaches(from start: Int, to end: Int) -> Bool {
        var seen: Set<Int> = [start]
        var waiting = [start]
        while let node = waiting.popLast() {
            if node == end { return true }
            for segment in nodes[node].leaving where seen.insert(segments[segment].to).inserted {
                waiting.append(segments[segment].to)
            }
        }
        return false
    }
}

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
