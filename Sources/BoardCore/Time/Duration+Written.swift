extension Duration {
    /// Parses a duration of files and commands, "30s", "4m" or "1h": a whole number and a unit. Nil for everything
    /// else, and on overflow.
    public init?(written text: some StringProtocol) {
        let units: [Character: Int64] = ["s": 1, "m": 60, "h": 3600]
        let digits = text.dropLast()
        guard let unit = text.last.flatMap({ units[$0] }), !digits.isEmpty, digits.allSatisfy(\.isDigit),
            let number = Int64(digits)
        else { return nil }
        let (seconds, overflow) = number.multipliedReportingOverflow(by: unit)
        guard !overflow else { return nil }
        self = .seconds(seconds)
    }

    /// Whole seconds in the largest unit that gives a whole number; the inverse of ``init(written:)``.
    public var written: String {
        let seconds = wholeSeconds
        if seconds != 0, seconds % 3600 == 0 { return "\(seconds / 3600)h" }
        if seconds != 0, seconds % 60 == 0 { return "\(seconds / 60)m" }
        return "\(seconds)s"
    }
}

extension Int {
    /// Parses a time of day as "22:30", in minutes after midnight (0–1439); nil for everything else.
    public init?(timeOfDay text: some StringProtocol) {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.count == 2 && $0.allSatisfy(\.isDigit) }),
            let hour = Int(parts[0]), let minute = Int(parts[1]), hour < 24, minute < 60
        else { return nil }
        self = hour * 60 + minute
    }

    /// Minutes after midnight as "06:30".
    var asTimeOfDay: String {
        "\((self / 60).padded(to: 2)):\((self % 60).padded(to: 2))"
    }
}

extension Character {
    /// Whether it is one of 0 to 9.
    public var isDigit: Bool { ("0"..."9").contains(self) }
}
