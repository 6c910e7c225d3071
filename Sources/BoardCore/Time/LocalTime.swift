/// A day of the proleptic Gregorian calendar, without a zone.
public struct CivilDate: Hashable, Comparable, Sendable {
    /// Days since 1970-01-01; negative before it.
    public let daysSince1970: Int64
    /// The year; 0 is the year before year 1.
    public let year: Int
    /// 1–12.
    public let month: Int
    /// 1–31.
    public let day: Int

    /// Clamps to ± 100 million years.
    public init(daysSince1970 days: Int64) {
        // Years are counted from March, so that the leap day is the last of its year, in eras of 400 years = 146 097
        // days (the method of H. Hinnant, "chrono-compatible low-level date algorithms").
        let days = min(max(days, -36_524_250_000), 36_524_250_000)
        let shifted = days + 719_468  // 0000-03-01
        let era = shifted.dividedDown(by: 146_097)
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1_460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let monthFromMarch = (5 * dayOfYear + 2) / 153
        daysSince1970 = days
        day = Int(dayOfYear - (153 * monthFromMarch + 2) / 5 + 1)
        month = Int(monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9)
        year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
    }

    /// Returns nil for a date that does not exist (month 13, 30 February), and beyond year ± 100 million.
    public init?(year: Int, month: Int, day: Int) {
        guard (-100_000_000...100_000_000).contains(year), (1...12).contains(month), day >= 1,
            day <= Self.days(inMonth: month, of: year)
        else { return nil }
        daysSince1970 = Self.daysSince1970(year: year, month: month, day: day)
        self.year = year
        self.month = month
        self.day = day
    }

    /// Days from 1970-01-01 to an existing date, its year within ± 100 million.
    static func daysSince1970(year: Int, month: Int, day: Int) -> Int64 {
        let marchYear = Int64(month <= 2 ? year - 1 : year)
        let era = marchYear.dividedDown(by: 400)
        let yearOfEra = marchYear - era * 400
        let monthFromMarch = Int64(month > 2 ? month - 3 : month + 9)
        let dayOfYear = (153 * monthFromMarch + 2) / 5 + Int64(day) - 1
        let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
        return era * 146_097 + dayOfEra - 719_468
    }

    public var weekday: Weekday {
        // 1970-01-01 was a Thursday.
        let fromMonday = Int((daysSince1970 + 3).remainderDown(by: 7))
        return Weekday(rawValue: fromMonday) ?? .mon
    }

    public static func days(inMonth month: Int, of year: Int) -> Int {
        switch month {
        case 2: isLeap(year) ? 29 : 28
        case 4, 6, 9, 11: 30
        default: 31
        }
    }

    /// Whether the year has a 29 February.
    public static func isLeap(_ year: Int) -> Bool { year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) }

    public static func < (left: CivilDate, right: CivilDate) -> Bool { left.daysSince1970 < right.daysSince1970 }
}

/// A date and time of day without a zone, to the second.
public struct LocalTime: Hashable, Comparable, Sendable {
    public let date: CivilDate
    /// Seconds since the day's midnight as a wall clock counts them, 0–86 399.
    public let secondOfDay: Int

    /// The wall clock `secondsSince1970` after it showed 1970-01-01 00:00:00.
    public init(secondsSince1970 seconds: Int64) {
        date = CivilDate(daysSince1970: seconds.dividedDown(by: 86_400))
        secondOfDay = Int(seconds.remainderDown(by: 86_400))
    }

    /// Returns nil for an invalid time of day.
    public init?(_ date: CivilDate, hour: Int, minute: Int, second: Int = 0) {
        guard (0...23).contains(hour), (0...59).contains(minute), (0...59).contains(second) else { return nil }
        self.date = date
        secondOfDay = hour * 3_600 + minute * 60 + second
    }

    public var year: Int { date.year }
    /// 1–12.
    public var month: Int { date.month }
    /// 1–31.
    public var day: Int { date.day }
    /// 0–23.
    public var hour: Int { secondOfDay / 3_600 }
    /// 0–59.
    public var minute: Int { secondOfDay / 60 % 60 }
    /// 0–59.
    public var second: Int { secondOfDay % 60 }
    /// Minutes since midnight, 0–1439.
    public var minuteOfDay: Int { secondOfDay / 60 }
    public var weekday: Weekday { date.weekday }

    /// Seconds since the wall clock showed 1970-01-01 00:00:00: the UTC seconds of the same digits.
    public var secondsSince1970: Int64 { date.daysSince1970 * 86_400 + Int64(secondOfDay) }

    public static func < (left: LocalTime, right: LocalTime) -> Bool { left.secondsSince1970 < right.secondsSince1970 }
}

extension Timestamp {
    /// The moment as a clock in UTC shows it.
    public var utc: LocalTime { LocalTime(secondsSince1970: seconds) }
}
