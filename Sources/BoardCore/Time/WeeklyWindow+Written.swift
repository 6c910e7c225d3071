extension WeeklyWindow {
    /// The words for several days.
    private static let groups: [(name: String, days: Set<Weekday>)] = [
        ("daily", Set(Weekday.allCases)),
        ("weekdays", [.mon, .tue, .wed, .thu, .fri]),
        ("weekend", [.sat, .sun]),
    ]

    /// The words for several days: daily, weekdays, weekend.
    static let groupNames = groups.map(\.name)

    /// The days that a word for several of them means; nil where it is none.
    public static func days(called word: String) -> Set<Weekday>? {
        groups.first { $0.name == word }?.days
    }

    /// Reads "weekdays 06:30-09:30", "mon,fri 22:00-02:00", "weekend" or "06:30-09:30". Days alone are whole days, hours
    /// alone are daily; hours that end before they begin end on the next day.
    public init(written text: String) throws(WeeklyWindowFault) {
        var parts = text.split(separator: " ")
        guard !parts.isEmpty else { throw .empty }
        var days = Set(Weekday.allCases)
        if let word = parts.first, word.first?.isDigit != true {
            days = try Self.days(String(word))
            parts.removeFirst()
        }
        guard let hours = parts.first else {
            self.init(from: 0, to: 0, days: days)
            return
        }
        let ends = hours.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 1, ends.count == 2, let from = Int(timeOfDay: ends[0]),
            // The end of a day is also its last minute's end.
            let to = ends[1] == "24:00" ? 0 : Int(timeOfDay: ends[1])
        else { throw .hours(parts.joined(separator: " ")) }
        self.init(from: from, to: to, days: days)
    }

    /// As files, commands and the control socket have it; what ``init(written:)`` reads back as the same.
    public var written: String {
        let names = Weekday.allCases.filter(days.contains).map { "\($0)" }.joined(separator: ",")
        let days = Self.groups.first { $0.days == self.days }?.name ?? names
        return from == 0 && to == 0 ? days : "\(days) \(from.asTimeOfDay)-\(to.asTimeOfDay)"
    }

    private static func days(_ text: String) throws(WeeklyWindowFault) -> Set<Weekday> {
        if let group = days(called: text) { return group }
        var days: Set<Weekday> = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let day = Weekday.allCases.first(where: { "\($0)" == name }) else {
                throw .days(name.isEmpty ? text : String(name))
            }
            guard days.insert(day).inserted else { throw .twice("\(day)") }
        }
        return days
    }
}

/// What is wrong with a part of a week that a person wrote, as the end of a sentence that begins with what was written.
public enum WeeklyWindowFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// There is nothing in it.
    case empty
    /// A word is none for days.
    case days(String)
    /// A day is named twice.
    case twice(String)
    /// What should be hours is not.
    case hours(String)

    /// What is wrong, what is allowed and what to do.
    public var description: String {
        let days = Weekday.allCases.map { "\($0)" }
        let groups = WeeklyWindow.groupNames
        switch self {
        case .empty: return "is empty: write days, hours or both, such as \"weekdays 06:30-09:30\""
        case .days(let found):
            let question = Spelling.nearest(to: found, of: groups + days).map { "did you mean \($0)? " } ?? ""
            return "has \"\(found)\" for days; \(question)allowed: \(groups.joined(separator: ", ")), "
                + "or some of \(days.joined(separator: ",")) with commas and no blanks"
        case .twice(let day): return "has \(day) twice"
        case .hours(let found):
            return "has \"\(found)\" for hours, which must be two times of day such as 06:30-09:30, "
                + "or 22:00-02:00 to end on the next day"
        }
    }
}
