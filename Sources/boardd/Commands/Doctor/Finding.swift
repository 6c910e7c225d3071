internal import BoardCore

/// One result of `boardd doctor`, with what to do.
struct Finding: Hashable, Sendable {
    enum Verdict: String, Hashable, Sendable {
        case good = "good"
        /// Not checked, or perhaps temporary.
        case unknown = "unknown"
        case fault = "FAULT"
    }

    let verdict: Verdict
    let subject: String
    let text: String

    static func good(_ subject: String, _ text: String) -> Finding { Finding(.good, subject, text) }
    static func unknown(_ subject: String, _ text: String) -> Finding { Finding(.unknown, subject, text) }
    static func fault(_ subject: String, _ text: String) -> Finding { Finding(.fault, subject, text) }

    private init(_ verdict: Verdict, _ subject: String, _ text: String) {
        self.verdict = verdict
        self.subject = subject
        self.text = text
    }
}

extension [Finding] {
    /// A line for each, terminated.
    var table: String {
        var table = TextTable()
        for finding in self { table.add(finding.verdict.rawValue, finding.subject, finding.text) }
        return table.text
    }

    /// As of `boardd check`: 0 all good, 1 a fault, 2 something was not checked.
    var status: Int32 {
        if contains(where: { $0.verdict == .fault }) { return CheckCommand.faulty }
        return contains { $0.verdict == .unknown } ? CheckCommand.inconclusive : 0
    }
}
