internal import BoardCore

/// Sorts the branches of one direction topologically: each comes after those that lead into it. A cycle starts at a
/// branch with a predecessor outside the cycle, else at its first branch.
enum BranchOrder {
    /// - Parameter next: the branches that follow each branch, as indices into `stops`.
    static func branches(
        _ stops: [[LineRoute.RouteStop]], next: [Set<Int>]
    ) -> [LineRoute.Branch] {
        let order = order(next)
        var newIndex = [Int](repeating: 0, count: order.count)
        for (new, old) in order.enumerated() { newIndex[old] = new }
        return order.map { old in
            LineRoute.Branch(stops: stops[old], next: next[old].map { newIndex[$0] }.sorted())
        }
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
