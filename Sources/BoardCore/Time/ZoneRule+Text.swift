extension Zone {
    /// Parses a POSIX `TZ` text such as `GMT0BST,M3.5.0/1,M10.5.0`, with the extensions of RFC 9636 §3.3.1.
    public init(posix text: String) throws(ZoneError) {
        let rule = try ZoneRule(text)
        self.init(changes: [], offsets: [], firstOffset: rule.standard, rule: rule)
    }
}

extension ZoneRule {
    /// Throws also for daylight saving without its two dates, for which POSIX defines no default.
    init(_ text: String) throws(ZoneError) {
        guard let rule = Self.read(Array(text.utf8)) else { throw .badRule(text) }
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

    init(_ bytes: [UInt8]) {
        rest = bytes[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    func isNext(_ character: Unicode.Scalar) -> Bool {
        rest.first == UInt8(ascii: character)
    }

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
        if skip("J") {
            return number(maximum: 365).flatMap { $0 >= 1 ? .ofCommonYear($0) : nil }
        }
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
