extension Board {
    /// What departs in less than a night and a morning is told by the time alone.
    fileprivate static let soon = Duration.seconds(22 * 3_600)

    /// The most important thing that the page in view has to say beside its rows; nil when there is nothing.
    func notice(at now: Instant) -> Notice? {
        let inView = favouriteInView.map { [$0] } ?? favourites
        var notices = inView.compactMap { notice(of: $0, at: now) }
        if inView.count > 1, notices.count < inView.count || Set(notices).count > 1 {
            // On the overview one favourite without departures is no message: its row says so.
            notices.removeAll { !$0.accompaniesRows }
        }
        if let place = configurationFault { notices.append(.faultyConfiguration(place)) }
        if favourites.isEmpty { notices.append(.noFavourites) }
        return notices.min { $0.order < $1.order }
    }

    /// What the glass calls an operator.
    func title(of feed: FeedName) -> String {
        setup.profiles[feed]?.shortTitle ?? feed.description
    }

    private func notice(of favourite: FavouriteState, at now: Instant) -> Notice? {
        let title = title(of: favourite.favourite.stop.feed)
        let moment = clock.timestamp(at: now)
        let hasRows = !favourite.visible(at: moment).isEmpty
        switch favourite.status {
        case .loading:
            return .loading
        case .responding:
            if let since = favourite.freezeDetector.frozenSince { return .frozen(title, since: since) }
            if let kind = favourite.rejection,
                let rejected = notice(
                    of: kind, title: title, isRepeated: true, hasRows: hasRows, since: favourite.lastResponseAt)
            {
                return rejected
            }
            // Also beside the buses of a station whose trains are kept back.
            if favourite.isWithheld, now < responseExpires(favourite) { return .withheld(title) }
            if hasRows { return nil }
            // After a restart: what was predicted then is over, and what is now was not told yet.
            guard now < responseExpires(favourite) else { return .loading }
            if favourite.hasMissed(at: moment) { return .nothingToCatch }
            if let next = favourite.next, next.time > moment {
                return next.time - moment < Self.soon
                    ? .next(next, from: favourite.stop) : .notBefore(next.time, from: favourite.stop)
            }
            if let end = favourite.timetableEndsAt, end <= moment {
                return .timetableEnded(title, end, at: favourite.stop)
            }
            return .nothingPredicted
        case .failing(let kind, let count):
            // One lost answer is the bar's affair; while rows are there a person need not read of it.
            return notice(
                of: kind, title: title, isRepeated: count > 1, hasRows: hasRows, since: favourite.lastResponseAt)
        }
    }

    private func notice(
        of kind: FeedFailure.Kind, title: String, isRepeated: Bool, hasRows: Bool, since: Instant
    ) -> Notice? {
        let failing: Notice.FeedError
        switch kind {
        case .keyRejected: return .keyRejected(title)
        case .keyMissing: return .keyMissing(title)
        case .unknownStop: return .unknownStop(title)
        case .cancelled: return hasRows ? nil : .loading
        case .noNetwork, .certificateDate, .certificate, .timedOut, .rateLimited, .status, .unreadable:
            guard isRepeated || !hasRows else { return nil }
        }
        switch kind {
        case .noNetwork: return .noNetwork
        case .certificateDate where clock.source != .kernel: return .waitingForTime
        case .certificateDate, .certificate: failing = .certificate
        case .rateLimited: failing = .rateLimited
        case .status(let code): failing = .status(code)
        case .unreadable: failing = .unreadable
        default: failing = .noResponse
        }
        return .failing(title, failing, since: clock.timestamp(at: since))
    }
}

extension Drawing {
    /// On two rows a message takes turns with the second one, this long each.
    private static let turn = Duration.seconds(4)

    /// A message beside departures: the last row, or on two rows its turn of it.
    mutating func drawMessage(_ notice: Notice) {
        var row = size.rows - 1
        if board.setup.options.refreshBar == .row { row -= 1 }
        if !hasHeader {
            let turn = Self.turn.wholeMicroseconds
            let index = now.microseconds.dividedDown(by: turn)
            changes(at: Instant(microseconds: (index + 1) * turn))
            guard index.isMultiple(of: 2) else { return }
        }
        put(Text.left(Text.choose(forms(of: notice), width: size.columns), in: size.columns), row: row)
    }

    /// The forms of a message, longest first.
    func forms(of notice: Notice) -> [String] {
        notice.forms(words) { moment, stop in
            stop.map { time(of: moment, at: $0) } ?? clockTime(of: moment)
        } day: { moment, stop in
            day(of: moment, at: stop)
        }
    }

    /// Notes when what is said of a favourite without departures changes.
    mutating func noteNoDepartureChanges(of favourite: FavouriteState) {
        changes(at: favourite.next.map { board.clock.instant(of: $0.time - Board.soon) })
        changes(at: favourite.next.map { board.clock.instant(of: $0.time) })
        changes(at: favourite.timetableEndsAt.map(board.clock.instant(of:)))
    }
}
