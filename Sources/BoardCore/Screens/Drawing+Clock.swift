extension Drawing {
    /// Up to this distance a day without a year is unambiguous: ten months, so that a date two months ahead is not read
    /// as one ten months ago.
    private static let dayWithoutYearWithin = Duration.seconds(300 * 86_400)

    /// The next instant at which the minute of the clock changes.
    var nextMinute: Instant {
        // Every zone's offset since 1972 is whole minutes, so all zones share UTC's minutes.
        let seconds = moment.seconds
        return board.clock.instant(of: Timestamp(seconds: seconds - seconds.remainderDown(by: 60) + 60))
    }

    /// A time in this machine's zone, in the format of the clock.
    func clockTime(of moment: Timestamp) -> String {
        time(of: moment, in: board.setup.zone)
    }

    func time(of moment: Timestamp, at stop: Stop) -> String {
        time(of: moment, in: stop.zone ?? board.setup.zone)
    }

    /// The day in the stop's zone: "1 Nov".
    func day(of moment: Timestamp, at stop: Stop) -> String {
        let date = (stop.zone ?? board.setup.zone).localTime(at: moment).date
        let month = words.months.indices.contains(date.month - 1) ? words.months[date.month - 1] : "\(date.month)"
        return Text.fill([words.date], code: "\(date.day)", word: month).joined()
    }

    /// A time in the zone of a departure's place.
    func time(of moment: Timestamp, of departure: Departure, at stop: Stop) -> String {
        time(of: moment, ahead: departure.utcOffset, at: stop)
    }

    /// A time with a UTC offset in seconds; nil: in the stop's zone.
    func time(of moment: Timestamp, ahead offset: Int?, at stop: Stop) -> String {
        time(localTime(at: moment, ahead: offset, at: stop))
    }

    /// The day in its shortest form: "17Mar"; month and year ("Mar28") when the day alone would be ambiguous.
    func day(of moment: Timestamp, ahead offset: Int?, at stop: Stop) -> String {
        let local = localTime(at: moment, ahead: offset, at: stop)
        let month = words.months.indices.contains(local.month - 1) ? words.months[local.month - 1] : ""
        guard (moment - self.moment).magnitude > Self.dayWithoutYearWithin else { return "\(local.day)\(month)" }
        return month + (local.year % 100).padded(to: 2)
    }

    private func localTime(at moment: Timestamp, ahead offset: Int?, at stop: Stop) -> LocalTime {
        offset.map { LocalTime(secondsSince1970: moment.seconds.addingSaturated(Int64($0))) }
            ?? (stop.zone ?? board.setup.zone).localTime(at: moment)
    }

    /// The clock of the header, with `?` while the time is uncertain.
    mutating func headerClock() -> String {
        changes(at: nextMinute)
        return clockTime(of: moment) + (board.clock.isUncertain ? "?" : "")
    }

    private func time(of moment: Timestamp, in zone: Zone) -> String {
        time(zone.localTime(at: moment))
    }

    private func time(_ local: LocalTime) -> String {
        let minute = local.minute.padded(to: 2)
        switch board.setup.options.clock {
        case .h24:
            return local.hour.padded(to: 2) + ":" + minute
        case .h12:
            let half = local.hour < 12 ? words.beforeNoon : words.afterNoon
            return "\((local.hour + 11) % 12 + 1):" + minute + half
        }
    }
}
