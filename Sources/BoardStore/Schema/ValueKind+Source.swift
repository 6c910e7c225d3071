extension ValueKind<String> {
    /// Where a list is kept: an address as ``url`` has it, a file's path from the root, or "" for nowhere.
    static let source = ValueKind(
        allowed: "an address such as \"https://example.com/list.csv\", a path such as \"/etc/boardd/list.csv\", or \"\""
    ) { (node) throws(ValueErrors) in
        guard case .text(let text) = node.value else { throw .notAllowed(node) }
        let isPath = text.hasPrefix("/") && !text.utf8.contains(0)
        return text.isEmpty || isPath ? text : try ValueKind.url.read(node)
    }
}

extension ValueKind<[String]> {
    /// Where several lists are kept: each a path, or an address that may have a query as long as no key is in it.
    static let sources = ValueKind(
        allowed: "a list of addresses such as [\"https://example.com/trips.pb\"], or of paths"
    ) { (node) throws(ValueErrors) in
        guard case .list(let nodes) = node.value else { throw .notAllowed(node) }
        var sources: [String] = []
        var refusals = ValueErrors(all: [])
        for element in nodes {
            do throws(ValueErrors) {
                sources.append(try ValueKind<String>.sourceWithQuery.read(element))
            } catch {
                refusals.all += error.all
            }
        }
        guard refusals.all.isEmpty else { throw refusals }
        return sources
    }
}

extension ValueKind<String> {
    /// Names of parameters whose values are keys.
    private static let keyWords = ["key", "token", "secret", "passw", "auth", "credential"]

    /// Where one thing is kept: a path, or an address with its query.
    fileprivate static let sourceWithQuery = ValueKind(
        allowed: "an address such as \"https://example.com/trips.pb\", or a path such as \"/srv/trips.pb\""
    ) { (node) throws(ValueErrors) in
        guard case .text(let text) = node.value else { throw .notAllowed(node) }
        if text.hasPrefix("/"), !text.utf8.contains(0) { return text }
        guard let mark = text.firstIndex(of: "?") else { return try ValueKind.url.read(node) }
        let query = text[text.index(after: mark)...]
        let names = query.split(separator: "&").map { $0.prefix { $0 != "=" }.lowercased() }
        if names.contains(where: { name in keyWords.contains { name.contains($0) } }) {
            // It is not repeated.
            let found = "an address with a key in it"
            throw .message(
                "is not allowed: put the key into keys.env, and the parameter's name into key_parameter",
                TOMLNode(value: .other, place: node.place, found: found))
        }
        guard !query.contains("#"), query.unicodeScalars.allSatisfy({ ("!"..."~").contains($0) && $0 != "\"" }) else {
            throw .notAllowed(node)
        }
        let base = TOMLNode(value: .text(String(text[..<mark])), place: node.place, found: node.found)
        return try ValueKind.url.read(base) + "?" + query
    }
}
