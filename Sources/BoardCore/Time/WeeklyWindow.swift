/// Part of some days of the week: quiet hours, or the hours in which a favourite is on the board.
public struct WeeklyWindow: Hashable, Sendable {
    /// The start, in minutes after local midnight (0–1439).
    public let from: Int
    /// The end, in minutes after local midnight (0–1439); not after `from` means on the next day.
    public let to: Int
    /// The days on which it begins.
    public let days: Set<Weekday>

    /// `from == to` lasts a whole day.
    public init(from: Int, to: Int, days: Set<Weekday> = Set(Weekday.allCases)) {
        self.from = from
        self.to = to
        self.days = days
    }

    /// Whether a time of day is in the window; the part after midnight belongs to the day on which it began.
    public func covers(minute: Int, weekday: Weekday) -> Bool {
        if from < to { return days.contains(weekday) && (from..<to).contains(minute) }
        return (minute >= from && days.contains(weekday)) || (minute < to && days.contains(weekday.yesterday))
    }
}

/// A day of the week, named as in the configuration; the raw value counts from Monday.
public enum Weekday: Int, CaseIterable, Sendable {
    case mon, tue, wed, thu, fri, sat, sun

    /// The days from this one to another, which may be in the next week.
    fileprivate func days(to last: Weekday) -> [Weekday] {
        let all = Weekday.allCases
        return rawValue <= last.rawValue
            ? Array(all[rawValue...last.rawValue]) : Array(all[rawValue...]) + all[...last.rawValue]
    }

    var yesterday: Weekday { Weekday.allCases[(rawValue + Weekday.allCases.count - 1) % Weekday.allCases.count] }
}

extension WeeklyWindow {
    private static let groups: [(name: String, days: Set<Weekday>)] = [
        ("daily", Set(Weekday.allCases)),
        ("weekdays", [.mon, .tue, .wed, .thu, .fri]),
        ("weekend", [.sat, .sun]),
    ]

    /// The days in a named group; nil if there is no such group.
    public static func days(called word: String) -> Set<Weekday>? { groups.first { $0.name == word }?.days }

    /// Parses "weekdays 06:30-09:30", "Mon-Fri 6:30-9:30", "mon,fri 22:00-02:00", "weekend" or "06:30-09:30". Days alone
    /// mean whole days, hours alone mean daily; hours that end before they begin end on the next day.
    ///
    /// - Throws: the end of a sentence that begins with the text.
    public init(written text: String) throws {
        // Case does not matter, and phones write a dash between numbers.
        var parts = text.lowercased().replacing("–", with: "-").split(separator: " ")
        guard !parts.isEmpty else {
            throw PlainError("is empty: write days, hours or both, such as \"weekdays 06:30-09:30\"")
        }
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
            // 24:00, the end of the day, equals 00:00 of the next day.
            let to = ends[1] == "24:00" ? 0 : Int(timeOfDay: ends[1])
        else {
            throw PlainError(
                "has \"\(parts.joined(separator: " "))\" for hours, which must be two times of day such as "
                    + "06:30-09:30, or 22:00-02:00 to end on the next day")
        }
        self.init(from: from, to: to, days: days)
    }

    /// The format of files, commands and the control socket; the inverse of ``init(written:)``.
    public var written: String {
        let names = Weekday.allCases.filter(days.contains).map { "\($0)" }.joined(separator: ",")
        let days = Self.groups.first { $0.days == self.days }?.name ?? names
        return from == 0 && to == 0 ? days : "\(days) \(from.asTimeOfDay)-\(to.asTimeOfDay)"
    }

    private static func days(_ text: String) throws -> Set<Weekday> {
        if let group = days(called: text) { return group }
        var days: Set<Weekday> = []
        for part in text.split(separator: ",", omittingEmptySubsequences: false) {
            let ends = try part.split(separator: "-", omittingEmptySubsequences: false).map { name in
                guard let day = Weekday.allCases.first(where: { "\($0)" == name }) else {
                    throw noDays(name.isEmpty ? text : String(name))
                }
                return day
            }
            guard let first = ends.first, let last = ends.last, ends.count <= 2 else { throw noDays(text) }
            for day in first.days(to: last) {
                guard days.insert(day).inserted else { throw PlainError("has \(day) twice") }
            }
        }
        return days
    }

    /// The error for a word that names no days, with the nearest word that does.
    private static func noDays(_ found: String) -> PlainError {
        let names = Weekday.allCases.map { "\($0)" }
        let groupNames = groups.map(\.name)
        let suggestion = Spelling.nearest(to: found, of: groupNames + names).map { "did you mean \($0)? " } ?? ""
        return PlainError(
            "has \"\(found)\" for days; \(suggestion)allowed: \(groupNames.joined(separator: ", ")), "
                + "some of \(names.joined(separator: ",")) with commas and no blanks, or mon-fri")
    }
}
