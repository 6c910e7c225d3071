package import BoardCore
import BoardFeeds
package import BoardService
import BoardStore
import FoundationEssentials
package import NIOHTTP1

/// A complete request, as the routes read it.
package struct ControlRequest: Sendable {
    package var method: String
    package var target: RequestTarget
    package var headers: HTTPHeaders
    package var body: [UInt8] = []
    package var peer: Peer
    /// The values of the path's `{…}` segments, in order.
    package internal(set) var pathValues: [String] = []
    /// Whether the client may change something, and may cause requests to operators.
    package var mayChange = true
    /// The paired device that sent it; nil: none, or the Unix socket.
    package var device: PairedDevice?

    package init(
        method: String, target: RequestTarget, headers: HTTPHeaders = [:], body: [UInt8] = [], peer: Peer = .process
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.peer = peer
    }

    /// The value of a query parameter; nil if it is absent.
    package func parameter(_ name: String) -> String? {
        target.query.first { $0.name == name }?.value
    }

    /// A whole number in the query.
    func integer(_ name: String, in range: ClosedRange<Int>, default defaultValue: Int) throws(ServiceError) -> Int {
        guard let text = parameter(name) else { return defaultValue }
        guard let number = Int(text), range.contains(number) else {
            throw ServiceError(
                .malformed,
                "\(name) is \"\(RequestTarget.quoted(text))\"; it must be a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound)",
                value: InvalidValue(name, .range, minimum: "\(range.lowerBound)", maximum: "\(range.upperBound)"))
        }
        return number
    }

    /// The feed in the query; nil: there is none.
    func feed() throws(ServiceError) -> FeedName? {
        guard let text = parameter("feed") else { return nil }
        guard text.count <= RequestTarget.maximumNameLength else {
            throw ServiceError(.notFound, "there is no feed \"\(RequestTarget.quoted(text))\"")
        }
        return FeedName(text)
    }

    /// The sort order in the query; by default by time.
    func sortOrder() throws(ServiceError) -> BoardCore.SortOrder {
        guard let word = parameter("sort") else { return .time }
        guard let order = BoardCore.SortOrder(rawValue: word) else {
            let allowed = BoardCore.SortOrder.allCases.map(\.rawValue)
            throw ServiceError(
                .malformed,
                "sort is \"\(RequestTarget.quoted(word))\"; allowed: \(allowed.joined(separator: ", "))",
                value: InvalidValue("sort", .choice, allowed: allowed))
        }
        return order
    }

    /// The stop in the path.
    package func stop() throws(ServiceError) -> StopID { try Self.stop(pathValues.first ?? "") }

    static func stop(_ text: String) throws(ServiceError) -> StopID {
        guard text.count <= RequestTarget.maximumNameLength else {
            throw ServiceError(.notFound, "there is no stop \"\(RequestTarget.quoted(text))\"")
        }
        guard let stop = StopID(text) else {
            throw ServiceError(
                .malformed,
                "\"\(RequestTarget.quoted(text))\" is not a stop; write feed:code, such as tfl:490008660N",
                value: InvalidValue("stop", .format))
        }
        return stop
    }

    /// The line in the path.
    func line() throws(ServiceError) -> (feed: FeedName, line: String) { try Self.line(pathValues.first ?? "") }

    static func line(_ text: String) throws(ServiceError) -> (feed: FeedName, line: String) {
        guard text.count <= RequestTarget.maximumNameLength else {
            throw ServiceError(.notFound, "there is no line \"\(RequestTarget.quoted(text))\"")
        }
        // A line identifier has the syntax of a stop identifier.
        guard let id = StopID(text) else {
            throw ServiceError(
                .malformed, "\"\(RequestTarget.quoted(text))\" is not a line; write feed:line, such as tfl:73",
                value: InvalidValue("line", .format))
        }
        return (id.feed, id.code)
    }

    /// Decodes the body.
    ///
    /// - Throws: ``ServiceError`` with the position of a syntax error, or the invalid key and what is allowed.
    package func decoded<Value: Decodable>(_ type: Value.Type) throws(ServiceError) -> Value {
        guard !body.isEmpty else { throw ServiceError(.malformed, "the body is empty; it must be a JSON object") }
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch let error as ServiceError {
            throw error
        } catch let error as DecodingError {
            throw ServiceError(.malformed, message(error), value: error.value)
        } catch {
            throw ServiceError(.malformed, "the body cannot be read: \(error)")
        }
    }

    /// The place of a syntax error, which the decoder does not report, and what is expected there; nil: there is none.
    private var syntaxError: String? {
        do {
            _ = try JSONDocument(body)
            return nil
        } catch {
            guard let position = error.position else { return ": \(error)" }
            let lines = body.prefix(position).split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
            return ": line \(max(1, lines.count)), column \((lines.last?.count ?? 0) + 1): expected \(error.expected)"
        }
    }

    private func message(_ error: DecodingError) -> String {
        switch error {
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            return "the body is not valid JSON" + (syntaxError ?? ", or it contains a number that is too large")
        case .dataCorrupted(let context):
            return "\(Self.path(context.codingPath)): \(context.debugDescription)"
        case .keyNotFound(let key, let context):
            return "\(Self.path(context.codingPath + [key])): is missing"
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            return "\(Self.path(context.codingPath)): must be \(Self.word(type))"
        @unknown default:
            return "the body cannot be read: \(error)"
        }
    }

    private static func path(_ codingPath: [any CodingKey]) -> String {
        guard !codingPath.isEmpty else { return "the body" }
        return codingPath.reduce(into: "") { text, key in
            if let index = key.intValue {
                text += "[\(index)]"
            } else {
                text += (text.isEmpty ? "" : ".") + RequestTarget.quoted(key.stringValue)
            }
        }
    }

    private static func word(_ type: Any.Type) -> String {
        switch type {
        case is String.Type: "a text"
        case is Double.Type: "a number"
        case is [String].Type, is [Any].Type: "a list"
        default: "an object"
        }
    }
}

extension DecodingError {
    /// The value that is not allowed; nil: the whole body.
    fileprivate var value: InvalidValue? {
        switch self {
        case .keyNotFound(let key, let context):
            InvalidValue((context.codingPath.first ?? key).stringValue, .missing)
        case .typeMismatch(_, let context), .valueNotFound(_, let context):
            context.codingPath.first.map { InvalidValue($0.stringValue, .type) }
        case .dataCorrupted(let context): context.codingPath.first.map { InvalidValue($0.stringValue, .format) }
        @unknown default: nil
        }
    }
}

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
    /// - Throws: ``ServiceError`` if a percent sign lacks its two hexadecimal digits, the result is not UTF-8, or the
    ///   query has too many parameters, or one twice.
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
            guard query.count < Self.maximumParameters else {
                throw ServiceError(.malformed, "more than \(Self.maximumParameters) parameters in the address")
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
    private static let maximumParameters = 16
    /// The maximum length of an identifier of a stop, line or feed; no operator's is more than a quarter as long.
    static let maximumNameLength = 200

    /// A text from a client, shortened for a message.
    package static func quoted(_ text: some StringProtocol) -> String {
        let maximum = 60
        return text.count > maximum ? "\(text.prefix(maximum))…" : String(text)
    }

    /// A text percent-encoded for a path or a query.
    static func encoded(_ text: String) -> String {
        // Identifiers have colons, and coordinates commas.
        PercentEncoding.encoded(text, except: ":,")
    }

    private static func decoded(_ text: some StringProtocol, plusIsSpace: Bool) throws(ServiceError) -> String {
        guard let bytes = PercentEncoding.decoded(text, plusIsSpace: plusIsSpace) else {
            throw ServiceError(.malformed, "\"\(quoted(text))\" has a % without two digits after it: write %25 for a %")
        }
        guard let decoded = String(validating: bytes, as: UTF8.self), !decoded.contains("\0") else {
            throw ServiceError(.malformed, "\"\(quoted(text))\" is not valid UTF-8")
        }
        return decoded
    }
}
