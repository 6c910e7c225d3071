internal import BoardCore

/// What the code of a line's status means.
///
/// The code is no rank: 1 is worse than 0, and 20 is every night's. Which code is worse than which is this program's own
/// judgement, for somebody who waits at a stop: the fewer vehicles come at all, the worse.
struct TfLSeverity: Sendable {
    /// TfL's code, `statusSeverity`.
    let code: Int
    /// TfL's words for it, of `/Line/Meta/Severity`.
    let word: String
    /// How much it matters; nil: all is well, and there is nothing to tell.
    let severity: Alert.Severity?

    /// All codes that TfL lists, from the worst to the best.
    static let all: [TfLSeverity] = [
        .init(1, "Closed", .severe), .init(16, "Not Running", .severe), .init(2, "Suspended", .severe),
        .init(4, "Planned Closure", .severe), .init(3, "Part Suspended", .severe), .init(5, "Part Closure", .severe),
        .init(11, "Part Closed", .severe), .init(8, "Bus Service", .severe), .init(6, "Severe Delays", .severe),
        .init(7, "Reduced Service", .minor), .init(9, "Minor Delays", .minor), .init(15, "Diverted", .minor),
        .init(14, "Change of frequency", .minor), .init(0, "Special Service", .minor), .init(12, "Exit Only", .minor),
        .init(17, "Issues Reported", .minor), .init(13, "No Step Free Access", .information),
        // Every line that sleeps at night says so.
        .init(20, "Service Closed", .information),
        .init(19, "Information", nil), .init(18, "No Issues", nil), .init(10, "Good Service", nil),
    ]

    /// The place in ``all`` of a code that TfL does not list yet: among those that matter a little.
    private static let unlistedRank = all.firstIndex { $0.code == 17 } ?? all.count

    /// The code of a service that has ended for the day.
    static let closedForTheDay = 20

    private init(_ code: Int, _ word: String, _ severity: Alert.Severity?) {
        self.code = code
        self.word = word
        self.severity = severity
    }

    /// What `code` means; a code that is not listed matters a little and has the words that came with it.
    init(code: Int, word: String?) {
        let known = Self.all.first { $0.code == code }
        self.init(code, word ?? known?.word ?? "Status \(code)", known.map(\.severity) ?? .minor)
    }

    /// The place in the order from the worst to the best.
    var rank: Int { Self.all.firstIndex { $0.code == code } ?? Self.unlistedRank }
}
