extension ValueKind<String> {
    /// The source of a list: an address as in ``url``, an absolute path, or "" for none.
    static let source = ValueKind(
        allowed: "an address such as \"https://example.com/list.csv\", a path such as \"/etc/boardd/list.csv\", or \"\""
    ) { (node) throws(ValueErrors) in
        guard case .text(let text) = node.value else { throw .notAllowed(node) }
        let isPath = text.hasPrefix("/") && !text.utf8.contains(0)
        return text.isEmpty || isPath ? text : try ValueKind.url.read(node)
    }
}

extension ValueKind<[String]> {
    /// The sources of several lists: each an absolute path, or an address that may have a query without a key in it.
    static let sources = ValueKind(
        allowed: "a list of addresses such as [\"https://example.com/trips.pb\"], or of paths"
    ) { (node) throws(ValueErrors) in
        guard case .list(let nodes) = node.value else { throw .notAllowed(node) }
        return try ValueErrors.collect(nodes, ValueKind<String>.sourceWithQuery.read)
    }
}

extension ValueKind<String> {
    /// Parts of the names of parameters that contain keys.
    private static let keyWords = ["key", "token", "secret", "passw", "auth", "credential"]

    /// One source: an absolute path, or an address with its query.
    fileprivate static let sourceWithQuery = ValueKind(
        allowed: "an address such as \"https://example.com/trips.pb\", or a path such as \"/srv/trips.pb\""
    ) { (node) throws(ValueErrors) in
        guard case .text(let text) = node.value else { throw .notAllowed(node) }
        if text.hasPrefix("/"), !text.utf8.contains(0) { return text }
        guard let mark = text.firstIndex(of: "?") else { return try ValueKind.url.read(node) }
        let query = text[text.index(after: mark)...]
        let names = query.split(separator: "&").map { $0.prefix { $0 != "=" }.lowercased() }
        if names.contains(where: { name in keyWords.contains { name.contains($0) } }) {
            // The value contains a key and is not repeated.
            let found = "an address with a key in it"
            throw .message(
                "is not allowed: put the key into keys.env, and the parameter's name into key_parameter",
                TOMLNode(value: .other, position: node.position, found: found))
        }
        guard !query.contains("#"), query.unicodeScalars.allSatisfy({ ("!"..."~").contains($0) && $0 != "\"" }) else {
            throw .notAllowed(node)
        }
        let base = TOMLNode(value: .text(String(text[..<mark])), position: node.position, found: node.found)
        return try ValueKind.url.read(base) + "?" + query
    }
}
