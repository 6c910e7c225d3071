internal import BoardCore

extension Timetable {
    /// The time from which a service day's seconds count: noon − 12 h in the zone. Midnight, except on days of a clock
    /// change.
    func beginning(of day: CivilDate) -> Timestamp {
        let halfDay = 43_200
        let noon = LocalTime(secondsSince1970: day.daysSince1970 * 86_400 + Int64(halfDay))
        return zone.timestamp(of: noon, nearest: Timestamp(seconds: .min)) - .seconds(halfDay)
    }
}

/// The precomputed beginnings of the service days around a time.
package struct ServiceDayBeginnings: Sendable {
    private static let reach = 2

    let today: CivilDate
    private let beginnings: [Timestamp]
    private let timetable: Timetable

    init(around moment: Timestamp, in timetable: Timetable) {
        self.timetable = timetable
        let today = timetable.zone.localTime(at: moment).date
        self.today = today
        beginnings = (-Self.reach...Self.reach).map { timetable.beginning(of: today.adding(days: $0)) }
    }

    func beginning(of day: CivilDate) -> Timestamp {
        let place = day.daysSince1970 - today.daysSince1970 + Int64(Self.reach)
        return beginnings.indices.contains(Int(place)) ? beginnings[Int(place)] : timetable.beginning(of: day)
    }
}
