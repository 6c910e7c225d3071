/// One operator's departures: an edge of the house, live or recorded.
public protocol DepartureFeed: Sendable {
    /// What the feed declares of itself.
    var profile: FeedProfile { get }

    /// Asks the operator once. Cancelling the task abandons the question at once.
    ///
    /// - Parameter question: the stop, and what of it matters.
    /// - Returns: every departure that the operator told, in any order.
    func departures(_ request: FeedRequest) async throws(FeedFailure) -> FeedResponse

    /// Asks the operator about one run: its calling points, and where it is now.
    ///
    /// - Parameter departure: one that ``departures(_:)`` told of.
    /// - Returns: the run; nil when the operator tells no more of it than the departure says, or has forgotten it.
    func tripDetails(of departure: Departure) async throws(FeedFailure) -> TripDetails?

    /// Asks the operator which lines call at a stop: those that ``departures(_:)`` can tell of, whether or not one of
    /// them is due. For people who check what they wrote; the board never asks.
    ///
    /// - Returns: the lines in the operator's order; empty when the operator knows the stop and names no line.
    /// - Throws: ``FeedFailure``; of kind `unknownStop` when there is no such stop.
    func lines(at stop: StopID) async throws(FeedFailure) -> [Line]

    /// Asks once for each thing that the feed works from whatever stop it is asked about, such as a city's timetable. For
    /// people who check what they wrote, also before there is a favourite; the board never asks.
    ///
    /// - Returns: empty where every stop is a question of its own.
    func sources() async -> [SourceCheck]

    /// The name of the key with which ``tripDetails(of:)`` asks and nothing else does, so that a wrong one is noticed only there.
    /// Nil: there is none.
    var detailsKeyName: String? { get }

    /// What searches the operator's stops, where that is the operator itself; nil: its list is in the stop directory.
    var finder: (any StopFinder)? { get }
}

extension DepartureFeed {
    /// None: every stop is a question of its own.
    public func sources() async -> [SourceCheck] { [] }

    /// None: all questions are asked with the same key, or without.
    public var detailsKeyName: String? { nil }

    /// None: its list is kept, or it has none.
    public var finder: (any StopFinder)? { nil }
}

/// What a feed is asked.
public struct FeedRequest: Hashable, Sendable {
    /// The stop.
    public let stop: StopID
    /// The lines of interest; empty: all. A feed may ask for less because of them, never show less.
    public let lines: [String]
    /// Only departures that call there are wanted, by the operator's code of the stop ("PAD"); nil: all.
    public let towards: String?
    /// The platforms of interest; empty: all.
    public let platforms: [String]
    /// The directions of interest, in the operator's words; empty: all.
    public let directions: [String]
    /// What the stop is called, as far as that was written down: by that and by where it is an operator whose identifiers
    /// change finds it again.
    public let name: String?
    /// Where it is.
    public let location: Coordinates?

    /// A question about `stop`.
    public init(
        stop: StopID, lines: [String] = [], towards: String? = nil, platforms: [String] = [], directions: [String] = [],
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

    /// Whether what leaves from there, and goes that way, is of interest: also where neither is told.
    public func matches(platform: String?, direction: String?) -> Bool {
        let isThere =
            platform.map { platform in
                // Some operators write the number alone, some the whole phrase ("Northbound - Platform 4").
                let number = platform.split(separator: " ").last.map(String.init) ?? platform
                return platforms.isEmpty || platforms.contains { [platform, number].hasText($0) }
            } ?? true
        return isThere && direction.map { directions.isEmpty || directions.hasText($0) } ?? true
    }

    /// Whether the departures that answer another question answer this one as well: platforms and directions only choose among
    /// them.
    func hasSameDepartures(as other: FeedRequest) -> Bool {
        (stop, lines, towards) == (other.stop, other.lines, other.towards)
    }

    /// Whether a line is one of those of interest.
    public func matches(_ line: Line) -> Bool {
        lines.isEmpty || lines.contains(where: line.isCalled)
    }
}

extension [String] {
    /// Whether one of them is `text`, in any case.
    fileprivate func hasText(_ text: String) -> Bool {
        let folded = text.lowercased()
        return contains { $0.lowercased() == folded }
    }
}

/// The next departure where none is told before it, of an operator whose timetable is known.
public enum NextDeparture: Hashable, Sendable, Codable {
    /// One of the service day of which others have gone.
    case laterToday(Timestamp)
    /// The first of another service day: the last one has gone.
    case nextDay(Timestamp)

    /// When it departs.
    public var time: Timestamp {
        switch self {
        case .laterToday(let time), .nextDay(let time): time
        }
    }

    /// The same one, later by `shift`.
    func shifted(by shift: Duration) -> NextDeparture {
        switch self {
        case .laterToday(let time): .laterToday(time + shift)
        case .nextDay(let time): .nextDay(time + shift)
        }
    }
}

/// What an operator told about a stop.
public struct FeedResponse: Hashable, Sendable {
    /// The stop, with the name and letter that the operator gives it.
    public let stop: Stop
    /// The departures, in any order; empty when nothing is predicted.
    public let departures: [Departure]
    /// Everything that the operator wants people there to know now; those that it told before and tells no more are over.
    /// Those of other lines than the question's are left out by the feed, which knows what its lines are called.
    public let alerts: [Alert]
    /// Whether the operator keeps back what runs there: that it tells no departures does not mean that it predicts none.
    public let isWithheld: Bool
    /// The next one that the question asks for, where `departures` has none and the operator's timetable is known: the first
    /// of the morning, say, or of a timetable that has not begun.
    public let next: NextDeparture?
    /// Until when the operator's timetable reaches: that it tells no departures after that does not mean that none runs. Nil:
    /// the operator has none, or does not say.
    public let timetableEndsAt: Timestamp?
    /// Why a part of what the operator tells is missing, such as what it says about now; nil: nothing is.
    public let partialFailure: FeedFailure?
    /// Rows that could not be read and are not in `departures`.
    public let badRows: Int
    /// Requests that the answer cost.
    public let requests: Int
    /// How long ago the operator told it, where one answer of its serves several questions; shorter than the feed's interval.
    public let age: Duration

    /// An answer.
    public init(
        stop: Stop, departures: [Departure], alerts: [Alert] = [], isWithheld: Bool = false,
        next: NextDeparture? = nil, timetableEndsAt: Timestamp? = nil, partialFailure: FeedFailure? = nil,
        badRows: Int = 0,
        requests: Int = 1, age: Duration = .zero
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

    /// The same answer with every time moved by `shift`.
    public func shifted(by shift: Duration) -> FeedResponse {
        FeedResponse(
            stop: stop, departures: departures.map { $0.shifted(by: shift) },
            alerts: alerts.map { $0.shifted(by: shift) }, isWithheld: isWithheld,
            next: next?.shifted(by: shift), timetableEndsAt: timetableEndsAt.map { $0 + shift },
            partialFailure: partialFailure,
            badRows: badRows, requests: requests, age: age)
    }
}
