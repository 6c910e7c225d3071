internal import BoardCore
internal import FoundationEssentials

/// A whole request, as the routes see it.
struct ControlRequest: Sendable {
    /// GET, POST, …
    var method: String
    /// The address.
    var target: RequestTarget
    /// The header Content-Type.
    var contentType: String?
    /// The body; empty: none.
    var body: [UInt8] = []
    /// The parts of the path that a route leaves open, in their order.
    var open: [String] = []

    /// The value of a parameter of the query; nil where it is not there.
    func parameter(_ name: String) -> String? {
        target.query.first { $0.name == name }?.value
    }

    /// A whole number of the query.
    func integer(_ name: String, in range: ClosedRange<Int>, or otherwise: Int) throws(ControlError) -> Int {
        guard let text = parameter(name) else { return otherwise }
        guard let number = Int(text), range.contains(number) else {
            throw ControlError(
                .malformed,
                "\(name) is \"\(RequestTarget.quoted(text))\"; it must be a whole number from \(range.lowerBound) to "
                    + "\(range.upperBound)")
        }
        return number
    }

    /// The feed that the query names; nil where it names none.
    func feed() throws(ControlError) -> FeedName? {
        guard let text = parameter("feed") else { return nil }
        guard text.count <= RequestTarget.longestName else {
            throw ControlError(.notFound, "there is no feed \"\(RequestTarget.quoted(text))\"")
        }
        return FeedName(text)
    }

    /// The stop that the path names.
    func stop() throws(ControlError) -> StopID {
        let text = open.first ?? ""
        guard text.count <= RequestTarget.longestName else {
            throw ControlError(.notFound, "there is no stop \"\(RequestTarget.quoted(text))\"")
        }
        guard let stop = StopID(text) else {
            throw ControlError(
                .malformed,
                "\"\(RequestTarget.quoted(text))\" is no stop; write feed:code, such as tfl:490008660N")
        }
        return stop
    }

    /// The line that the path names.
    func line() throws(ControlError) -> (feed: FeedName, line: String) {
        let text = open.first ?? ""
        guard text.count <= RequestTarget.longestName else {
            throw ControlError(.notFound, "there is no line \"\(RequestTarget.quoted(text))\"")
        }
        // A line is written like a stop.
        guard let id = StopID(text) else {
            throw ControlError(
                .malformed, "\"\(RequestTarget.quoted(text))\" is no line; write feed:line, such as tfl:73")
        }
        return (id.feed, id.code)
    }

    /// Reads the body.
    ///
    /// - Throws: ``ControlError`` that says where it is broken, or which key is wrong and what is allowed.
    func decoded<Value: Decodable>(_ type: Value.Type) throws(ControlError) -> Value {
        guard !body.isEmpty else { throw ControlError(.malformed, "the body is empty; it must be a JSON object") }
        do {
            return try JSONDecoder().decode(type, from: Data(body))
        } catch let error as DecodingError {
            throw ControlError(.malformed, message(error))
        } catch {
            throw ControlError(.malformed, "the body cannot be read: \(error)")
        }
    }

    private func message(_ error: DecodingError) -> String {
        switch error {
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            let place = JSONFault.first(in: body).map { ": \($0)" } ?? ", or holds a number that is too large"
            return "the body is no JSON\(place)"
        case .dataCorrupted(let context):
            return "\(Self.place(context.codingPath)): \(context.debugDescription)"
        case .keyNotFound(let key, let context):
            return "\(Self.place(context.codingPath + [key])): is missing"
        case .typeMismatch(let type, let context), .valueNotFound(let type, let context):
            return "\(Self.place(context.codingPath)): must be \(Self.word(type))"
        @unknown default:
            return "the body cannot be read: \(error)"
        }
    }

    private static func place(_ path: [any CodingKey]) -> String {
        guard !path.isEmpty else { return "the body" }
        return path.reduce(into: "") { text, key in
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
