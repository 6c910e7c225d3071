/// A part of some days of the week: quiet hours, or the hours in which a favourite is on the board.
public struct WeeklyWindow: Hashable, Sendable {
    /// When it begins, in minutes after local midnight (0–1439).
    public let from: Int
    /// When it ends, in minutes after local midnight (0–1439); not after `from` means on the next day.
    public let to: Int
    /// The days on which it begins.
    public let days: Set<Weekday>

    /// A window; `from == to` lasts a whole day.
    public init(from: Int, to: Int, days: Set<Weekday> = Set(Weekday.allCases)) {
        self.from = from
        self.to = to
        self.days = days
    }
}

/// A day of the week, named as configuration writes it; the raw value counts from Monday.
public enum Weekday: Int, CaseIterable, Sendable {
    case mon, tue, wed, thu, fri, sat, sun
}
