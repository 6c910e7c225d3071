extension Drawing {
    /// Up to this distance a day without a year is unambiguous: ten months, so that a date two months ahead is not read
    /// as one ten months ago.
    private static let dayWithoutYearWithin = Duration.seconds(300 * 86_400)

    /// The forms of the day in the stop's zone, or in the board's: "Sun 1 Nov", "1 Nov"; if the day alone would be
    /// ambiguous, with the year, and then also the month and year alone.
    func days(of moment: Timestamp, at stop: Stop? = nil) -> [String] {
        let local = localTime(at: moment, ahead: nil, at: stop)
        let date = words(.date, code: "\(local.day)", word: words[.months][local.month - 1]).joined()
        let day = needsYear(moment) ? date + " \(local.year)" : date
        return [words[.weekdays][local.weekday.rawValue] + " " + day, day]
            + (needsYear(moment) ? [self.day(of: moment, ahead: nil, at: stop)] : [])
    }

    private func needsYear(_ moment: Timestamp) -> Bool { (moment - self.moment).magnitude > Self.dayWithoutYearWithin }

    /// The day in its shortest form: "17Mar"; month and year ("Mar28") when the day alone would be ambiguous.
    func day(of moment: Timestamp, ahead offset: Int?, at stop: Stop?) -> String {
        let local = localTime(at: moment, ahead: offset, at: stop)
        let month = words[.months][local.month - 1]
        return needsYear(moment) ? month + (local.year % 100).padded(to: 2) : "\(local.day)\(month)"
    }

    private func localTime(at moment: Timestamp, ahead offset: Int?, at stop: Stop?) -> LocalTime {
        offset.map { LocalTime(secondsSince1970: moment.seconds.addingSaturated(Int64($0))) }
            ?? (stop?.zone ?? board.favouriteInView?.stop.zone ?? board.zone(at: self.moment)).localTime(at: moment)
    }

    /// The clock of the header, with `?` while the time is uncertain.
    mutating func headerClock() -> String {
        changes(at: board.nextMinute(after: now))
        return time(of: moment) + (board.clock.isUncertain ? "?" : "")
    }

    /// A time at the place of a departure.
    func time(of moment: Timestamp, _ departure: Departure, _ favourite: FavouriteState) -> String {
        time(of: moment, ahead: departure.utcOffset, at: favourite.stop)
    }

    /// A time in the format of the clock, at a UTC offset in seconds, or in the zone of a stop or of the header.
    func time(of moment: Timestamp, ahead offset: Int? = nil, at stop: Stop? = nil) -> String {
        let local = localTime(at: moment, ahead: offset, at: stop)
        let minute = local.minute.padded(to: 2)
        switch board.setup.options.clock {
        case .h24: return local.hour.padded(to: 2) + ":" + minute
        case .h12:
            let half = local.hour < 12 ? words.text(.beforeNoon) : words.text(.afterNoon)
            return "\((local.hour + 11) % 12 + 1):" + minute + half
        }
    }
}
