/// A message on the board, with or instead of departures.
enum Notice: Hashable, Sendable {
    /// No network since the last response.
    case noNetwork(since: Timestamp)
    /// The clock is uncertain, and therefore certificates appear invalid.
    case waitingForTime
    /// A changed file is invalid; the previous configuration stays in effect.
    case faultyConfiguration(FilePosition)
    case fleet(FleetFault)
    /// The operator, by its title, rejects the key.
    case keyRejected(String)
    case keyMissing(String)
    case unknownStop(String)
    /// The operator has not responded successfully since a moment, while the network is up.
    case failing(String, FeedFailure.Kind, since: Timestamp)
    /// Responses arrive, but their newest timestamp does not advance.
    case frozen(String, since: Timestamp)
    case withheld(String)
    case loading
    case noFavourites
    /// The operator predicts nothing; this does not mean that nothing runs.
    case nothingPredicted
    /// No departure before a moment within hours, in the stop's zone.
    case next(NextDeparture, from: Stop)
    /// No departure before a day, in the stop's zone: the timetable begins then.
    case notBefore(Timestamp, from: Stop)
    /// The timetable of an operator (its title) ended at a moment in the stop's zone: later departures are unknown.
    case timetableEnded(String, Timestamp, at: Stop)
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
        case .timetableEnded: 10
        case .loading: 11
        case .noFavourites: 12
        case .nothingToCatch: 13
        case .next: 14
        case .notBefore: 15
        case .nothingPredicted: 16
        }
    }

    /// Whether the notice is shown together with departures. The others explain why there are none.
    var accompaniesRows: Bool {
        order < Notice.loading.order
    }

    /// The forms of the message, longest first, with times in a stop's zone or the board's, and the forms of days in a stop's, with the
    /// weekday first.
    func forms(
        _ words: Words, time: (Timestamp, Stop?) -> String, days: (Timestamp, Stop) -> [String]
    ) -> [String] {
        switch self {
        case .noNetwork(let since): Text.fill(words.noNetwork, time: time(since, nil))
        case .waitingForTime: words.waitingForTime
        case .faultyConfiguration(let place):
            (place.line.map { Text.fill(words.faultyLine, code: "\($0)", word: place.file) } ?? [])
                + Text.fill(words.faultyFile, word: place.description) + Text.fill(words.faultyFile, word: place.stem)
        case .fleet(.nameInUse): words.fleetNameInUse
        case .fleet(.list): words.fleetList
        case .keyRejected(let feed): Text.fill(words.keyRejected, feed: feed)
        case .keyMissing(let feed): Text.fill(words.keyMissing, feed: feed)
        case .unknownStop(let feed): Text.fill(words.unknownStop, feed: feed)
        case .failing(let feed, let error, let since):
            switch error {
            case .status(let code): Text.fill(words.status, feed: feed, time: time(since, nil), code: "\(code)")
            case .unreadable: Text.fill(words.unreadable, feed: feed, time: time(since, nil))
            case .noZone: words.noZone
            case .rateLimited: Text.fill(words.rateLimited, feed: feed, time: time(since, nil))
            case .certificate, .certificateDate: Text.fill(words.certificate, feed: feed, time: time(since, nil))
            default: Text.fill(words.noResponse, feed: feed, time: time(since, nil))
            }
        case .frozen(let feed, let since): Text.fill(words.frozen, feed: feed, time: time(since, nil))
        case .withheld(let feed): Text.fill(words.withheld, feed: feed)
        case .loading: words.loading
        case .noFavourites: words.noFavourites
        case .next(.laterToday(let moment), let stop): Text.fill(words.nextAt, time: time(moment, stop))
        case .next(.nextDay(let moment), let stop): Text.fill(words.lastDeparted, time: time(moment, stop))
        case .notBefore(let first, let stop):
            days(first, stop).flatMap { Text.fill(words.notBefore, time: $0) }
        case .timetableEnded(let feed, let end, let stop):
            // The last day is the one before the end.
            days(end - .seconds(1), stop).dropFirst().flatMap { Text.fill(words.timetableEnded, feed: feed, time: $0) }
        case .nothingPredicted: words.nothingPredicted
        case .nothingToCatch: words.nothingToCatch
        }
    }
}
