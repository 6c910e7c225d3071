internal import BoardCore

extension LineRoute.Branch {
    /// The branches of one direction in sequence, by what each says of its neighbours; numbers that no branch has are
    /// ignored.
    static func sequence(_ written: some Collection<TfLBranch>) -> [LineRoute.Branch] {
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
        return BranchOrder.branches(all.map(\.stops), next: next)
    }
}
