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
