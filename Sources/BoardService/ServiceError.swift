/// Why a call of a ``BoardService`` failed, with a message for the user.
public struct ServiceError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The kind of an error, for programs.
    public enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
        /// The request is malformed.
        case malformed
        /// The service lacks a permission, such as to write a file.
        case notAllowed = "not-allowed"
        /// The client is not paired with the board.
        case notPaired = "not-paired"
        /// Too many requests: the board's own limit.
        case rateLimited = "rate-limited"
        /// No such stop, line or favourite.
        case notFound = "not-found"
        /// The request conflicts with the current state, such as a stop that is a favourite already.
        case conflict
        /// The request is well-formed but invalid: a faulty configuration, a line that does not call, a name that several
        /// stops have.
        case invalid
        /// An internal error.
        case failed
        /// The operator's response is unreadable.
        case unreadable
        /// Not possible now, perhaps later: an operator does not respond.
        case unavailable
        /// No stop list was downloaded yet.
        case noDirectory = "no-directory"
        /// The stop list is damaged, of another version, or was not replaced.
        case unusableDirectory = "unusable-directory"
        /// No board runs on this machine.
        case noDaemon = "no-daemon"
        /// The user may not use the control socket.
        case noAccess = "no-access"
        /// The running board did not respond in time.
        case timedOut = "timed-out"
        /// The connection to the running board was lost.
        case connectionLost = "connection-lost"
        /// The server is not boardd, or another version of it.
        case unexpectedResponse = "unexpected-response"
    }

    public let kind: Kind
    /// What was found, what is allowed, what to do. Contains no key.
    public let message: String
    /// The likely intended values, best first.
    public let candidates: [Candidate]
    /// The faults of the configuration, where they are the reason.
    public let faults: [Fault]
    /// The wait before a request may succeed. Not a part of the JSON form: HTTP has a header for it.
    package private(set) var retryAfter: Duration?

    private enum CodingKeys: CodingKey {
        case kind, message, candidates, faults
    }

    public init(
        _ kind: Kind, _ message: String, candidates: [Candidate] = [], faults: [Fault] = [],
        retryAfter: Duration? = nil
    ) {
        self.retryAfter = retryAfter
        self.kind = kind
        self.message = Self.shortened(message)
        self.candidates = candidates
        self.faults = faults
    }

    public var description: String { message }

    /// The same error with another message.
    package func with(message: String) -> ServiceError {
        ServiceError(kind, message, candidates: candidates, faults: faults, retryAfter: retryAfter)
    }

    /// The error of an action whose client has disconnected, or that a person has interrupted.
    package static let cancelled = ServiceError(.unavailable, "the request was cancelled")

    /// Throws ``cancelled`` in a task that was cancelled, before work whose result has no receiver.
    package static func checkCancellation() throws(ServiceError) {
        if Task.isCancelled { throw .cancelled }
    }

    /// The maximum length of a quoted text or of a word in a message.
    static let longestQuotation = 200

    /// Shortens quoted texts and words that are longer than any legitimate input.
    static func shortened(_ sentence: String) -> String {
        guard sentence.count > longestQuotation else { return sentence }
        func cut(_ text: Substring) -> String {
            text.count > longestQuotation ? "\(text.prefix(longestQuotation))…" : String(text)
        }
        let parts = sentence.split(separator: "\"", omittingEmptySubsequences: false).enumerated().map { index, part in
            let isQuoted = index % 2 == 1
            return isQuoted
                ? cut(part)
                : part.split(separator: " ", omittingEmptySubsequences: false).map(cut).joined(separator: " ")
        }
        return parts.joined(separator: "\"")
    }
}

/// A value that may have been intended.
public struct Candidate: Hashable, Sendable, Codable {
    /// The number of candidates an error lists.
    package static let maximumCount = 3

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
        self.message = ServiceError.shortened(message)
    }
}
