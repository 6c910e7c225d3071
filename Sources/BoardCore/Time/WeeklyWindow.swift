/// A part of some days of the week: quiet hours, or the hours in which a favourite is on the board.
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

    var yesterday: Weekday {
        Weekday.allCases[(rawValue + Weekday.allCases.count - 1) % Weekday.allCases.count]
    }
}
