/// What a board says when it has something else to say than departures, or has none: each a value with its own
/// picture.
enum Notice: Hashable, Sendable {
    /// How an operator fails while the network is there.
    enum FeedError: Hashable, Sendable {
        case noResponse
        case status(Int)
        case unreadable
        case rateLimited
        case certificate
    }

    /// No operator can be reached.
    case noNetwork
    /// The machine's clock is unsure, and therefore no certificate is accepted.
    case waitingForTime
    /// A file was changed and cannot be used; the board goes on with what it had.
    case faultyConfiguration(FilePosition)
    /// The operator, by its title, refuses the key.
    case keyRejected(String)
    /// The operator wants a key and has none.
    case keyMissing(String)
    /// The operator does not know the stop.
    case unknownStop(String)
    /// The operator has not answered since a moment.
    case failing(String, FeedError, since: Timestamp)
    /// Answers come, but their newest timestamp stands still.
    case frozen(String, since: Timestamp)
    /// The operator answers, and keeps back what runs.
    case withheld(String)
    /// Nothing has been heard yet.
    case loading
    /// There is no stop to show.
    case noFavourites
    /// The operator predicts nothing; that is not "no service".
    case nothingPredicted
    /// Nothing departs until a moment of the next hours, in the stop's zone.
    case next(NextDeparture, from: Stop)
    /// Nothing departs before a day, in the stop's zone: the timetable begins then.
    case notBefore(Timestamp, from: Stop)
    /// The operator's timetable, by its title, ended at a moment in the stop's zone: nobody knows what runs.
    case timetableEnded(String, Timestamp, at: Stop)
    /// What the operator predicts leaves before anybody can be there.
    case nothingToCatch

    /// The lowest is said: what explains the most comes first, from the network to the single stop.
    var order: Int {
        switch self {
        case .noNetwork: 0
        case .waitingForTime: 1
        case .faultyConfiguration: 2
        case .keyRejected: 3
        case .keyMissing: 4
        case .unknownStop: 5
        case .failing: 6
        case .frozen: 7
        case .withheld: 8
        case .timetableEnded: 9
        case .loading: 10
        case .noFavourites: 11
        case .nothingToCatch: 12
        case .next: 13
        case .notBefore: 14
        case .nothingPredicted: 15
        }
    }

    /// Whether it is said while departures are shown. The others say why there are none.
    var accompaniesRows: Bool {
        switch self {
        case .loading, .noFavourites, .nothingPredicted, .nothingToCatch, .next, .notBefore: false
        default: true
        }
    }

    /// The forms of the message, longest first.
    ///
    /// - Parameters:
    ///   - time: writes a moment as the board's clock would, or as a clock at a stop.
    ///   - day: writes the day of a moment at a stop.
    func forms(
        _ words: Words, time: (Timestamp, Stop?) -> String, day: (Timestamp, Stop) -> String
    ) -> [String] {
        switch self {
        case .noNetwork: words.noNetwork
        case .waitingForTime: words.waitingForTime
        case .faultyConfiguration(let place):
            (place.line.map { Text.fill(words.faultyLine, code: "\($0)", word: place.file) } ?? [])
                + Text.fill(words.faultyFile, word: place.description) + Text.fill(words.faultyFile, word: place.stem)
        case .keyRejected(let feed): Text.fill(words.keyRejected, feed: feed)
        case .keyMissing(let feed): Text.fill(words.keyMissing, feed: feed)
        case .unknownStop(let feed): Text.fill(words.unknownStop, feed: feed)
        case .failing(let feed, let failing, let since):
            switch failing {
            case .noResponse: Text.fill(words.noResponse, feed: feed, time: time(since, nil))
            case .status(let code): Text.fill(words.status, feed: feed, time: time(since, nil), code: "\(code)")
            case .unreadable: Text.fill(words.unreadable, feed: feed, time: time(since, nil))
            case .rateLimited: Text.fill(words.rateLimited, feed: feed, time: time(since, nil))
            case .certificate: Text.fill(words.certificate, feed: feed, time: time(since, nil))
            }
        case .frozen(let feed, let since): Text.fill(words.frozen, feed: feed, time: time(since, nil))
        case .withheld(let feed): Text.fill(words.withheld, feed: feed)
        case .loading: words.loading
        case .noFavourites: words.noFavourites
        case .next(.laterToday(let moment), let stop): Text.fill(words.nextAt, time: time(moment, stop))
        case .next(.nextDay(let moment), let stop): Text.fill(words.lastDeparted, time: time(moment, stop))
        case .notBefore(let first, let stop): Text.fill(words.notBefore, time: day(first, stop))
        case .timetableEnded(let feed, let end, let stop):
            // The last day is the one before the moment at which it is over.
            Text.fill(words.timetableEnded, feed: feed, time: day(end - .seconds(1), stop))
        case .nothingPredicted: words.nothingPredicted
        case .nothingToCatch: words.nothingToCatch
        }
    }
}
