internal import BoardCore

/// The precomputed beginnings of the service days around a time.
struct ServiceDayBeginnings: Sendable {
    /// The number of precomputed days before and after.
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

    /// The beginning of a service day.
    func beginning(of day: CivilDate) -> Timestamp {
        let place = day.daysSince1970 - today.daysSince1970 + Int64(Self.reach)
        return beginnings.indices.contains(Int(place)) ? beginnings[Int(place)] : timetable.beginning(of: day)
    }
}
