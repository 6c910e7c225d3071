/// The rule of a POSIX `TZ` text: a standard offset, and the start and end of daylight saving each year.
struct ZoneRule: Hashable, Sendable, Codable {
    enum Day: Hashable, Sendable, Codable {
        /// `Jn`: day 1–365 of the year, 29 February never counted.
        case ofCommonYear(Int)
        /// `n`: day 0–365 of the year, 29 February counted.
        case ofYear(Int)
        /// `Mm.w.d`: the w-th (5: the last) day d (0: Sunday) of month m.
        case ofMonth(Int, week: Int, weekday: Int)
    }

    struct Change: Hashable, Sendable, Codable {
        let day: Day
        /// Seconds after that day's midnight on the wall clock before the change; ± 167 hours.
        let time: Int
    }

    /// Daylight saving time; where its offset is lower than the standard one (Dublin), "daylight" is winter.
    struct Daylight: Hashable, Sendable, Codable {
        /// The UTC offset in seconds.
        let offset: Int
        /// In standard time.
        let start: Change
        /// In daylight saving time.
        let end: Change
    }

    /// The UTC offset of standard time in seconds.
    let standard: Int
    /// Nil: no daylight saving time.
    let daylight: Daylight?

    func offset(at seconds: Int64) -> Int {
        guard let daylight else { return standard }
        let year = CivilDate(daysSince1970: (seconds + Int64(standard)).dividedDown(by: 86_400)).year
        return changes(daylight, from: year - 1, to: year + 1).last { $0.at <= seconds }?.offset ?? standard
    }

    func nextChange(after seconds: Int64) -> Int64? {
        guard let daylight else { return nil }
        let year = CivilDate(daysSince1970: seconds.dividedDown(by: 86_400)).year
        return changes(daylight, from: year - 1, to: year + 2)
            .first { $0.at > seconds && offset(at: $0.at) != offset(at: $0.at - 1) }?.at
    }

    /// The changes of some years in order, in seconds since 1970.
    ///
    /// All-year daylight saving is written as an end that coincides with the next year's start (RFC 9636 §3.3.1); of
    /// two changes at once the start comes last.
    private func changes(_ daylight: Daylight, from first: Int, to last: Int) -> [(at: Int64, offset: Int)] {
        (first...last).flatMap { year in
            [
                (at: daylight.start.seconds(in: year) - Int64(standard), offset: daylight.offset, isStart: 1),
                (at: daylight.end.seconds(in: year) - Int64(daylight.offset), offset: standard, isStart: 0),
            ]
        }
        .sorted { ($0.at, $0.isStart) < ($1.at, $1.isStart) }
        .map { (at: $0.at, offset: $0.offset) }
    }

    /// Whether a rule text can express it: other values could make the calendar trap.
    var isValid: Bool {
        guard standard.magnitude <= Zone.maximumOffset.magnitude else { return false }
        guard let daylight else { return true }
        return daylight.offset.magnitude <= Zone.maximumOffset.magnitude && daylight.start.isValid
            && daylight.end.isValid
    }
}

extension ZoneRule.Change {
    /// The change in a year, as seconds since 1970 of a clock in UTC with the same digits.
    func seconds(in year: Int) -> Int64 {
        let newYear = CivilDate.daysSince1970(year: year, month: 1, day: 1)
        let days: Int64
        switch day {
        case .ofCommonYear(let number):
            days = newYear + Int64(number - (CivilDate.isLeap(year) && number >= 60 ? 0 : 1))
        case .ofYear(let number): days = newYear + Int64(number)
        case .ofMonth(let month, let week, let weekday):
            let first = CivilDate.daysSince1970(year: year, month: month, day: 1)
            // 1970-01-01 was a Thursday, day 4 from Sunday.
            let toWeekday = (Int64(weekday) - 4 - first).remainderDown(by: 7)
            let inMonth = toWeekday + Int64(week - 1) * 7
            let isPast = inMonth >= Int64(CivilDate.days(inMonth: month, of: year))
            days = first + (isPast ? inMonth - 7 : inMonth)
        }
        return days * 86_400 + Int64(time)
    }

    var isValid: Bool {
        guard time.magnitude < 168 * 3_600 else { return false }
        return switch day {
        case .ofCommonYear(let number): (1...365).contains(number)
        case .ofYear(let number): (0...365).contains(number)
        case .ofMonth(let month, let week, let weekday):
            (1...12).contains(month) && (1...5).contains(week) && (0...6).contains(weekday)
        }
    }
}

extension Zone {
    /// Parses a POSIX `TZ` text such as `GMT0BST,M3.5.0/1,M10.5.0`, with the extensions of RFC 9636 §3.3.1.
    public init(posix text: String) throws {
        let rule = try ZoneRule(text)
        self.init(changes: [], offsets: [], firstOffset: rule.standard, rule: rule)
    }
}

extension ZoneRule {
    /// Also throws for daylight saving without its two dates, for which POSIX defines no default.
    init(_ text: String) throws {
        guard let rule = Self.read(Array(text.utf8)) else {
            throw PlainError("not a POSIX time zone rule: \"\(text)\"")
        }
        self = rule
    }

    private static func read(_ bytes: [UInt8]) -> ZoneRule? {
        var text = RuleText(bytes)
        // POSIX counts offsets westwards.
        guard text.skipName(), let west = text.time(maximumHours: 24) else { return nil }
        guard !text.isAtEnd else { return ZoneRule(standard: -west, daylight: nil) }
        guard text.skipName() else { return nil }
        var offset = 3_600 - west
        if !text.isNext(",") {
            guard let daylightWest = text.time(maximumHours: 24) else { return nil }
            offset = -daylightWest
        }
        guard text.skip(","), let start = text.change(), text.skip(","), let end = text.change(), text.isAtEnd
        else { return nil }
        return ZoneRule(standard: -west, daylight: Daylight(offset: offset, start: start, end: end))
    }
}

private struct RuleText {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    func isNext(_ character: Unicode.Scalar) -> Bool { rest.first == UInt8(ascii: character) }

    mutating func skip(_ character: Unicode.Scalar) -> Bool {
        guard isNext(character) else { return false }
        rest.removeFirst()
        return true
    }

    /// A name of three characters or more: letters, or in angle brackets also digits and signs.
    mutating func skipName() -> Bool {
        let isQuoted = skip("<")
        let name = rest.prefix { byte in
            let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
            let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
            return isLetter || (isQuoted && (isDigit || byte == UInt8(ascii: "+") || byte == UInt8(ascii: "-")))
        }
        rest = rest.dropFirst(name.count)
        return name.count >= 3 && (!isQuoted || skip(">"))
    }

    /// `[+-]h[hh][:mm[:ss]]` in seconds.
    mutating func time(maximumHours: Int) -> Int? {
        let isNegative = skip("-")
        if !isNegative { _ = skip("+") }
        guard let hours = number(maximum: maximumHours) else { return nil }
        var seconds = hours * 3_600
        if skip(":") {
            guard let minutes = number(maximum: 59) else { return nil }
            seconds += minutes * 60
            if skip(":") {
                guard let rest = number(maximum: 59) else { return nil }
                seconds += rest
            }
        }
        return isNegative ? -seconds : seconds
    }

    /// A day, and a time after a slash; 02:00 by default.
    mutating func change() -> ZoneRule.Change? {
        guard let day = day() else { return nil }
        guard skip("/") else { return ZoneRule.Change(day: day, time: 7_200) }
        return time(maximumHours: 167).map { ZoneRule.Change(day: day, time: $0) }
    }

    private mutating func day() -> ZoneRule.Day? {
        if skip("J") { return number(maximum: 365).flatMap { $0 >= 1 ? .ofCommonYear($0) : nil } }
        if skip("M") {
            guard let month = number(maximum: 12), month >= 1, skip("."), let week = number(maximum: 5), week >= 1,
                skip("."), let weekday = number(maximum: 6)
            else { return nil }
            return .ofMonth(month, week: week, weekday: weekday)
        }
        return number(maximum: 365).map { .ofYear($0) }
    }

    private mutating func number(maximum: Int) -> Int? {
        let digits = rest.prefix { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
        guard (1...3).contains(digits.count) else { return nil }
        rest = rest.dropFirst(digits.count)
        let value = digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
        return value <= maximum ? value : nil
    }
}
