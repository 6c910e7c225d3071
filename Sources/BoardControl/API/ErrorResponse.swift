/// What every refusal answers with.
public struct ErrorResponse: Hashable, Sendable, Codable {
    /// Why something was refused.
    public struct Content: Hashable, Sendable, Codable {
        /// A sentence: what was found, what is allowed, what to do.
        public var message: String
        /// What may have been meant, best first; empty where nothing comes near.
        public var candidates: [Candidate]
        /// What is wrong with the configuration; only where that is the reason.
        public var faults: [Fault]?
    }

    /// Why.
    public var error: Content

    /// The answer to a refusal.
    init(_ refusal: ControlError) {
        error = Content(
            message: refusal.message, candidates: refusal.candidates,
            faults: refusal.faults.isEmpty ? nil : refusal.faults)
    }
}

/// Something that may have been meant.
public struct Candidate: Hashable, Sendable, Codable {
    /// How it is written: "tfl:490008660N", "73".
    public var id: String
    /// Its name for people, where it has another.
    public var name: String?

    /// A candidate.
    public init(id: String, name: String? = nil) {
        self.id = id
        self.name = name
    }
}

/// One thing that is wrong with a configuration file.
public struct Fault: Hashable, Sendable, Codable {
    /// The file's path.
    public var file: String
    /// The line, from 1; nil when the fault is not at one place.
    public var line: Int?
    /// The column, from 1.
    public var column: Int?
    /// What was found and what is allowed.
    public var message: String

    /// A fault.
    public init(file: String, line: Int? = nil, column: Int? = nil, message: String) {
        self.file = file
        self.line = line
        self.column = column
        self.message = ControlError.shortened(message)
    }
}
