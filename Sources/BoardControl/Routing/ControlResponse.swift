internal import BoardCore
internal import FoundationEssentials

/// What the server answers to one request.
struct ControlResponse: Hashable, Sendable {
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
    static let nothing = ControlResponse(status: 204)

    /// An answer that says something.
    ///
    /// - Throws: ``ControlError`` where a number is infinite or none, which JSON cannot say.
    static func json(_ value: some Encodable, status: Int = 200) throws(ControlError) -> ControlResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return ControlResponse(
                status: status,
                body: Array(String(decoding: try encoder.encode(value), as: UTF8.self).asPrintedJSON.utf8))
        } catch {
            throw ControlError(.failed, "the answer cannot be written as JSON: please report this")
        }
    }

    /// An answer that refuses.
    static func failure(_ refusal: ControlError) -> ControlResponse {
        Self.failure(refusal, status: refusal.kind.status)
    }

    /// An answer that refuses with a status that no action gives.
    static func failure(status: Int, _ message: String, headers: [Header] = []) -> ControlResponse {
        var response = failure(ControlError(.malformed, message), status: status)
        response.headers = headers
        return response
    }

    private static func failure(_ refusal: ControlError, status: Int) -> ControlResponse {
        let fallback = ControlResponse(status: status)
        return (try? json(ErrorResponse(refusal), status: status)) ?? fallback
    }
}
