import BoardCore
package import BoardService
import FoundationEssentials

/// The server's response to one request.
package struct ControlResponse: Sendable {
    package struct Header: Hashable, Sendable {
        package let name: String
        package let value: String

        package init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    package let status: Int
    /// Headers other than those of the body and of the connection.
    package var headers: [Header] = []
    /// Nil: no body.
    package var body: [UInt8]?
    package var contentType = "application/json"
    /// Whether the page may compress the body. It must contain no secret: the length of a compressed body tells about
    /// it, to somebody who can choose a part of the body and see the encrypted traffic.
    package var isCompressible = false
    /// The body of a streamed response; nil: it is ``body``.
    package var events: EventStream?

    package init(status: Int, headers: [Header] = [], body: [UInt8]? = nil, contentType: String = "application/json") {
        self.status = status
        self.headers = headers
        self.body = body
        self.contentType = contentType
    }

    /// A stream of server-sent events.
    package init(events: EventStream) {
        self.init(status: 200, contentType: "text/event-stream")
        self.events = events
    }

    package static let noContent = ControlResponse(status: 204)

    /// A response with a JSON body.
    ///
    /// - Throws: ``ServiceError`` for an infinite number or NaN, which JSON cannot represent.
    package static func json(_ value: some Encodable, status: Int = 200) throws(ServiceError) -> ControlResponse {
        try ServiceError.checkCancellation()
        return ControlResponse(status: status, body: Array(try text(value).utf8))
    }

    /// A value as one line of JSON.
    package static func text(_ value: some Encodable) throws(ServiceError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self).asPrintedJSON
        } catch {
            throw ServiceError(.failed, "the response cannot be written as JSON; please report this")
        }
    }

    package static func failure(_ error: ServiceError) -> ControlResponse {
        Self.failure(error, status: error.kind.status ?? 500)
    }

    /// An error response with a status that no action returns.
    package static func failure(
        status: Int, _ message: String, kind: ServiceError.Kind = .malformed, headers: [Header] = []
    ) -> ControlResponse {
        var response = failure(ServiceError(kind, message), status: status)
        response.headers += headers
        return response
    }

    private static func failure(_ error: ServiceError, status: Int) -> ControlResponse {
        var response = (try? json(ErrorResponse(error: error), status: status)) ?? ControlResponse(status: status)
        if let wait = error.retryAfter {
            response.headers = [.init(name: "Retry-After", value: "\(max(1, Int((wait / .seconds(1)).rounded(.up))))")]
        }
        if status == 401 { response.headers.append(.init(name: "WWW-Authenticate", value: "Bearer")) }
        return response
    }
}

/// The body of every error response.
struct ErrorResponse: Hashable, Sendable, Codable {
    var error: ServiceError
}

extension ServiceError.Kind {
    /// The HTTP status; nil for an error on the client's side of the socket.
    var status: Int? {
        switch self {
        case .malformed: 400
        case .notPaired, .digitsNeeded: 401
        case .notAllowed: 403
        case .notFound: 404
        case .conflict: 409
        case .invalid: 422
        case .rateLimited: 429
        case .failed: 500
        case .unreadable: 502
        case .unavailable, .noDirectory, .unusableDirectory: 503
        case .noDaemon, .noAccess, .timedOut, .connectionLost, .unexpectedResponse: nil
        }
    }
}
