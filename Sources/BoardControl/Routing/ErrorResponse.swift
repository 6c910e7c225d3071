internal import BoardService

/// The body of every error response.
struct ErrorResponse: Hashable, Sendable, Codable {
    var error: ServiceError
}
