/// What was found out about one subject, and what to do: a line of `boardd doctor`, `check` and `status`.
public struct Fact: Hashable, Sendable, Encodable {
    public enum Verdict: String, CaseIterable, Hashable, Sendable, Encodable {
        case good
        /// Worth knowing; not a fault here.
        case remark
        /// Not checked, or perhaps temporary.
        case unknown
        /// A person must change something.
        case fault
    }

    private enum CodingKeys: CodingKey {
        case verdict, subject, text
    }

    public let verdict: Verdict
    public let subject: String
    /// What was found, and what to do.
    public let text: String
    /// Further lines for a page.
    public let details: [String]

    public init(_ verdict: Verdict, _ subject: String, _ text: String, details: [String] = []) {
        self.verdict = verdict
        self.subject = subject
        self.text = text
        self.details = details
    }

    public static func good(_ subject: String, _ text: String) -> Fact { Fact(.good, subject, text) }
    public static func unknown(_ subject: String, _ text: String) -> Fact { Fact(.unknown, subject, text) }
    public static func fault(_ subject: String, _ text: String) -> Fact { Fact(.fault, subject, text) }

    /// The same where it is no fault.
    public var asRemark: Fact { Fact(.remark, subject, text, details: details) }

    /// "subject: text", and the details.
    public var lines: [String] { [text.isEmpty ? subject : "\(subject): \(text)"] + details }
}

extension FeedError {
    /// A fault if only a person can end it.
    public var verdict: Fact.Verdict {
        switch kind {
        case .keyRejected, .keyMissing, .unknownStop, .certificate, .noZone: .fault
        case .noNetwork, .certificateDate, .timedOut, .rateLimited, .status, .unreadable, .cancelled: .unknown
        }
    }
}
