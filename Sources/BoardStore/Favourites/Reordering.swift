/// Which elements of a list must move to bring it into another order.
package enum Reordering {
    /// The elements to move, the fewest possible: those outside a longest common subsequence. Elements that only one of the
    /// lists has are ignored; each list has an element at most once.
    package static func moved<Element: Hashable>(from old: [Element], to new: [Element]) -> Set<Element> {
        let ranks = Dictionary(new.enumerated().map { ($0.element, $0.offset) }) { first, _ in first }
        let common = old.filter { ranks[$0] != nil }
        // The longest increasing subsequence of the ranks: the last element of the best one of each length.
        var ends: [Int] = []
        var previous = [Int?](repeating: nil, count: common.count)
        func rank(_ index: Int) -> Int { ranks[common[index]] ?? 0 }
        for index in common.indices {
            let length = ends.firstIndex { rank($0) > rank(index) } ?? ends.count
            previous[index] = length > 0 ? ends[length - 1] : nil
            if length == ends.count { ends.append(index) } else { ends[length] = index }
        }
        var moved = Set(common)
        var next = ends.last
        while let index = next {
            moved.remove(common[index])
            next = previous[index]
        }
        return moved
    }
}
