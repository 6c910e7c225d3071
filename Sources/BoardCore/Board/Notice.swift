/// A message on the board, with or instead of departures.
enum Notice: Hashable, Sendable {
    /// No network since the last response.
    case noNetwork(since: Timestamp)
    /// The clock is uncertain, and therefore certificates appear invalid.
    case waitingForTime
    /// A changed file is invalid; the previous configuration stays in effect.
    case faultyConfiguration(FilePosition)
    case fleet(FleetFault)
    /// The operator with this title rejects the key.
    case keyRejected(String)
    case keyMissing(String)
    case unknownStop(String)
    /// The operator has not responded successfully since this moment, while the network is up.
    case failing(String, FeedError.Kind, since: Timestamp)
    /// Responses arrive, but their newest timestamp does not advance.
    case frozen(String, since: Timestamp)
    case withheld(String)
    /// The clock is uncertain, and therefore the hours of favourites do not apply.
    case hoursUnknown
    case loading
    case noFavourites
    /// The operator predicts nothing; this does not mean that nothing runs.
    case nothingPredicted
    /// The next departure is only hours away, in the stop's zone.
    case next(NextDeparture, from: Stop)
    /// No departure before this day, in the stop's zone: the timetable begins then.
    case notBefore(Timestamp, from: Stop)
    /// The timetable of an operator (its title) ended at this moment, in the stop's zone: later departures are unknown.
    case timetableEnded(String, Timestamp, at: Stop)
    /// The operator predicts departures, but none in the favourite's directions.
    case otherDirections
    /// All predicted departures leave before the user can reach the stop.
    case nothingToCatch

    /// The priority: the lowest value is shown. The most general cause comes first, from the network to the single
    /// stop.
    var order: Int {
        switch self {
        case .noNetwork: 0
        case .waitingForTime: 1
        case .faultyConfiguration: 2
        case .fleet: 3
        case .keyRejected: 4
        case .keyMissing: 5
        case .unknownStop: 6
        case .failing: 7
        case .frozen: 8
        case .withheld: 9
        case .hoursUnknown: 10
        case .timetableEnded: 11
        case .loading: 12
        case .noFavourites: 13
        case .nothingToCatch: 14
        case .next: 15
        case .notBefore: 16
        case .otherDirections: 17
        case .nothingPredicted: 18
        }
    }

    /// Whether the notice is shown together with departures. The others explain why there are none.
    var accompaniesRows: Bool { order < Notice.loading.order }

    /// The forms of the message, longest first. Times are in a stop's zone or the board's, days in a stop's, in forms
    /// with the weekday first.
    func forms(_ words: Words, time: (Timestamp, Stop?) -> String, days: (Timestamp, Stop) -> [String]) -> [String] {
        switch self {
        case .noNetwork(let since): words(.noNetwork, time: time(since, nil))
        case .waitingForTime: words[.waitingForTime]
        case .faultyConfiguration(let place):
            (place.line.map { words(.faultyLine, code: "\($0)", word: place.file) } ?? [])
                + words(.faultyFile, word: place.description) + words(.faultyFile, word: place.stem)
        case .fleet(.nameInUse): words[.fleetNameInUse]
        case .fleet(.list): words[.fleetList]
        case .keyRejected(let feed): words(.keyRejected, feed: feed)
        case .keyMissing(let feed): words(.keyMissing, feed: feed)
        case .unknownStop(let feed): words(.unknownStop, feed: feed)
        case .failing(let feed, let error, let since):
            switch error {
            case .status(let code): words(.status, feed: feed, time: time(since, nil), code: "\(code)")
            case .unreadable: words(.unreadable, feed: feed, time: time(since, nil))
            case .noZone: words[.noZone]
            case .rateLimited: words(.rateLimited, feed: feed, time: time(since, nil))
            case .certificate, .certificateDate: words(.certificate, feed: feed, time: time(since, nil))
            default: words(.noResponse, feed: feed, time: time(since, nil))
            }
        case .frozen(let feed, let since): words(.frozen, feed: feed, time: time(since, nil))
        case .withheld(let feed): words(.withheld, feed: feed)
        case .hoursUnknown: words[.hoursUnknown]
        case .loading: words[.loading]
        case .noFavourites: words[.noFavourites]
        case .next(.laterToday(let moment), let stop): words(.nextAt, time: time(moment, stop))
        case .next(.nextDay(let moment), let stop): words(.lastDeparted, time: time(moment, stop))
        case .notBefore(let first, let stop): days(first, stop).flatMap { words(.notBefore, time: $0) }
        case .timetableEnded(let feed, let end, let stop):
            // The last day is the one before the end.
            days(end - .seconds(1), stop).dropFirst().flatMap { words(.timetableEnded, feed: feed, time: $0) }
        case .nothingPredicted: words[.nothingPredicted]
        case .otherDirections: words[.otherDirections]
        case .nothingToCatch: words[.nothingToCatch]
        }
    }
}

extension Board {
    /// Within this time, less than a day, the next departure is shown by its time of day alone.
    static let timeAloneWithin = Duration.seconds(22 * 3_600)

    /// The notice with the highest priority on the page in view; nil when there is none.
    func notice(at now: Instant) -> Notice? {
        let inView = favouriteInView.map { [$0] } ?? favourites
        var notices = inView.compactMap { notice(of: $0, at: now) }
        if inView.count > 1, notices.count < inView.count || Set(notices).count > 1 {
            // On the overview a favourite without departures needs no notice: its row shows it.
            notices.removeAll { !$0.accompaniesRows }
        }
        if let place = configurationFault { notices.append(.faultyConfiguration(place)) }
        if let fleetFault { notices.append(.fleet(fleetFault)) }
        if clock.isUncertain, setup.favourites.contains(where: { !$0.when.isEmpty }) { notices.append(.hoursUnknown) }
        if favourites.isEmpty { notices.append(.noFavourites) }
        return notices.min { $0.order < $1.order }
    }

    func title(of feed: FeedName) -> String { setup.profiles[feed]?.shortTitle ?? feed.description }

    /// The notice about one favourite.
    func notice(of favourite: FavouriteState, at now: Instant) -> Notice? {
        let title = title(of: favourite.favourite.stop.feed)
        let moment = clock.timestamp(at: now)
        let hasRows = favourite.hasVisible(at: moment)
        switch favourite.data.status {
        case .loading: return .loading
        case .frozen(let since): return .frozen(title, since: since)
        case .live:
            if let kind = favourite.rejection,
                let rejected = notice(
                    of: kind, title: title, isRepeated: true, hasRows: hasRows, since: favourite.data.lastResponseAt)
            {
                return rejected
            }
            // Even with buses from a station whose trains are withheld.
            if favourite.data.isWithheld, now < responseExpires(favourite) { return .withheld(title) }
            if hasRows { return nil }
            // After a restart the stored response has expired and there is no newer one.
            guard now < responseExpires(favourite) else { return .loading }
            if favourite.hasMissed(at: moment) { return .nothingToCatch }
            if let next = favourite.data.next, next.time > moment {
                return next.time - moment < Self.timeAloneWithin
                    ? .next(next, from: favourite.stop) : .notBefore(next.time, from: favourite.stop)
            }
            if let end = favourite.data.timetableEndsAt, end <= moment {
                return .timetableEnded(title, end, at: favourite.stop)
            }
            return favourite.hasOtherDirections(at: moment) ? .otherDirections : .nothingPredicted
        case .failing(let kind, let count):
            return notice(
                of: kind, title: title, isRepeated: count > 1, hasRows: hasRows, since: favourite.data.lastResponseAt)
        }
    }

    private func notice(
        of kind: FeedError.Kind, title: String, isRepeated: Bool, hasRows: Bool, since: Instant
    ) -> Notice? {
        let since = clock.timestamp(at: since)
        switch kind {
        case .keyRejected: return .keyRejected(title)
        case .keyMissing: return .keyMissing(title)
        case .unknownStop: return .unknownStop(title)
        case .cancelled: return hasRows ? nil : .loading
        // A single failure is no news while there are rows.
        case _ where hasRows && !isRepeated: return nil
        case .noNetwork: return .noNetwork(since: since)
        case .certificateDate where clock.source != .kernel: return .waitingForTime
        case .certificateDate, .certificate: return .failing(title, .certificate, since: since)
        // Stops with different waits share one notice.
        case .rateLimited: return .failing(title, .rateLimited(retryAfter: nil), since: since)
        case .timedOut, .status, .unreadable, .noZone: return .failing(title, kind, since: since)
        }
    }
}

/// What is wrong with the fleet, for the display.
public enum FleetFault: Hashable, Sendable {
    /// Another board has this board's name.
    case nameInUse
    /// The shared list of favourites is not applied.
    case list
}
