extension Timestamp {
    /// Parses a date and time of RFC 3339; nil for anything else.
    ///
    /// Accepts the variants that operators use: any number of fraction digits (those past microseconds are dropped), a
    /// space or `t` for `T`, `z` for `Z`, offsets `+01:00`, `+0100` and `+01`, absent seconds (Java omits them where
    /// they are 0), and 24:00:00. Year 1 and earlier are nil: .NET and Go write `0001-01-01T00:00:00` for "no date".
    /// Text without a zone is nil.
    @inlinable
    public init?(rfc3339 text: some StringProtocol) {
        let utf8 = String(text).utf8
        self.init(rfc3339: utf8.span)
    }

    /// Parses UTF-8 like ``init(rfc3339:)-(StringProtocol)``.
    public init?(rfc3339 utf8: Span<UInt8>) {
        guard let year = utf8.decimal(at: 0, width: 4), year > 1, utf8.has("-", at: 4),
            let month = utf8.decimal(at: 5, width: 2), utf8.has("-", at: 7),
            let day = utf8.decimal(at: 8, width: 2), let date = CivilDate(year: year, month: month, day: day),
            utf8.has("T", at: 10) || utf8.has("t", at: 10) || utf8.has(" ", at: 10),
            let hour = utf8.decimal(at: 11, width: 2), utf8.has(":", at: 13),
            let minute = utf8.decimal(at: 14, width: 2)
        else { return nil }
        var position = 16
        var second = 0
        if utf8.has(":", at: position) {
            guard let written = utf8.decimal(at: position + 1, width: 2) else { return nil }
            second = written
            position += 3
        }
        guard let microseconds = Self.fraction(utf8, &position), hour < 24 || microseconds == 0,
            let offset = Self.offset(utf8, &position), position == utf8.count,
            let seconds = Self.seconds(date, hour, minute, second, offset: offset)
        else { return nil }
        self.init(microseconds: seconds * 1_000_000 + Int64(microseconds))
    }

    /// Microseconds of a fraction at `position`, 0 if there is none; nil for a point without digits.
    private static func fraction(_ utf8: Span<UInt8>, _ position: inout Int) -> Int? {
        guard position == 19, utf8.has(".", at: position) else { return 0 }
        position += 1
        let start = position
        var value = 0
        while let digit = utf8.decimal(at: position, width: 1) {
            if position - start < 6 { value = value * 10 + digit }
            position += 1
        }
        let digits = position - start
        guard digits > 0 else { return nil }
        for _ in min(digits, 6)..<6 { value *= 10 }
        return value
    }

    /// The UTC offset in seconds at `position`; nil if there is none, or it is invalid.
    private static func offset(_ utf8: Span<UInt8>, _ position: inout Int) -> Int? {
        if utf8.has("Z", at: position) || utf8.has("z", at: position) {
            position += 1
            return 0
        }
        let isWest = utf8.has("-", at: position)
        guard isWest || utf8.has("+", at: position), let hours = utf8.decimal(at: position + 1, width: 2), hours <= 23
        else { return nil }
        position += 3
        var minutes = 0
        if position < utf8.count {
            if utf8.has(":", at: position) { position += 1 }
            guard let written = utf8.decimal(at: position, width: 2), written <= 59 else { return nil }
            minutes = written
            position += 2
        }
        let seconds = hours * 3_600 + minutes * 60
        return isWest ? -seconds : seconds
    }

    /// The seconds since 1970 of a date and time of day as written, with a UTC offset in seconds; nil for fields that
    /// are not a time of day.
    ///
    /// 24:00:00 is the end of the day, as in XML Schema's dateTime (SIRI and Darwin are XML). Second 60 is valid only as
    /// the last of a day in UTC; it counts as the first second of the next day, as in POSIX.
    private static func seconds(_ date: CivilDate, _ hour: Int, _ minute: Int, _ second: Int, offset: Int) -> Int64? {
        guard minute <= 59, second <= 60, hour <= 23 || (hour == 24 && minute == 0 && second == 0) else { return nil }
        let seconds = date.daysSince1970 * 86_400 + Int64(hour * 3_600 + minute * 60 + second - offset)
        return second == 60 && seconds.remainderDown(by: 86_400) != 0 ? nil : seconds
    }

    /// RFC 3339 in UTC, with the fraction digits needed: none, 3 or 6.
    public var rfc3339: String {
        let clock = utc
        let fraction = microseconds.remainderDown(by: 1_000_000)
        var text = "\(clock.year.padded(to: 4))-\(clock.month.padded(to: 2))-\(clock.day.padded(to: 2))"
        text += "T\(clock.hour.padded(to: 2)):\(clock.minute.padded(to: 2)):\(clock.second.padded(to: 2))"
        if fraction % 1_000 != 0 {
            text += "." + fraction.padded(to: 6)
        } else if fraction != 0 {
            text += "." + (fraction / 1_000).padded(to: 3)
        }
        return text + "Z"
    }
}

extension Timestamp {
    /// Parses an HTTP date ("Mon, 15 Jul 2024 15:41:04 GMT"); nil for anything else.
    ///
    /// Accepts only the IMF-fixdate of RFC 9110 §5.6.7, the one format that servers may generate. The name of the day
    /// must be valid but is not compared with the date.
    public init?(httpDate text: some StringProtocol) {
        let utf8 = String(text).utf8
        let span = utf8.span
        guard span.count == 29, Self.index(of: span, at: 0, in: "MonTueWedThuFriSatSun") != nil,
            span.has(",", at: 3), span.has(" ", at: 4), let day = span.decimal(at: 5, width: 2), span.has(" ", at: 7),
            let month = Self.index(of: span, at: 8, in: "JanFebMarAprMayJunJulAugSepOctNovDec"), span.has(" ", at: 11),
            let year = span.decimal(at: 12, width: 4), span.has(" ", at: 16),
            let date = CivilDate(year: year, month: month + 1, day: day), let hour = span.decimal(at: 17, width: 2),
            hour < 24, span.has(":", at: 19), let minute = span.decimal(at: 20, width: 2), span.has(":", at: 22),
            let second = span.decimal(at: 23, width: 2), Self.index(of: span, at: 25, in: " GMT", width: 4) != nil,
            let seconds = Self.seconds(date, hour, minute, second, offset: 0)
        else { return nil }
        self.init(seconds: seconds)
    }

    /// The index in `names`, a concatenation of names of `width` letters, of the name at `position`.
    private static func index(of utf8: Span<UInt8>, at position: Int, in names: String, width: Int = 3) -> Int? {
        let bytes = names.utf8
        let letters = bytes.span
        return (0..<letters.count / width).first { name in
            (0..<width).allSatisfy { letters[name * width + $0] == utf8[position + $0] }
        }
    }
}

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
