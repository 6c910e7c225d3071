internal import BoardService

/// The body of every error response.
struct ErrorResponse: Hashable, Sendable, Codable {
    struct Content: Hashable, Sendable, Codable {
        /// What was found, what is allowed, what to do.
        var message: String
        /// The likely intended values, best first; empty where nothing is similar.
        var candidates: [Candidate]
        /// The faults of the configuration; only where they are the reason.
        var faults: [Fault]?
    }

    var error: Content

    init(_ failure: ServiceError) {
        error = Content(
            message: failure.message, candidates: failure.candidates,
            faults: failure.faults.isEmpty ? nil : failure.faults)
    }
}

extension ServiceError.Kind {
    /// The HTTP status; nil for an error of the client's side of the socket.
    var status: Int? {
        switch self {
        case .malformed: 400
        case .notAllowed: 403
        case .notFound: 404
        case .conflict: 409
        case .invalid: 422
        case .failed: 500
        case .unreadable: 502
        case .unavailable, .noDirectory: 503
        case .noDaemon, .noAccess, .timedOut, .connectionLost, .unexpectedResponse: nil
        }
    }

    /// The kind for the status of an error response.
    init(status: Int) {
        self = Self.allCases.first { $0.status == status } ?? (status < 500 ? .malformed : .failed)
    }
}
