import BoardCore
import BoardService
import BoardStore

/// What a board publishes about itself for people and Home Assistant.
///
/// Publish it when it ``differs(from:)`` the last one, and otherwise every ``republishAfter``. Make it again at
/// ``nextChange``, when a departure expires, becomes stale or can no longer be caught.
struct StateMessage: Hashable, Sendable {
    static let republishAfter = Duration.seconds(120)
    /// In bytes. Home Assistant stores no attributes of an entity beyond 16,384 bytes.
    static let maximumPayloadSize = 12_000
    /// How long the broker delivers it: Home Assistant takes any message to be fresh.
    private static let expiry = Duration.seconds(600)

    let payload: StatePayload
    /// The board's time when it was made.
    let moment: Timestamp
    /// Nil: none of these is known.
    let nextChange: Timestamp?

    /// - Parameters:
    ///   - live: the state of the running board.
    ///   - favourites: those of the board, in its order, with their filters and walking times.
    init(_ live: LiveState, favourites: [Favourite]) {
        let moment = live.time
        self.moment = moment
        let stops = favourites.prefix(DiscoveryMessage.maximumStops).compactMap { favourite in
            live.stops.first { $0.stop == favourite.stop }.map {
                StopSummary(
                    $0, of: favourite, title: live.pages.first { $0.id == favourite.stop.description }?.title,
                    at: moment, machineOffset: live.utcOffsetSeconds)
            }
        }
        let view = live.display.page
        payload = StatePayload(
            time: moment.rfc3339(offset: live.utcOffsetSeconds), light: live.display.light.rawValue,
            page: view.isRotating ? nil : BoardPages(live.pages).name(of: view.id),
            problem: .init(live.sentences),
            stops: Dictionary(stops.map { (ComponentID.key(of: $0.id), $0.payload) }) { first, _ in first })
        nextChange = stops.compactMap(\.nextChange).min()
    }

    /// Whether a minute, a line or a fact has changed.
    func differs(from other: StateMessage) -> Bool { payload.essence != other.payload.essence }

    func message(of board: FleetName) -> BrokerMessage {
        BrokerMessage(
            topic: FleetTopic.state(board).text, payload: payload.json(atMost: Self.maximumPayloadSize),
            isRetained: true,
            expiry: Self.expiry)
    }
}

extension LiveState {
    /// What prevents the board from working, one sentence each.
    fileprivate var sentences: [String] {
        let board = [
            faults.configuration.map { "configuration: fault at \($0)" }, faults.display.map { "display: \($0)" },
            faults.buttons.map { "buttons: \($0)" },
        ]
        let stops = stops.map { stop -> String? in
            let title = pages.first { $0.id == stop.stop.description }?.title ?? stop.name
            // A single failed request is not a problem while there are departures: the display does not show it either.
            guard [.failing, .frozen].contains(stop.status), let notice = stop.notice else { return nil }
            return "\(title): \(stop.status == .failing ? stop.lastError?.detail ?? notice : notice)"
        }
        return (board + stops).compactMap(\.self).map { String($0.asPrintedLine.prefix(maximumSentenceLength)) }
    }
}

private let maximumSentenceLength = 200

/// The JSON of a board's state. Times are RFC 3339 with the local UTC offset, without fractions of seconds. Keys
/// without a value are absent.
struct StatePayload: Hashable, Sendable, Encodable {
    struct Stop: Hashable, Encodable {
        /// When the next departure leaves that a person who leaves now can catch, if need be at a run.
        var next: String?
        /// When to leave for it: in the past while a run catches it; absent where no favourite has a walking time.
        var leave: String?
        var attributes: Attributes
    }

    /// What comes with the next departure. Home Assistant stores at most 16,384 bytes of attributes.
    struct Attributes: Hashable, Encodable {
        let stop: String
        let name: String
        /// Of the stop's feed: live, loading, frozen, failing.
        let status: String
        let attribution: String
        var line: String?
        var destination: String?
        var platform: String?
        /// expected, scheduled.
        var departureStatus: String?
        /// When the operator made the estimate, and how many seconds ago that was.
        var madeAt: String?
        var age: Int?
        /// Whether the display marks the estimate as stale.
        var isStale: Bool?
        /// As in the list.
        var lateMinutes: Int?
        var facts: [String]?
        var departures: [Departure]

        enum CodingKeys: String, CodingKey {
            case stop, name, status, attribution, line, destination, platform, age, facts, departures
            case departureStatus = "departure_status"
            case madeAt = "made_at"
            case isStale = "stale"
            case lateMinutes = "late_minutes"
        }
    }

    struct Departure: Hashable, Encodable {
        let line: String
        let destination: String
        let platform: String?
        /// expected, scheduled, delayed, cancelled.
        let status: String
        let time: String?
        /// When to leave for it.
        let leave: String?
        /// Absent: no.
        let isStale: Bool?
        /// How many minutes later than booked; absent: on time, or not known.
        let lateMinutes: Int?
        /// What its row on the display says besides; absent: nothing.
        let facts: [String]?

        enum CodingKeys: String, CodingKey {
            case line, destination, platform, status, time, leave, facts
            case isStale = "stale"
            case lateMinutes = "late_minutes"
        }
    }

    struct Problem: Hashable, Encodable {
        struct Attributes: Hashable, Encodable {
            let faults: [String]
        }

        /// As Home Assistant's binary sensors read it.
        let state: String
        let attributes: Attributes

        init(_ faults: [String]) {
            state = faults.isEmpty ? "OFF" : "ON"
            attributes = Attributes(faults: faults)
        }
    }

    var time: String
    let light: String
    /// The name of the page in view; absent while the pages rotate, and while the address of the web page is shown.
    let page: String?
    let problem: Problem
    var stops: [String: Stop]

    /// What is published as soon as it changes: the time to the minute, and no ages and lists. Estimates move by seconds
    /// with every response.
    var essence: StatePayload {
        var essence = self
        essence.time = ""
        essence.stops = stops.mapValues { stop in
            var stop = stop
            stop.next = stop.next.map { String($0.prefix("2026-11-24T18:04".count)) }
            stop.leave = nil
            stop.attributes.madeAt = nil
            stop.attributes.age = nil
            stop.attributes.departures = []
            return stop
        }
        return essence
    }

    /// The payload in at most `size` bytes: the lists are shortened, the longest first, then the stops are left out.
    func json(atMost size: Int) -> [UInt8] {
        var payload = self
        let longest = stops.values.map(\.attributes.departures.count).max() ?? 0
        for length in stride(from: longest, through: 0, by: -1) {
            payload.stops = payload.stops.mapValues { stop in
                var stop = stop
                stop.attributes.departures = Array(stop.attributes.departures.prefix(length))
                return stop
            }
            let json = StableJSON.bytes(payload)
            if json.count <= size { return json }
        }
        payload.stops = [:]
        return StableJSON.bytes(payload)
    }
}

/// The next departures of a favourite in a board's state.
struct StopSummary: Hashable, Sendable {
    private static let listLength = 10

    let id: StopID
    let payload: StatePayload.Stop
    let nextChange: Timestamp?

    /// - Parameter machineOffset: the UTC offset of departures without one, in seconds.
    init(_ report: StopReport, of favourite: Favourite, title: String?, at moment: Timestamp, machineOffset: Int) {
        let candidates = report.departures.filter { $0.passesFilters && $0.goneAt > moment }
        let sorted = candidates.enumerated().sorted {
            ($0.element.departure.due, $0.offset) < ($1.element.departure.due, $1.offset)
        }
        let entries = sorted.map(\.element)
        let reported = entries.first { $0.departure.status.time != nil }
        let next = reported?.departure
        let isStale = next.map { $0.freshness(at: moment) == .stale }
        func written(_ time: Timestamp?, _ departure: Departure?) -> String? {
            time.map { $0.rfc3339(offset: departure?.utcOffset ?? machineOffset) }
        }
        func facts(_ entry: ReportedDeparture) -> [String]? { entry.facts.isEmpty ? nil : entry.facts }
        id = favourite.stop
        payload = StatePayload.Stop(
            next: written(next?.status.time, next), leave: written(reported?.leaveBy, next),
            attributes: StatePayload.Attributes(
                stop: report.stop.description, name: title ?? report.name, status: report.status.rawValue,
                attribution: report.attribution, line: next?.line.name, destination: next?.destination,
                platform: next?.platform, departureStatus: next?.status.kind.rawValue,
                madeAt: written(next?.madeAt, next),
                age: (next?.madeAt).map { max(0, Int((moment - $0) / .seconds(1))) }, isStale: isStale,
                lateMinutes: reported?.lateMinutes, facts: reported.flatMap(facts),
                departures: entries.prefix(Self.listLength).map { entry in
                    StatePayload.Departure(
                        line: entry.departure.line.name, destination: entry.departure.destination,
                        platform: entry.departure.platform, status: entry.departure.status.kind.rawValue,
                        time: written(entry.departure.status.time, entry.departure),
                        leave: written(entry.leaveBy, entry.departure),
                        isStale: entry.departure.freshness(at: moment) == .stale ? true : nil,
                        lateMinutes: entry.lateMinutes, facts: facts(entry))
                }))
        // Only of the next departure: the list is made again with the next response.
        nextChange = [reported?.goneAt, next?.staleAt].compactMap(\.self).filter { $0 > moment }.min()
    }
}

extension Timestamp {
    /// RFC 3339, rounded down to whole seconds, with this UTC offset in seconds: "2026-11-24T18:04:05+01:00".
    func rfc3339(offset: Int) -> String {
        let local = Timestamp(seconds: seconds + Int64(offset)).rfc3339.dropLast()
        let minutes = abs(offset) / 60
        return "\(local)\(offset < 0 ? "-" : "+")\((minutes / 60).padded(to: 2)):\((minutes % 60).padded(to: 2))"
    }
}
