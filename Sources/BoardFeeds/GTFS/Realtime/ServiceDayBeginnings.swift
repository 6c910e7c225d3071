internal import BoardCore

/// When the service days around a moment begin, worked out once.
struct ServiceDayBeginnings: Sendable {
    /// How many days before and after are known.
    private static let reach = 2

    /// The date at the moment.
    let today: CivilDate
    private let beginnings: [Timestamp]
    private let timetable: Timetable

    init(around moment: Timestamp, in timetable: Timetable) {
        self.timetable = timetable
        let today = timetable.zone.localTime(at: moment).date
        self.today = today
        beginnings = (-Self.reach...Self.reach).map { timetable.beginning(of: today.adding(days: $0)) }
    }

    /// When a service day begins.
    func beginning(of day: CivilDate) -> Timestamp {
        let place = day.daysSince1970 - today.daysSince1970 + Int64(Self.reach)
        return beginnings.indices.contains(Int(place)) ? beginnings[Int(place)] : timetable.beginning(of: day)
    }
}
