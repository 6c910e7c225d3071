extension Drawing {
    /// As long as a day without its year means one alone: ten months, so that two to come are not mistaken for two that were.
    private static let dayIsClear = Duration.seconds(300 * 86_400)

    /// The next instant at which the minute of the clock changes.
    var nextMinute: Instant {
        // Every zone's offset since 1972 is whole minutes, so that UTC's minute is everybody's.
        let seconds = moment.seconds
        return board.clock.instant(of: Timestamp(seconds: seconds - seconds.remainderDown(by: 60) + 60))
    }

    /// A time of this machine's zone, as the clock on the glass writes it.
    func clockTime(of moment: Timestamp) -> String {
        time(of: moment, in: board.setup.zone)
    }

    /// A time in a stop's own zone.
    func time(of moment: Timestamp, at stop: Stop) -> String {
        time(of: moment, in: stop.zone ?? board.setup.zone)
    }

    /// The day of a moment in a stop's own zone: "1 Nov".
    func day(of moment: Timestamp, at stop: Stop) -> String {
        let date = (stop.zone ?? board.setup.zone).localTime(at: moment).date
        let month = words.months.indices.contains(date.month - 1) ? words.months[date.month - 1] : "\(date.month)"
        return Text.fill([words.date], code: "\(date.day)", word: month).joined()
    }

    /// A departure's time, as clocks show it where it departs.
    func time(of moment: Timestamp, of departure: Departure, at stop: Stop) -> String {
        time(of: moment, ahead: departure.utcOffset, at: stop)
    }

    /// A time as a clock shows it that is so many seconds ahead of UTC; nil: as the stop's zone says.
    func time(of moment: Timestamp, ahead offset: Int?, at stop: Stop) -> String {
        time(localTime(at: moment, ahead: offset, at: stop))
    }

    /// The day of a time, as narrow as it can be read: "17Mar"; month and year ("Mar28") of one so far from now that the day might
    /// be thought to be another year's.
    func day(of moment: Timestamp, ahead offset: Int?, at stop: Stop) -> String {
        let local = localTime(at: moment, ahead: offset, at: stop)
        let month = words.months.indices.contains(local.month - 1) ? words.months[local.month - 1] : ""
        let distance = moment < self.moment ? self.moment - moment : moment - self.moment
        guard distance > Self.dayIsClear else { return "\(local.day)\(month)" }
        let year = local.year % 100
        return "\(month)\(year < 10 ? "0" : "")\(year)"
    }

    private func localTime(at moment: Timestamp, ahead offset: Int?, at stop: Stop) -> LocalTime {
        offset.map { LocalTime(secondsSince1970: moment.seconds.addingSaturated(Int64($0))) }
            ?? (stop.zone ?? board.setup.zone).localTime(at: moment)
    }

    /// The clock of a header, with `?` while nobody has vouched for the time.
    mutating func headerClock() -> String {
        changes(at: nextMinute)
        return clockTime(of: moment) + (board.clock.isUncertain ? "?" : "")
    }

    private func time(of moment: Timestamp, in zone: Zone) -> String {
        time(zone.localTime(at: moment))
    }

    private func time(_ local: LocalTime) -> String {
        let minute = local.minute < 10 ? "0\(local.minute)" : "\(local.minute)"
        switch board.setup.options.clock {
        case .h24:
            return (local.hour < 10 ? "0\(local.hour)" : "\(local.hour)") + ":" + minute
        case .h12:
            let half = local.hour < 12 ? words.beforeNoon : words.afterNoon
            return "\((local.hour + 11) % 12 + 1):" + minute + half
        }
    }
}
