extension Sequence where Element: Sendable {
    /// The results of `body` in the order of the elements; it is called for all of them at once.
    func concurrentMap<Value: Sendable>(_ body: @escaping @Sendable (Element) async -> Value) async -> [Value] {
        await withTaskGroup(of: (Int, Value).self) { group in
            for (index, element) in enumerated() { group.addTask { (index, await body(element)) } }
            var values: [Int: Value] = [:]
            for await (index, value) in group { values[index] = value }
            return values.sorted { $0.key < $1.key }.map(\.value)
        }
    }
}
