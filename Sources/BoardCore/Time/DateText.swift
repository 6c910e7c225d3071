/// Reading of fixed-width dates from UTF-8, shared by the two formats of the network.
extension Span<UInt8> {
    /// The number written with exactly `width` decimal digits at `start`, or nil.
    func decimal(at start: Int, width: Int) -> Int? {
        guard start >= 0, start + width <= count else { return nil }
        var value = 0
        for position in start..<start + width {
            let digit = self[position] &- UInt8(ascii: "0")
            guard digit <= 9 else { return nil }
            value = value * 10 + Int(digit)
        }
        return value
    }

    /// Whether the character at `position` is `character`.
    func has(_ character: Unicode.Scalar, at position: Int) -> Bool {
        position < count && self[position] == UInt8(ascii: character)
    }
}

/// A date and a time of day as the text says them, before a zone makes a moment of them.
struct WrittenTime {
    /// The day that the text names.
    let date: CivilDate
    /// Seconds since midnight: 0–86 400, where 86 400 is 24:00:00 or a leap second.
    let secondOfDay: Int
    /// Whether the text says second 60.
    let isLeapSecond: Bool

    /// What the fields mean, or nil where no clock shows them.
    ///
    /// 24:00:00 is the end of the day, as XML Schema's dateTime has it (SIRI and Darwin are XML).
    init?(date: CivilDate, hour: Int, minute: Int, second: Int) {
        guard minute <= 59, second <= 60, hour <= 23 || (hour == 24 && minute == 0 && second == 0) else { return nil }
        self.date = date
        secondOfDay = hour * 3_600 + minute * 60 + second
        isLeapSecond = second == 60
    }

    /// Seconds since 1970 in UTC, of a clock that is `offset` seconds ahead of UTC.
    ///
    /// Second 60 can only be the last of a day in UTC; it counts as the first second of the next day, as POSIX has it.
    func secondsSince1970(offset: Int) -> Int64? {
        let seconds = date.daysSince1970 * 86_400 + Int64(secondOfDay - offset)
        guard !isLeapSecond || seconds.remainderDown(by: 86_400) == 0 else { return nil }
        return seconds
    }
}
