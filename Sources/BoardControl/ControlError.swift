/// Why the board does not do what was asked, in words for a person.
public struct ControlError: Error, Hashable, Sendable, CustomStringConvertible {
    /// What a program can tell apart.
    public enum Kind: CaseIterable, Hashable, Sendable {
        /// The request makes no sense (400).
        case malformed
        /// The daemon may not do it: a file that it cannot write (403).
        case notAllowed
        /// There is no such stop, line or favourite (404).
        case notFound
        /// It does not go with what is there: a stop that is a favourite already (409).
        case conflict
        /// It is understood and cannot be carried out: a faulty configuration, a line that does not call (422).
        case invalid
        /// It failed (500).
        case failed
        /// The operator answered, and its response cannot be read (502).
        case unreadable
        /// It cannot be done now, and may be later: no stop directory yet (503).
        case unavailable

        /// The status of HTTP.
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

        /// The kind that a status means; nil for a status that no action gives.
        init?(status: Int) {
            guard let kind = Self.allCases.first(where: { $0.status == status }) else { return nil }
            self = kind
        }
    }

    /// What a program can tell apart.
    public let kind: Kind
    /// A sentence: what was found, what is allowed, what to do. Holds no key.
    public let message: String
    /// What may have been meant, best first.
    public let candidates: [Candidate]
    /// What is wrong with the configuration, where that is the reason.
    public let faults: [Fault]

    /// A refusal.
    public init(_ kind: Kind, _ message: String, candidates: [Candidate] = [], faults: [Fault] = []) {
        self.kind = kind
        self.message = Self.shortened(message)
        self.candidates = candidates
        self.faults = faults
    }

    /// The most characters of a quoted text or of a word that a sentence repeats.
    static let longestQuotation = 200

    /// A sentence in which texts in quotes and words are cut that are longer than anything a person writes.
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

    /// The sentence.
    public var description: String { message }
}
