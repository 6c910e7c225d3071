internal import BoardCore

/// The branches of one direction in sequence: each after those that lead into it. Where they run in a circle, the circle is
/// entered where something leads into it from outside, or at its first branch.
enum BranchOrder {
    /// Puts branches in sequence.
    ///
    /// - Parameters:
    ///   - stops: those of each branch.
    ///   - next: where each goes on, as places in `stops`.
    static func branches(
        _ stops: [[LineRoute.RouteStop]], next: [Set<Int>]
    ) -> [LineRoute.Branch] {
        let order = order(next)
        var moved = [Int](repeating: 0, count: order.count)
        for (new, old) in order.enumerated() { moved[old] = new }
        return order.map { old in
            LineRoute.Branch(stops: stops[old], next: next[old].map { moved[$0] }.sorted())
        }
    }

    /// The places of `next` such that each comes after those that have it as next, as far as there is no circle.
    private static func order(_ next: [Set<Int>]) -> [Int] {
        var waitsFor = [Set<Int>](repeating: [], count: next.count)
        for (place, followers) in next.enumerated() {
            for follower in followers where follower != place { waitsFor[follower].insert(place) }
        }
        let before = waitsFor
        var left = Array(next.indices)
        var order: [Int] = []
        while let first = left.first {
            let ready = left.first { waitsFor[$0].isEmpty }
            let entered = left.first { waitsFor[$0].count < before[$0].count }
            let chosen = ready ?? entered ?? first
            order.append(chosen)
            left.removeAll { $0 == chosen }
            for follower in next[chosen] { waitsFor[follower].remove(chosen) }
        }
        return order
    }
}
