/// The client of one operator's departures, live or recorded.
public protocol DepartureFeed: Sendable {
    var profile: FeedProfile { get }

    /// Fetches every departure of a stop that the operator reports, in any order. Cancelling the task cancels the
    /// request at once.
    func departures(_ request: FeedRequest) async throws(FeedError) -> FeedResponse

    /// Fetches the details of one trip: its calling points and its position.
    ///
    /// - Parameter departure: one returned by ``departures(_:)``.
    /// - Returns: nil when the operator has no more details than the departure, or no longer has the trip.
    func tripDetails(of departure: Departure) async throws(FeedError) -> TripDetails?

    /// Checks a stop at the operator in few requests, for users who check or add a favourite; the board never calls it.
    ///
    /// - Throws: ``FeedError``; of kind `unknownStop` if there is no such stop.
    func check(_ stop: StopID) async throws(FeedError) -> StopCheck

    /// Checks each data source that the feed needs for every stop, such as a city's timetable, with one request each.
    /// For users who check their configuration, even before there is a favourite; the board never calls it. Empty if
    /// each stop has a request of its own.
    func sources() async -> [SourceCheck]

    /// The name of the key that only ``tripDetails(of:)`` uses, so that polls do not reveal that it is invalid. Nil:
    /// none.
    var detailsKeyName: String? { get }

    /// The search of an operator that searches its stops itself; nil: the operator's list is in the stop directory.
    var finder: (any StopFinder)? { get }
}

extension DepartureFeed {
    public func tripDetails(of departure: Departure) async throws(FeedError) -> TripDetails? { nil }

    public func sources() async -> [SourceCheck] { [] }

    /// Nil: all requests use the same key, or none.
    public var detailsKeyName: String? { nil }

    /// Nil: the operator's list is in the stop directory, or there is none.
    public var finder: (any StopFinder)? { nil }
}

public struct FeedRequest: Hashable, Sendable {
    public let stop: StopID
    /// The lines of interest; empty: all. A feed may request fewer lines because of them, and must return at least
    /// these.
    public let lines: [String]
    /// Only departures that also call at one of these stops, by the operator's codes ("PAD"); empty: all.
    public let towards: [String]
    public let platforms: [String]
    /// The directions and destinations of interest, in the operator's words; empty: all.
    public let directions: [String]
    /// The name of the stop, if configured. With `location` it finds a stop again at an operator whose identifiers
    /// change.
    public let name: String?
    public let location: Coordinates?

    public init(
        stop: StopID, lines: [String] = [], towards: [String] = [], platforms: [String] = [], directions: [String] = [],
        name: String? = nil, location: Coordinates? = nil
    ) {
        self.stop = stop
        self.lines = lines
        self.towards = towards
        self.platforms = platforms
        self.directions = directions
        self.name = name
        self.location = location
    }

    /// Whether a departure is of a line, platform and direction of interest. One without a reported platform matches
    /// every platform; one with neither direction nor destination, every direction.
    public func selects(_ departure: Departure) -> Bool {
        selects(departure.line, platform: departure.platform) { departure.headings }
    }

    /// - Parameter headings: the reported directions and destinations, which are only read if they matter.
    public func selects(_ line: Line, platform: String?, headings: () -> [String?]) -> Bool {
        guard matches(line), platform.isNilOr(matches(platform:)) else { return false }
        guard !directions.isEmpty else { return true }
        let headings = headings().compactMap(\.self).filter { !$0.isEmpty }
        return headings.isEmpty || directions.contains { Self.leads(headings, to: $0) }
    }

    /// The values of `directions` that none of these departures has.
    public func unknownDirections(among departures: [Departure]) -> [String] {
        directions.filter { direction in
            !departures.contains { Self.leads($0.headings.compactMap(\.self), to: direction) }
        }
    }

    /// Whether one of the headings has these words: "heathrow" is in "Heathrow Terminal 5", but not in "Heathrowville".
    private static func leads(_ headings: [String], to direction: String) -> Bool {
        // The number of a direction is not that of a terminal.
        guard direction.contains(where: \.isLetter) else { return headings.contains(direction) }
        let words = Folding.words(direction)
        return !words.isEmpty && headings.contains { Folding.words($0).contains(words) }
    }

    private func matches(platform: String) -> Bool {
        // Some operators write only the number, some a phrase ("Northbound - Platform 4").
        let number = platform.split(separator: " ").last.map(String.init) ?? platform
        return platforms.isEmpty || platforms.contains { [platform, number].hasText($0) }
    }

    /// The departures that the request fetches. Platforms and directions only filter them.
    public var query: DepartureQuery { DepartureQuery(stop: stop, lines: lines, towards: towards) }

    public func matches(_ line: Line) -> Bool { lines.isEmpty || lines.contains(where: line.isCalled) }
}

/// The departures that requests fetch: a response to one request is valid for every other with the same query.
public struct DepartureQuery: Hashable, Sendable {
    public let stop: StopID
    public let lines: [String]
    public let towards: [String]

    public init(stop: StopID, lines: [String] = [], towards: [String] = []) {
        self.stop = stop
        self.lines = lines
        self.towards = towards
    }
}

extension [String] {
    /// Whether the array contains `text`, ignoring case.
    fileprivate func hasText(_ text: String) -> Bool {
        let folded = text.lowercased()
        return contains { $0.lowercased() == folded }
    }
}

/// The next departure when a response has none, from an operator whose timetable is available.
public enum NextDeparture: Hashable, Sendable, Codable {
    /// A later departure of the current service day.
    case laterToday(Timestamp)
    /// The first departure of another service day; the last one of this day has left.
    case nextDay(Timestamp)

    public var time: Timestamp {
        switch self {
        case .laterToday(let time), .nextDay(let time): time
        }
    }
}

public struct FeedResponse: Hashable, Sendable {
    /// The stop, with the operator's name and letter.
    public let stop: Stop
    /// The departures in any order; empty when nothing is predicted.
    public let departures: [Departure]
    /// All alerts that the operator reports now; alerts of earlier responses that are missing here are over. The feed
    /// removes alerts for lines outside the request.
    public let alerts: [Alert]
    /// Whether the operator withholds departures: an empty list then does not mean that nothing is predicted.
    public let isWithheld: Bool
    /// The next departure that matches the request, if `departures` has none and the timetable is available: the first
    /// of the morning, for example, or of a timetable that has not begun.
    public let next: NextDeparture?
    /// The end of the operator's timetable: the absence of departures after it does not mean that nothing runs. Nil:
    /// there is no timetable, or its end is not reported.
    public let timetableEndsAt: Timestamp?
    /// Why part of the response is missing, such as the realtime data; nil: complete.
    public let partialFailure: FeedError?
    /// The number of malformed rows, which are not in `departures`.
    public let badRows: Int
    /// The number of HTTP requests that the response took.
    public var requests: Int
    /// The age of the data where one transfer serves several requests; shorter than the feed's interval.
    public let age: Duration

    public init(
        stop: Stop, departures: [Departure], alerts: [Alert] = [], isWithheld: Bool = false, next: NextDeparture? = nil,
        timetableEndsAt: Timestamp? = nil, partialFailure: FeedError? = nil, badRows: Int = 0, requests: Int = 1,
        age: Duration = .zero
    ) {
        self.stop = stop
        self.departures = departures
        self.alerts = alerts
        self.isWithheld = isWithheld
        self.next = next
        self.timetableEndsAt = timetableEndsAt
        self.partialFailure = partialFailure
        self.badRows = badRows
        self.requests = requests
        self.age = age
    }
}

/// The name of a feed in configuration and stop identifiers: `tfl`, `gtfs.lametro`.
public struct FeedName: Hashable, Sendable, CustomStringConvertible {
    public let description: String

    public init(_ name: String) { description = name }
}

/// The result of checking one of a feed's data sources, such as an address of its operator.
public struct SourceCheck: Hashable, Sendable {
    public enum Outcome: Hashable, Sendable {
        /// The source is valid; the text describes its content.
        case ok(String)
        /// The source was read and needs action: what was found and the remedy, without a full stop.
        case fault(String)
        /// The source could not be read.
        case failed(FeedError)
    }

    public let name: String
    public let outcome: Outcome

    public init(name: String, outcome: Outcome) {
        self.name = name
        self.outcome = outcome
    }
}

/// The result of checking a stop that exists at its operator.
public struct StopCheck: Hashable, Sendable {
    public enum Subject: Hashable, Sendable {
        /// The operator's own record of the stop.
        case stop
        /// A response with the stop's departures, which some operators also send for a stop that they do not have.
        case departures
    }

    public let subject: Subject
    /// The operator's name of the stop; nil: not reported.
    public let name: String?
    /// The lines that ``DepartureFeed/departures(_:)`` can return, due or not, in the operator's order; nil: the
    /// operator reports only lines that are due.
    public let lines: [Line]?

    /// The zone of the stop's clocks; nil: not reported.
    public let zone: Zone?

    public init(_ subject: Subject = .stop, name: String? = nil, lines: [Line]?, zone: Zone? = nil) {
        self.subject = subject
        self.name = name
        self.lines = lines
        self.zone = zone
    }
}
