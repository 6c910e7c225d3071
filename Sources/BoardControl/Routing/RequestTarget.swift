internal import BoardCore
package import BoardService

/// The target of a request line: path segments and a query, percent-decoded.
package struct RequestTarget: Hashable, Sendable {
    struct Parameter: Hashable, Sendable {
        let name: String
        let value: String
    }

    /// The host and port of the absolute form; it replaces the Host header (RFC 9112 §3.2.2).
    package let authority: String?
    /// The path's segments: ["v1", "stops"].
    package let path: [String]
    /// The query parameters, in the order of the request.
    let query: [Parameter]

    /// Parses the target of a request line (RFC 9112 §3.2.1, and §3.2.2 for the absolute form that proxies send).
    ///
    /// - Throws: ``ServiceError`` where a percent sign lacks its two hexadecimal digits, the result is not UTF-8, or the query has
    ///   too many parameters, or one twice.
    package init(_ encoded: String) throws(ServiceError) {
        var text = Substring(encoded)
        var authority: String?
        // A scheme is case-insensitive (RFC 3986 §3.1).
        if text.prefix("http://".count).lowercased() == "http://" {
            text = text.dropFirst("http://".count)
            authority = String(text.prefix { $0 != "/" })
            text = text.drop { $0 != "/" }
        }
        self.authority = authority
        guard text.hasPrefix("/") else {
            throw ServiceError(.malformed, "the address \"\(Self.quoted(encoded))\" must begin with /")
        }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path: [String] = []
        for segment in parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            path.append(try Self.decoded(segment, plusIsSpace: false))
        }
        // A trailing slash is ignored.
        if path.count > 1, path.last == "" { path.removeLast() }
        self.path = path
        var query: [Parameter] = []
        for pair in parts.count == 2 ? parts[1].split(separator: "&") : [] {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.decoded(sides[0], plusIsSpace: true)
            guard query.count < Self.mostParameters else {
                throw ServiceError(.malformed, "more than \(Self.mostParameters) parameters in the address")
            }
            guard !query.contains(where: { $0.name == name }) else {
                throw ServiceError(.malformed, "the parameter \(Self.quoted(name)) is set twice")
            }
            let value = sides.count == 2 ? try Self.decoded(sides[1], plusIsSpace: true) : ""
            query.append(Parameter(name: name, value: value))
        }
        self.query = query
    }

    /// More than any request has. Each is compared with all others.
    private static let mostParameters = 16
    /// The maximum length of an identifier of a stop, line or feed; no operator's exceeds a quarter of it.
    static let longestName = 200

    /// A text from a client, shortened for a message.
    package static func quoted(_ text: some StringProtocol) -> String {
        let maximum = 60
        return text.count > maximum ? "\(text.prefix(maximum))…" : String(text)
    }

    /// A text percent-encoded for a path or a query.
    static func encoded(_ text: String) -> String {
        // The colon and comma of identifiers and coordinates.
        PercentEncoding.encoded(text, except: ":,")
    }

    private static func decoded(
        _ text: some StringProtocol, plusIsSpace: Bool
    ) throws(ServiceError) -> String {
        guard let bytes = PercentEncoding.decoded(text, plusIsSpace: plusIsSpace) else {
            throw ServiceError(
                .malformed, "\"\(quoted(text))\" has a % without two digits after it: write %25 for a %")
        }
        guard let decoded = String(validating: bytes, as: UTF8.self), !decoded.contains("\0") else {
            throw ServiceError(.malformed, "\"\(quoted(text))\" is not valid UTF-8")
        }
        return decoded
    }
}
