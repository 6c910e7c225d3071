internal import BoardCore

/// A status severity of a line.
///
/// The codes are not ordered: 1 is worse than 0, and 20 occurs every night. The order here is boardd's own, from the
/// passenger's view at a stop: the fewer vehicles call, the worse.
struct TfLSeverity: Sendable {
    /// TfL's code, `statusSeverity`.
    let code: Int
    /// TfL's description, from `/Line/Meta/Severity`.
    let word: String
    /// The alert's severity; nil: no alert.
    let severity: Alert.Severity?

    /// All codes that TfL lists, from the worst to the best.
    static let all: [TfLSeverity] = [
        .init(1, "Closed", .severe), .init(16, "Not Running", .severe), .init(2, "Suspended", .severe),
        .init(4, "Planned Closure", .severe), .init(3, "Part Suspended", .severe), .init(5, "Part Closure", .severe),
        .init(11, "Part Closed", .severe), .init(8, "Bus Service", .severe), .init(6, "Severe Delays", .severe),
        .init(7, "Reduced Service", .minor), .init(9, "Minor Delays", .minor), .init(15, "Diverted", .minor),
        .init(14, "Change of frequency", .minor), .init(0, "Special Service", .minor), .init(12, "Exit Only", .minor),
        .init(17, "Issues Reported", .minor), .init(13, "No Step Free Access", .information),
        // Every line that closes at night has it then.
        .init(20, "Service Closed", .information),
        .init(19, "Information", nil), .init(18, "No Issues", nil), .init(10, "Good Service", nil),
    ]

    /// The rank of a code that TfL does not list yet: among the minor ones.
    private static let unlistedRank = all.firstIndex { $0.code == 17 } ?? all.count

    /// The code of a service that has ended for the day.
    static let closedForTheDay = 20

    private init(_ code: Int, _ word: String, _ severity: Alert.Severity?) {
        self.code = code
        self.word = word
        self.severity = severity
    }

    /// The severity of `code`; an unlisted code is minor and has the received description.
    init(code: Int, word: String?) {
        let listed = Self.all.first { $0.code == code }
        self.init(code, word ?? listed?.word ?? "Status \(code)", listed.map(\.severity) ?? .minor)
    }

    /// The rank from the worst to the best.
    var rank: Int { Self.all.firstIndex { $0.code == code } ?? Self.unlistedRank }
}
