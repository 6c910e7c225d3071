internal import BoardCore

extension LineRoute.Branch {
    /// Orders the branches of one direction by their references to neighbours; references to missing branches are ignored.
    static func sequence(_ branches: some Collection<TfLBranch>) -> [LineRoute.Branch] {
        // TfL numbers branches from one end of the line to the other, as far as there are ends.
        let all = branches.sorted { ($0.id ?? .max) < ($1.id ?? .max) }
        var indices: [Int: Int] = [:]
        for (index, branch) in all.enumerated() {
            if let id = branch.id, indices[id] == nil { indices[id] = index }
        }
        var next = all.map { branch in Set(branch.next.compactMap { indices[$0] }) }
        for (index, branch) in all.enumerated() {
            for previous in branch.previous.compactMap({ indices[$0] }) { next[previous].insert(index) }
        }
        return BranchOrder.branches(all.map(\.stops), next: next)
    }
}
