internal import BoardCore
internal import FoundationEssentials

/// What the server answers to one request.
struct ControlAnswer: Hashable, Sendable {
    /// One header.
    struct Header: Hashable, Sendable {
        let name: String
        let value: String
    }

    /// The status of HTTP.
    let status: Int
    /// Headers beside those of the body and of the connection.
    var headers: [Header] = []
    /// JSON; nil: none.
    var body: [UInt8]?

    /// An answer without a body.
    static let nothing = ControlAnswer(status: 204)

    /// An answer that says something.
    ///
    /// - Throws: ``ControlRefusal`` where a number is infinite or none, which JSON cannot say.
    static func json(_ value: some Encodable, status: Int = 200) throws(ControlRefusal) -> ControlAnswer {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return ControlAnswer(
                status: status,
                body: Array(String(decoding: try encoder.encode(value), as: UTF8.self).asPrintedJSON.utf8))
        } catch {
            throw ControlRefusal(.failed, "the answer cannot be written as JSON: please report this")
        }
    }

    /// An answer that refuses.
    static func refusal(_ refusal: ControlRefusal) -> ControlAnswer {
        Self.refusal(refusal, status: refusal.kind.status)
    }

    /// An answer that refuses with a status that no action gives.
    static func refusal(status: Int, _ message: String, headers: [Header] = []) -> ControlAnswer {
        var answer = refusal(ControlRefusal(.malformed, message), status: status)
        answer.headers = headers
        return answer
    }

    private static func refusal(_ refusal: ControlRefusal, status: Int) -> ControlAnswer {
        let fallback = ControlAnswer(status: status)
        return (try? json(RefusalAnswer(refusal), status: status)) ?? fallback
    }
}
