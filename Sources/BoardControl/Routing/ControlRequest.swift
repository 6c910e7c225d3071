package import BoardCore
internal import BoardFormats
package import BoardService
internal import FoundationEssentials
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

    package init(
        method: String, target: RequestTarget, headers: HTTPHeaders = [:], body: [UInt8] = [], peer: Peer = .process
    ) {
        self.method = method
        self.target = target
        self.headers = headers
        self.body = body
        self.peer = peer
    }

    /// The value of a query parameter; nil where it is absent.
    package func parameter(_ name: String) -> String? {
        target.query.first { $0.name == name }?.value
    }

    /// A whole number of the query.
    func integer(_ name: String, in range: ClosedRange<Int>, default defaultValue: Int) throws(ServiceError) -> Int {
        guard let text = parameter(name) else { return defaultValue }
        guard let number = Int(text), range.contains(number) else {
            throw ServiceError(
                .malformed,
                "\(name) is \"\(RequestTarget.quoted(text))\"; it must be a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound)")
        }
        return number
    }

    /// The feed in the query; nil where there is none.
    func feed() throws(ServiceError) -> FeedName? {
        guard let text = parameter("feed") else { return nil }
        guard text.count <= RequestTarget.longestName else {
            throw ServiceError(.notFound, "there is no feed \"\(RequestTarget.quoted(text))\"")
        }
        return FeedName(text)
    }

    /// The sort order in the query; by default by time.
    func sortOrder() throws(ServiceError) -> BoardCore.SortOrder {
        guard let word = parameter("sort") else { return .time }
        guard let order = BoardCore.SortOrder(rawValue: word) else {
            let allowed = BoardCore.SortOrder.allCases.map(\.rawValue).joined(separator: ", ")
            throw ServiceError(.malformed, "sort is \"\(RequestTarget.quoted(word))\"; allowed: \(allowed)")
        }
        return order
    }

    /// The stop in the path.
    package func stop() throws(ServiceError) -> StopID { try Self.stop(pathValues.first ?? "") }

    static func stop(_ text: String) throws(ServiceError) -> StopID {
        guard text.count <= RequestTarget.longestName else {
            throw ServiceError(.notFound, "there is no stop \"\(RequestTarget.quoted(text))\"")
        }
        guard let stop = StopID(text) else {
            throw ServiceError(
                .malformed,
                "\"\(RequestTarget.quoted(text))\" is not a stop; write feed:code, such as tfl:490008660N")
        }
        return stop
    }

    /// The line in the path.
    func line() throws(ServiceError) -> (feed: FeedName, line: String) { try Self.line(pathValues.first ?? "") }

    static func line(_ text: String) throws(ServiceError) -> (feed: FeedName, line: String) {
        guard text.count <= RequestTarget.longestName else {
            throw ServiceError(.notFound, "there is no line \"\(RequestTarget.quoted(text))\"")
        }
        // A line identifier has the syntax of a stop identifier.
        guard let id = StopID(text) else {
            throw ServiceError(
                .malformed, "\"\(RequestTarget.quoted(text))\" is not a line; write feed:line, such as tfl:73")
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
            throw ServiceError(.malformed, message(error))
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
