/// Parses fixed-width dates in UTF-8, for both date formats of network protocols.
extension Span<UInt8> {
    /// The number with exactly `width` decimal digits at `start`, or nil.
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

    func has(_ character: Unicode.Scalar, at position: Int) -> Bool {
        position < count && self[position] == UInt8(ascii: character)
    }
}

/// A date and time of day as written, before a zone turns them into a moment.
struct WrittenTime {
    let date: CivilDate
    /// Seconds since midnight: 0–86 400, where 86 400 is 24:00:00 or a leap second.
    let secondOfDay: Int
    /// Whether second 60 is written.
    let isLeapSecond: Bool

    /// Returns nil for fields that are not a time of day.
    ///
    /// 24:00:00 is the end of the day, as in XML Schema's dateTime (SIRI and Darwin are XML).
    init?(date: CivilDate, hour: Int, minute: Int, second: Int) {
        guard minute <= 59, second <= 60, hour <= 23 || (hour == 24 && minute == 0 && second == 0) else { return nil }
        self.date = date
        secondOfDay = hour * 3_600 + minute * 60 + second
        isLeapSecond = second == 60
    }

    /// Seconds since 1970 in UTC, for a UTC offset in seconds.
    ///
    /// Second 60 is valid only as the last of a day in UTC; it counts as the first second of the next day, as in POSIX.
    func secondsSince1970(offset: Int) -> Int64? {
        let seconds = date.daysSince1970 * 86_400 + Int64(secondOfDay - offset)
        guard !isLeapSecond || seconds.remainderDown(by: 86_400) == 0 else { return nil }
        return seconds
    }
}
