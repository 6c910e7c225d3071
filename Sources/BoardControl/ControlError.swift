/// Why the board rejects a request, with a message for the user.
public struct ControlError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of an error, for programs.
    public enum Kind: CaseIterable, Hashable, Sendable {
        /// The request is malformed (400).
        case malformed
        /// The daemon lacks a permission, such as to write a file (403).
        case notAllowed
        /// No such stop, line or favourite (404).
        case notFound
        /// The request conflicts with the current state, such as a stop that is a favourite already (409).
        case conflict
        /// The request is well-formed but invalid: a faulty configuration, a line that does not call (422).
        case invalid
        /// An internal error (500).
        case failed
        /// The operator's response is unreadable (502).
        case unreadable
        /// Not possible now, perhaps later: no stop directory yet (503).
        case unavailable

        /// The HTTP status.
        var status: Int {
            switch self {
            case .malformed: 400
            case .notAllowed: 403
            case .notFound: 404
            case .conflict: 409
            case .invalid: 422
            case .failed: 500
            case .unreadable: 502
            case .unavailable: 503
            }
        }

        /// The kind for a status; nil for a status that no action returns.
        init?(status: Int) {
            guard let kind = Self.allCases.first(where: { $0.status == status }) else { return nil }
            self = kind
        }
    }

    public let kind: Kind
    /// What was found, what is allowed, what to do. Contains no key.
    public let message: String
    /// The likely intended values, best first.
    public let candidates: [Candidate]
    /// The faults of the configuration, where they are the reason.
    public let faults: [Fault]

    public init(_ kind: Kind, _ message: String, candidates: [Candidate] = [], faults: [Fault] = []) {
        self.kind = kind
        self.message = Self.shortened(message)
        self.candidates = candidates
        self.faults = faults
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

    public var description: String { message }
}
