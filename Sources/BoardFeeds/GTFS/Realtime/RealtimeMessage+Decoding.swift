internal import BoardCore

// Values of GTFS-Realtime in terms of the board. A number or date without a meaning counts as absent.

extension Timestamp {
    /// A message's seconds since 1970; nil for 0, which means "unknown", and for implausible values.
    init?(realtime seconds: some BinaryInteger) {
        guard let seconds = Int64(exactly: seconds), Self.hasValue(seconds) else { return nil }
        self.init(seconds: seconds)
    }

    /// Whether a message's seconds since 1970 are a plausible time.
    static func hasValue(_ seconds: Int64) -> Bool {
        // Before the year 3000: larger values are milliseconds or a mistake.
        seconds > 0 && seconds < 32_503_680_000
    }
}

extension CivilDate {
    /// Parses `20240209`; nil for any other text.
    init?(gtfs text: String) {
        guard text.utf8.count == 8 else { return nil }
        var number = 0
        for byte in text.utf8 {
            let digit = byte &- UInt8(ascii: "0")
            guard digit < 10 else { return nil }
            number = number * 10 + Int(digit)
        }
        self.init(year: number / 10_000, month: number / 100 % 100, day: number % 100)
    }

    /// The GTFS form: `20240209`.
    var gtfs: String {
        let number = String(year * 10_000 + month * 100 + day)
        return number.utf8.count == 8 ? number : String(repeating: "0", count: max(0, 8 - number.count)) + number
    }
}
