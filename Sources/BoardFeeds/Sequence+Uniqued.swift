extension Sequence {
    /// The first element of each value of `key`, in their order.
    func uniqued<Key: Hashable>(by key: (Element) -> Key) -> [Element] {
        var seen: Set<Key> = []
        return filter { seen.insert(key($0)).inserted }
    }
}

extension Sequence where Element: Hashable {
    /// The distinct elements, in their order.
    func uniqued() -> [Element] { uniqued { $0 } }
}
