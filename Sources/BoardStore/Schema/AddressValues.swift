import BoardCore
import BoardDisplays

extension ValueKind<String> {
    /// The address of a server: https, or http to this machine, without a trailing slash.
    static let url = webAddress(allowsPlain: false)

    /// An address as in ``url``; `allowsPlain`: also http to other machines, if no key is sent.
    static func webAddress(allowsPlain: Bool) -> ValueKind {
        ValueKind(allowed: "an address such as \"https://api.example.com\"") { (node) throws(ValueError) in
            guard case .text(let text) = node.value else { throw .notAllowed(node) }
            if text.contains("@") || text.contains("?") {
                // The value may contain a key, so it is not repeated.
                let found = "an address with a name, a password or a query in it"
                throw .notAllowed(TOMLNode(value: .other, position: node.position, found: found))
            }
            guard let address = WebAddress(text) else { throw .notAllowed(node) }
            guard address.isSecure || address.isLoopback || allowsPlain else {
                throw .message(
                    "is not encrypted: must be https; http is allowed only to this machine (localhost, 127.0.0.1, [::1])",
                    node)
            }
            return address.text
        }
    }
}

/// A web address, as far as the configuration checks it.
struct WebAddress {
    /// The address without a trailing slash.
    let text: String
    /// Whether the scheme is https.
    let isSecure: Bool
    /// The host, without brackets.
    let host: String

    /// Parses `http(s)://host[:port][/path]`; nil for any other text. Rejects a name and password (a secret in the
    /// wrong file), a query or fragment, to which no path can be appended, and whatever a feed would reject when it
    /// starts.
    init?(_ text: String) {
        let secure = "https://"
        let plain = "http://"
        guard let scheme = [secure, plain].first(where: text.hasPrefix) else { return nil }
        let rest = text.dropFirst(scheme.count)
        guard rest.unicodeScalars.allSatisfy({ ("!"..."~").contains($0) }),
            !rest.contains(where: { "@?#\\\"<>^`{|}".contains($0) })
        else { return nil }
        let authority = rest.prefix { $0 != "/" }
        guard let host = Self.host(of: authority) else { return nil }
        self.host = host
        isSecure = scheme == secure
        var end = text[...]
        while end.last == "/" { end.removeLast() }
        self.text = String(end)
    }

    /// The host of `host[:port]` or `[host][:port]`; nil if either is invalid.
    private static func host(of authority: Substring) -> String? {
        let host: Substring
        let port: Substring
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<end]
            port = authority[authority.index(after: end)...]
            guard host.contains(":"), host.count > 1, host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." })
            else { return nil }
        } else {
            host = authority.prefix { $0 != ":" }
            port = authority[host.endIndex...]
            guard !host.isEmpty, host.allSatisfy({ $0.isLetter || $0.isDigit || "-.".contains($0) }) else { return nil }
        }
        if !port.isEmpty {
            let digits = port.dropFirst()
            guard port.first == ":", digits.count <= 5, digits.allSatisfy(\.isDigit), let number = UInt16(digits),
                number > 0
            else {
                return nil
            }
        }
        return String(host)
    }

    /// Whether the host is this machine by its spelling: 127.0.0.0/8 (RFC 6890), ::1 or localhost (RFC 6761).
    var isLoopback: Bool {
        if host.lowercased() == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { $0.allSatisfy(\.isDigit) && UInt8($0) != nil && ($0 == "0" || $0.first != "0") }
    }
}

extension ValueKind<DisplayWiring.Address> {
    /// "auto", or an address that a driver's displays can have.
    static func address(of driver: DisplayWiring.Driver) -> ValueKind {
        switch driver {
        case .hd44780, .none: address(in: Expander.pcf8574.addresses)
        case .ssd1306, .sh1106: address(in: [DisplayWiring.oledAddresses])
        case .ht16k33, .lcdproc: .word(["auto": .auto], order: ["auto"])
        }
    }

    private static func address(in ranges: [ClosedRange<UInt8>]) -> ValueKind {
        let allowed = ranges.map { "from \($0.lowerBound.asHex) to \($0.upperBound.asHex)" }
        return ValueKind(allowed: "an address \(allowed.joinedAsAlternatives()), without quotes") {
            (node) throws(ValueError) in
            guard case .integer(let number) = node.value, let address = UInt8(exactly: number),
                ranges.contains(where: { $0.contains(address) })
            else { throw .notAllowed(node) }
            return .fixed(address)
        }.or("auto", .auto)
    }
}

extension ValueKind<String> {
    /// The source of a list: an address as in ``url``, an absolute path, or "" for none.
    static let source = ValueKind(
        allowed: "an address such as \"https://example.com/list.csv\", a path such as \"/etc/boardd/list.csv\", or \"\""
    ) { (node) throws(ValueError) in
        guard case .text(let text) = node.value else { throw .notAllowed(node) }
        let isPath = text.hasPrefix("/") && !text.utf8.contains(0)
        return text.isEmpty || isPath ? text : try ValueKind.url.read(node)
    }
}

extension ValueKind<[String]> {
    /// The sources of several lists: each an absolute path, or an address that may have a query without a key in it.
    static let sources = ValueKind(
        allowed: "a list of addresses such as [\"https://example.com/trips.pb\"], or of paths"
    ) { (node) throws(ValueError) in
        guard case .list(let nodes) = node.value else { throw .notAllowed(node) }
        return try ValueError.collect(nodes, ValueKind<String>.sourceWithQuery.read)
    }
}

extension ValueKind<String> {
    /// The location of a file, whose form its feed checks: an address without a password or a key in it, or a path.
    static let location = ValueKind(allowed: ValueKind.text.allowed) { (node) throws(ValueError) in
        let text = try ValueKind.text.read(node)
        return text.hasPrefix("/") ? text : try withoutKey(text, node)
    }

    /// One source: an absolute path, or an address with its query.
    fileprivate static let sourceWithQuery = ValueKind(
        allowed: "an address such as \"https://example.com/trips.pb\", or a path such as \"/srv/trips.pb\""
    ) { (node) throws(ValueError) in
        guard case .text(let text) = node.value else { throw .notAllowed(node) }
        if text.hasPrefix("/"), !text.utf8.contains(0) { return text }
        // The feed rejects http if it sends a key.
        guard let mark = text.firstIndex(of: "?") else { return try ValueKind.webAddress(allowsPlain: true).read(node) }
        let query = try withoutKey(text, node)[text.index(after: mark)...]
        guard SourceAddress.isQuery(query) else { throw .notAllowed(node) }
        let base = TOMLNode(value: .text(String(text[..<mark])), position: node.position, found: node.found)
        return try ValueKind.webAddress(allowsPlain: true).read(base) + "?" + query
    }

    /// The address itself; throws if it has a key in its query, or a name or password before its host. Neither is
    /// repeated.
    private static func withoutKey(_ address: String, _ node: TOMLNode) throws(ValueError) -> String {
        let hasKey = SourceAddress.hasKey(address.drop { $0 != "?" }.dropFirst())
        let beforePath = address.replacing("://", with: "", maxReplacements: 1).prefix { $0 != "/" && $0 != "?" }
        guard hasKey || beforePath.contains("@") else { return address }
        let found = hasKey ? "an address with a key in it" : "an address with a name or a password in it"
        throw .message(
            "is not allowed: put the key into keys.env, and the parameter's name into key_parameter",
            TOMLNode(value: .other, position: node.position, found: found))
    }
}

/// The address of a data source with its query, as far as the configuration checks it.
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
