internal import BoardCore
internal import BoardFormats

extension CivilDate {
    /// Parses `20240209`; nil for any other text.
    init?(gtfs text: String) {
        let bytes = Array(text.utf8)
        guard let day = bytes.span.date(TableField(0..<bytes.count)) else { return nil }
        self = day
    }

    /// The GTFS form: `20240209`.
    var gtfs: String {
        let number = String(year * 10_000 + month * 100 + day)
        return number.utf8.count == 8 ? number : String(repeating: "0", count: max(0, 8 - number.count)) + number
    }

    /// 2026-03-07.
    var iso8601: String {
        "\(year)-\(month.padded(to: 2))-\(day.padded(to: 2))"
    }

    func adding(days: Int) -> CivilDate {
        CivilDate(daysSince1970: daysSince1970 + Int64(days))
    }
}
