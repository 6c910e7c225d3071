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
    /// The location of a file, whose form its feed checks: an address without a password or a key in it, or a path.
    static let location = ValueKind(allowed: ValueKind.text.allowed) { (node) throws(ValueErrors) in
        let text = try ValueKind.text.read(node)
        return text.hasPrefix("/") ? text : try withoutKey(text, node)
    }

    /// One source: an absolute path, or an address with its query.
    fileprivate static let sourceWithQuery = ValueKind(
        allowed: "an address such as \"https://example.com/trips.pb\", or a path such as \"/srv/trips.pb\""
    ) { (node) throws(ValueErrors) in
        guard case .text(let text) = node.value else { throw .notAllowed(node) }
        if text.hasPrefix("/"), !text.utf8.contains(0) { return text }
        // The feed rejects http where it sends a key.
        guard let mark = text.firstIndex(of: "?") else { return try ValueKind.webAddress(allowsPlain: true).read(node) }
        let query = try withoutKey(text, node)[text.index(after: mark)...]
        guard SourceAddress.isQuery(query) else { throw .notAllowed(node) }
        let base = TOMLNode(value: .text(String(text[..<mark])), position: node.position, found: node.found)
        return try ValueKind.webAddress(allowsPlain: true).read(base) + "?" + query
    }

    /// The address itself; throws where it has a key in its query, or a name and a password before its host. Neither is
    /// repeated.
    private static func withoutKey(_ address: String, _ node: TOMLNode) throws(ValueErrors) -> String {
        let hasKey = SourceAddress.hasKey(address.drop { $0 != "?" }.dropFirst())
        let beforePath = address.replacing("://", with: "", maxReplacements: 1).prefix { $0 != "/" && $0 != "?" }
        guard hasKey || beforePath.contains("@") else { return address }
        let found = hasKey ? "an address with a key in it" : "an address with a name or a password in it"
        throw .message(
            "is not allowed: put the key into keys.env, and the parameter's name into key_parameter",
            TOMLNode(value: .other, position: node.position, found: found))
    }
}

/// An address of data with its query, as far as the configuration checks it.
package struct SourceAddress: Hashable, Sendable {
    /// Parts of the names of parameters that contain keys.
    private static let keyWords = ["key", "token", "secret", "passw", "auth", "credential"]

    /// Whether it is encrypted, or on this machine.
    package let isSecure: Bool
    /// Scheme, host and port.
    package let origin: String
    /// Whether a parameter of the query has the name of a key.
    package let hasKey: Bool

    /// - Returns: nil for a text that no feed accepts.
    package init?(_ text: String) {
        let mark = text.firstIndex(of: "?") ?? text.endIndex
        let query = text[mark...].dropFirst()
        guard let address = WebAddress(String(text[..<mark])), Self.isQuery(query) else { return nil }
        isSecure = address.isSecure || address.isLoopback
        origin = address.text.split(separator: "/", maxSplits: 2).prefix(2).joined(separator: "//")
        hasKey = Self.hasKey(query)
    }

    fileprivate static func hasKey(_ query: Substring) -> Bool {
        let names = query.split(separator: "&").map { $0.prefix { $0 != "=" }.lowercased() }
        return names.contains { name in keyWords.contains { name.contains($0) } }
    }

    /// Whether the characters are those of a query (RFC 3986 §3.4).
    fileprivate static func isQuery(_ text: Substring) -> Bool {
        text.unicodeScalars.allSatisfy { ("!"..."~").contains($0) && !"\"#<>\\^`{|}".unicodeScalars.contains($0) }
    }
}
