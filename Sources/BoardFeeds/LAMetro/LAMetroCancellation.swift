internal import BoardCore
internal import BoardFormats

/// A cancelled passenger trip, from `{"CanceledService":[…]}`, whose members are all texts with leading blanks.
struct LAMetroCancellation: Hashable, Sendable {
    /// Types of trips to, from and between depots. All other types have passengers.
    private static let empty: Set = ["OUT", "IN", "DH"]
    /// How long before a trip's start the alert begins.
    private static let lead: Duration = .seconds(3_600)
    /// Hours continue after midnight; a service day has at most 48.
    private static let hours = 0..<48

    let route: String
    let alert: Alert

    /// Decodes a response: the object, or its array alone. Trips without passengers are skipped, not bad rows.
    ///
    /// - Returns: the distinct trips, and the number of malformed ones.
    static func list(_ body: [UInt8], in zone: Zone) throws(JSONFault) -> (trips: [LAMetroCancellation], bad: Int) {
        let rows = try JSONDocument(body).items("CanceledService").validRows { row -> [LAMetroCancellation]? in
            if let kind = row.text("trp_type"), empty.contains(kind.uppercased()) { return [] }
            return LAMetroCancellation(row, in: zone).map { [$0] }
        }
        return (rows.good.flatMap(\.self).uniqued(), rows.bad)
    }

    private init?(_ row: JSONRow, in zone: Zone) {
        guard let route = row.text("trp_route"), let date = row.text("dpce_date").flatMap(Self.date),
            let start = row.text("trp_time_start").flatMap(Self.time),
            let from = Self.moment(date, start, in: zone)
        else { return nil }
        // A trip without a readable end lasts an hour.
        let end = row.text("trp_time_end").flatMap(Self.time).flatMap { end in
            Self.moment(end < start ? CivilDate(daysSince1970: date.daysSince1970 + 1) : date, end, in: zone)
        }
        self.route = route
        let ends = [row.text("stop_description_first"), row.text("stop_description_last")].compactMap(\.self)
        let direction = row.text("trp_direction").map { " " + $0.prefix(1) + $0.dropFirst().lowercased() } ?? ""
        let places = ends.isEmpty ? "" : ", " + ends.joined(separator: " - ")
        alert = Alert(
            "Line \(route)\(direction): the \(start.text)\(places) is cancelled", scope: .lines([route]),
            from: from - Self.lead,
            until: end ?? from + Self.lead)
    }

    /// Hours and minutes since the midnight at which the service day begins.
    private struct Time: Comparable {
        let hour: Int
        let minute: Int

        static func < (left: Time, right: Time) -> Bool { (left.hour, left.minute) < (right.hour, right.minute) }

        var text: String { "\(hour % 24):\(minute < 10 ? "0" : "")\(minute)" }
    }

    /// "1153", " 753", "2413".
    private static func time(_ text: String) -> Time? {
        guard (1...4).contains(text.utf8.count), text.utf8.allSatisfy({ (0x30...0x39).contains($0) }),
            let number = Int(text), hours.contains(number / 100), number % 100 < 60
        else { return nil }
        return Time(hour: number / 100, minute: number % 100)
    }

    /// "2022-10-04".
    private static func date(_ text: String) -> CivilDate? {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
        guard parts.count == 3, let year = parts[0], let month = parts[1], let day = parts[2] else { return nil }
        return CivilDate(year: year, month: month, day: day)
    }

    private static func moment(_ date: CivilDate, _ time: Time, in zone: Zone) -> Timestamp? {
        let day = CivilDate(daysSince1970: date.daysSince1970 + Int64(time.hour / 24))
        let local = LocalTime(day, hour: time.hour % 24, minute: time.minute)
        return local.map { zone.timestamp(of: $0, nearest: Timestamp(seconds: 0)) }
    }
}
