internal import BoardCore
internal import BoardService
internal import FoundationEssentials

/// The server's response to one request.
struct ControlResponse: Hashable, Sendable {
    struct Header: Hashable, Sendable {
        let name: String
        let value: String
    }

    /// The HTTP status.
    let status: Int
    /// Headers other than those of the body and of the connection.
    var headers: [Header] = []
    /// JSON; nil: no body.
    var body: [UInt8]?

    /// A response without a body.
    static let noContent = ControlResponse(status: 204)

    /// A response with a JSON body.
    ///
    /// - Throws: ``ServiceError`` for an infinite number or NaN, which JSON cannot represent.
    static func json(_ value: some Encodable, status: Int = 200) throws(ServiceError) -> ControlResponse {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return ControlResponse(
                status: status,
                body: Array(String(decoding: try encoder.encode(value), as: UTF8.self).asPrintedJSON.utf8))
        } catch {
            throw ServiceError(.failed, "the response cannot be written as JSON; please report this")
        }
    }

    static func failure(_ error: ServiceError) -> ControlResponse {
        Self.failure(error, status: error.kind.status ?? 500)
    }

    /// An error response with a status that no action returns.
    static func failure(status: Int, _ message: String, headers: [Header] = []) -> ControlResponse {
        var response = failure(ServiceError(.malformed, message), status: status)
        response.headers = headers
        return response
    }

    private static func failure(_ error: ServiceError, status: Int) -> ControlResponse {
        let fallback = ControlResponse(status: status)
        return (try? json(ErrorResponse(error: error), status: status)) ?? fallback
    }
}
