extension ValueKind<String> {
    /// Where a list is kept: an address as ``url`` has it, a file's path from the root, or "" for nowhere.
    static let source = ValueKind(
        allowed: "an address such as \"https://example.com/list.csv\", a path such as \"/etc/boardd/list.csv\", or \"\""
    ) { (node) throws(Refusals) in
        guard case .text(let text) = node.value else { throw .notAllowed(node) }
        let isPath = text.hasPrefix("/") && !text.utf8.contains(0)
        return text.isEmpty || isPath ? text : try ValueKind.url.read(node)
    }
}
