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
            let date = CivilDate(year: year, month: month + 1, day: day),
            let hour = span.decimal(at: 17, width: 2), hour < 24, span.has(":", at: 19),
            let minute = span.decimal(at: 20, width: 2), span.has(":", at: 22),
            let second = span.decimal(at: 23, width: 2),
            Self.index(of: span, at: 25, in: " GMT", width: 4) != nil,
            let time = WrittenTime(date: date, hour: hour, minute: minute, second: second),
            let seconds = time.secondsSince1970(offset: 0)
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
