extension Board {
    /// Whether a client has switched the light off, or it is a quiet hour and no press or message lights the board.
    func isDark(at now: Instant) -> Bool {
        switch light {
        case .auto: isQuietHour(at: now) && (view.wokenUntil ?? now) <= now && message == nil
        case .on: false
        case .off: true
        }
    }

    /// Never while the time is uncertain.
    func isQuietHour(at now: Instant) -> Bool {
        !setup.options.quiet.isEmpty && !clock.isUncertain && isWithin(setup.options.quiet, at: now)
    }

    func isWithin(_ windows: [WeeklyWindow], at now: Instant) -> Bool {
        let moment = clock.timestamp(at: now)
        let local = zone(at: moment).localTime(at: moment)
        return windows.contains { $0.covers(minute: local.minuteOfDay, weekday: local.weekday) }
    }

    /// The board's zone: that of its stops, if their clocks agree; those whose zone is unknown do not count. Otherwise,
    /// and before a zone is known, the machine's.
    func zone(at moment: Timestamp) -> Zone {
        let zones = (favourites + inactive).compactMap(\.stop.zone)
        guard let first = zones.first else { return setup.zone }
        let offset = first.offset(at: moment)
        return zones.allSatisfy { $0.offset(at: moment) == offset } ? first : setup.zone
    }

    /// Lights a board in its quiet hours for a while.
    mutating func wake(at now: Instant) {
        if isQuietHour(at: now) { view.wokenUntil = now + setup.options.wake }
    }
}
