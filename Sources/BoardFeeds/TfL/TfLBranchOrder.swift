internal import BoardCore

/// The branches of one direction in sequence: each after those that lead into it. Where they run in a circle, the circle is
/// entered where something leads into it from outside, or at its lowest number.
struct TfLBranchOrder {
    /// The branches, with their places in this order as what follows them.
    let branches: [LineRoute.Branch]

    /// Orders branches by what each says of its neighbours; numbers that no branch has are ignored.
    init(_ written: some Collection<TfLBranch>) {
        // TfL numbers branches from one end of the line to the other, as far as there are ends.
        let all = written.sorted { ($0.id ?? .max) < ($1.id ?? .max) }
        var places: [Int: Int] = [:]
        for (place, branch) in all.enumerated() {
            if let id = branch.id, places[id] == nil { places[id] = place }
        }
        var next = all.map { branch in Set(branch.next.compactMap { places[$0] }) }
        for (place, branch) in all.enumerated() {
            for previous in branch.previous.compactMap({ places[$0] }) { next[previous].insert(place) }
        }
        let order = Self.order(next)
        var moved = [Int](repeating: 0, count: order.count)
        for (new, old) in order.enumerated() { moved[old] = new }
        branches = order.map { old in
            LineRoute.Branch(stops: all[old].stops, next: next[old].map { moved[$0] }.sorted())
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
