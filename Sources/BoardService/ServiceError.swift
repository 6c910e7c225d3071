package import BoardCore
package import BoardIO
public import BoardStore
import Glibc

/// Why a request to a board failed, with a message for the user.
public struct ServiceError: Error, Hashable, Sendable, Codable, CustomStringConvertible {
    /// The kind of an error, for programs.
    public enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
        /// The request is malformed.
        case malformed
        /// The service lacks a permission, such as to write a file.
        case notAllowed = "not-allowed"
        /// The client is not paired with the board.
        case notPaired = "not-paired"
        /// The device is paired, but a person must enter the digits on the display once more.
        case digitsNeeded = "digits-needed"
        /// Too many requests: the board's own limit.
        case rateLimited = "rate-limited"
        /// No such stop, line or favourite.
        case notFound = "not-found"
        /// The request conflicts with the current state, such as a stop that is already a favourite.
        case conflict
        /// The request is well-formed but invalid: a faulty configuration, a line that does not call at the stop, a
        /// name that several stops have.
        case invalid
        /// An internal error.
        case failed
        /// The operator's response is unreadable.
        case unreadable
        /// Not possible now, perhaps later: an operator does not respond.
        case unavailable
        /// No stop list has been downloaded yet.
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
        /// The server is not boardd, or is another version of it.
        case unexpectedResponse = "unexpected-response"
    }

    public let kind: Kind
    /// What was found, what is allowed, what to do. Contains no key.
    public let message: String
    /// The likely intended values, best first.
    public let candidates: [Candidate]
    /// The faults of the configuration, if they are the reason.
    public let faults: [Fault]
    /// The value of the request that is not allowed; nil: it is not about one.
    public let value: InvalidValue?
    /// The wait before a request may succeed. Not part of the JSON: HTTP has a header for it.
    package private(set) var retryAfter: Duration?

    private enum CodingKeys: CodingKey {
        case kind, message, candidates, faults, value
    }

    public init(
        _ kind: Kind, _ message: String, candidates: [Candidate] = [], faults: [Fault] = [],
        value: InvalidValue? = nil, retryAfter: Duration? = nil
    ) {
        self.retryAfter = retryAfter
        self.value = value
        self.kind = kind
        self.message = Self.shortened(message)
        self.candidates = candidates
        self.faults = faults
    }

    public var description: String { message }

    /// The same error with another message.
    package func with(message: String) -> ServiceError {
        ServiceError(kind, message, candidates: candidates, faults: faults, value: value, retryAfter: retryAfter)
    }

    /// The error of an action whose client has disconnected, or that a person has interrupted.
    package static let cancelled = ServiceError(.unavailable, "the request was cancelled")

    /// Throws ``cancelled`` in a cancelled task, before work whose result nobody would receive.
    package static func checkCancellation() throws(ServiceError) {
        if Task.isCancelled { throw .cancelled }
    }

    /// The maximum length of a quoted text or of a word in a message.
    static let maximumQuotationLength = 200

    /// Shortens quoted texts and words that are longer than any legitimate input.
    static func shortened(_ sentence: String) -> String {
        guard sentence.count > maximumQuotationLength else { return sentence }
        func cut(_ text: Substring) -> String {
            text.count > maximumQuotationLength ? "\(text.prefix(maximumQuotationLength))…" : String(text)
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
    /// The maximum number of candidates that an error lists.
    package static let maximumCount = 3

    /// The identifier: "tfl:490008660N", "73".
    public var id: String
    /// The display name, if it differs from the identifier.
    public var name: String?

    public init(id: String, name: String? = nil) {
        self.id = id
        self.name = name
    }
}

/// One fault of a configuration file.
public struct Fault: Hashable, Sendable, Codable {
    /// The file's path.
    public var file: String
    /// The line, from 1; nil if the fault has no single position.
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

// The only conversion of each module's errors.

extension ServiceError {
    package init(_ error: any Error) {
        switch error {
        case let error as ServiceError: self = error
        case let error as FavouritesError: self.init(error)
        case let error as FileError: self.init(error)
        case let error as StoreError: self.init(error)
        case let error as FeedError: self.init(error)
        case let error as ConfigurationError: self.init(error, "the configuration has faults")
        case is CancellationError: self = .cancelled
        default: self.init(.failed, "\(error)")
        }
    }

    /// Runs `body`; what it throws becomes the error of the request.
    package static func attempt<Value>(_ body: () throws -> Value) throws(ServiceError) -> Value {
        do {
            return try body()
        } catch {
            throw ServiceError(error)
        }
    }

    /// The error for favourites.toml that was not changed.
    package init(_ failure: FavouritesError) {
        var candidates: [Candidate] = []
        var faults: [Fault] = []
        var message = "\(failure)"
        var value: InvalidValue?
        let kind: Kind
        switch failure {
        case .alreadyPresent: kind = .conflict
        case .notFound(let stop, let nearest):
            kind = .notFound
            if let nearest {
                message = "\(stop) is not a favourite"
                candidates = [Candidate(id: nearest.description)]
            }
        case .nothingToUndo: kind = .notFound
        case .changedSince, .outdated: kind = .conflict
        case .outOfRange(_, let allowed):
            kind = .invalid
            value = InvalidValue("position", .range, minimum: "\(allowed.lowerBound)", maximum: "\(allowed.upperBound)")
        case .rejected(_, let rejected):
            kind = .invalid
            value = rejected
        case .invalid(let invalid, _):
            kind = .malformed
            value = invalid
        case .faulty(let fault):
            kind = .invalid
            message = "not changed: the file has faults; `boardd check` lists them"
            faults = [Fault(fault)]
        case .unsupportedForm(let file, let line):
            kind = .invalid
            faults = [Fault(file: file, line: line, message: "the favourites are written as a list in brackets")]
        case .verificationFailed: kind = .failed
        case .file(let error): kind = Self.kind(of: error)
        }
        self.init(kind, message, candidates: candidates, faults: faults, value: value)
    }

    /// The error for a file that was not replaced.
    package init(_ error: FileError) {
        self.init(Self.kind(of: error), "\(error)")
    }

    private static func kind(of error: FileError) -> Kind {
        switch error.kind {
        case .system(EWOULDBLOCK): .unavailable
        case .system(EACCES), .system(EPERM), .system(EROFS), .foreignLink, .foreignFile: .notAllowed
        case .system, .notAFile, .recording: .failed
        }
    }

    /// The error for a failed read of the stop directory.
    package init(_ failure: StoreError) {
        let kind: Kind =
            switch failure.kind {
            case .busy: .unavailable
            case .unwritable: .notAllowed
            case .missing: .noDirectory
            default: .unusableDirectory
            }
        self.init(kind, "\(failure)")
    }

    /// The error for files with faults.
    package init(_ faults: ConfigurationError, _ message: String) {
        self.init(.invalid, message, faults: faults.faults.map { Fault($0) })
    }

    /// The error for a feed that does not exist.
    package static func unknownFeed(_ feed: FeedName, known: [String], candidates: [Candidate] = []) -> ServiceError {
        ServiceError(
            .notFound, "there is no feed \"\(feed)\"; known feeds: \(known.joined(separator: ", "))",
            candidates: candidates)
    }

    /// The error for a failed request to an operator.
    package init(_ failure: FeedError) {
        let kind: Kind =
            switch failure.kind {
            case .unknownStop: .notFound
            case .keyRejected, .keyMissing: .notAllowed
            case .unreadable: .unreadable
            case .noNetwork, .certificateDate, .certificate, .timedOut, .rateLimited, .status, .cancelled, .noZone:
                .unavailable
            }
        self.init(kind, failure.detail)
    }
}

extension FeedError {
    /// Whether the operator wants a key, or another one.
    package var isOfKey: Bool { [.keyRejected, .keyMissing].contains(kind) }
}

extension Fault {
    package init(_ fault: SourceError) {
        self.init(file: fault.file, line: fault.position?.line, column: fault.position?.column, message: fault.message)
    }
}

extension Candidate {
    package init(_ stop: ListedStop) {
        self.init(id: stop.id.description, name: stop.nameWithLetter)
    }
}

extension DedicatedThread {
    /// Runs `body` on a thread of its own and waits for it, unless the task was cancelled. Also throws if the thread
    /// cannot be started.
    package static func attempt<Value: Sendable>(
        _ name: String = "directory", _ body: @escaping @Sendable () throws -> Value
    ) async throws(ServiceError) -> Value {
        try ServiceError.checkCancellation()
        do {
            return try await run(name) { Result { try body() } }.get()
        } catch {
            throw ServiceError(error)
        }
    }
}
