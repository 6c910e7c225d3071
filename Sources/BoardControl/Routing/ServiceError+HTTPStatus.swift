internal import BoardService

extension ServiceError.Kind {
    /// The HTTP status; nil for an error of the client's side of the socket.
    var status: Int? {
        switch self {
        case .malformed: 400
        case .notPaired: 401
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
