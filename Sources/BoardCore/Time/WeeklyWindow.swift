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
}

/// A day of the week, named as in the configuration; the raw value counts from Monday.
public enum Weekday: Int, CaseIterable, Sendable {
    case mon, tue, wed, thu, fri, sat, sun
}
