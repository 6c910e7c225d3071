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

    /// Lights a board in its quiet hours for a while.
    mutating func wake(at now: Instant) {
        if isQuietHour(at: now) { view.wokenUntil = now + setup.options.wake }
    }
}
