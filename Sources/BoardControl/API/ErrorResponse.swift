/// The body of every error response.
public struct ErrorResponse: Hashable, Sendable, Codable {
    public struct Content: Hashable, Sendable, Codable {
        /// What was found, what is allowed, what to do.
        public var message: String
        /// The likely intended values, best first; empty where nothing is similar.
        public var candidates: [Candidate]
        /// The faults of the configuration; only where they are the reason.
        public var faults: [Fault]?
    }

    public var error: Content

    init(_ failure: ControlError) {
        error = Content(
            message: failure.message, candidates: failure.candidates,
            faults: failure.faults.isEmpty ? nil : failure.faults)
    }
}

/// A value that may have been intended.
public struct Candidate: Hashable, Sendable, Codable {
    /// The identifier: "tfl:490008660N", "73".
    public var id: String
    /// The display name, where it differs from the identifier.
    public var name: String?

    public init(id: String, name: String? = nil) {
        self.id = id
        self.name = name
    }
}

/// One fault of a configuration file.
public struct Fault: Hashable, Sendable, Codable {
    public var file: String
    /// The line, from 1; nil where the fault has no single position.
    public var line: Int?
    /// The column, from 1.
    public var column: Int?
    /// What was found and what is allowed.
    public var message: String

    public init(file: String, line: Int? = nil, column: Int? = nil, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = ControlError.shortened(message)
    }
}
