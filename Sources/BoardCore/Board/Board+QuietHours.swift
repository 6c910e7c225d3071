extension Board {
    /// Whether it is a quiet hour and no press has lit the board. Never while the time is uncertain.
    func isDark(at now: Instant) -> Bool {
        isQuietHour(at: now) && (view.wokenUntil ?? now) <= now
    }

    func isQuietHour(at now: Instant) -> Bool {
        !setup.options.quiet.isEmpty && !clock.isUncertain && isWithin(setup.options.quiet, at: now)
    }
}
