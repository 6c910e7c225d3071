internal import BoardCore
internal import BoardService

/// The next departures of a favourite, as a board's state has them.
struct StopSummary: Hashable, Sendable {
    /// What is published as soon as it changes.
    struct Essence: Hashable, Sendable {
        let stop: StopID
        let status: StopState.Status
        /// In minutes.
        let next: Int64?
        let line: String?
        let destination: String?
        let platform: String?
        let departureStatus: StopDepartures.Entry.Status?
        let isStale: Bool?
    }

    private static let listLength = 10

    let id: StopID
    let payload: StatePayload.Stop
    let essence: Essence
    let nextChange: Timestamp?

    /// - Parameter machineOffset: the UTC offset of departures without one, in seconds.
    init(
        _ departures: StopDepartures, of favourite: Favourite, title: String?, at moment: Timestamp, machineOffset: Int
    ) {
        let candidates = departures.departures.filter { favourite.shows($0, at: moment) }
        let sorted = candidates.enumerated().sorted { ($0.element.due, $0.offset) < ($1.element.due, $1.offset) }
        let entries = sorted.map(\.element)
        let next = entries.first { $0.time != nil && favourite.canCatch($0, at: moment) }
        let leave = next?.time.flatMap { time in favourite.walk.map { time - $0 } }
        func written(_ time: Timestamp?, _ entry: StopDepartures.Entry?) -> String? {
            time.map { $0.rfc3339(offset: entry?.utcOffsetSeconds ?? machineOffset) }
        }
        id = favourite.stop
        payload = StatePayload.Stop(
            next: written(next?.time, next), leave: written(leave, next),
            attributes: StatePayload.Attributes(
                stop: departures.stop, name: title ?? departures.name, status: departures.status.rawValue,
                attribution: departures.attribution, line: next?.line, destination: next?.destination,
                platform: next?.platform, departureStatus: next?.status.rawValue,
                madeAt: written(next?.madeAt.timestamp, next),
                age: (next?.madeAt.timestamp).map { max(0, Int((moment - $0) / .seconds(1))) }, isStale: next?.isStale,
                departures: entries.prefix(Self.listLength).map { entry in
                    StatePayload.Departure(
                        line: entry.line, destination: entry.destination, platform: entry.platform,
                        status: entry.status.rawValue, time: written(entry.time, entry),
                        isStale: entry.isStale ? true : nil)
                }))
        essence = Essence(
            stop: favourite.stop, status: departures.status, next: next?.time.map { $0.seconds / 60 }, line: next?.line,
            destination: next?.destination, platform: next?.platform, departureStatus: next?.status,
            isStale: next?.isStale)
        // Of the next departure alone: the list is made again with the next response.
        let ends = next.map { [$0.expiresAt.timestamp, $0.isStale ? nil : $0.staleAt?.timestamp] } ?? []
        // In the second after it, a person who sets out misses the departure.
        let missed = leave.map { $0 + .seconds(1) }
        nextChange = (ends + [missed]).compactMap(\.self).filter { $0 > moment }.min()
    }
}

extension Favourite {
    /// Whether a departure passes the filters and has not expired.
    fileprivate func shows(_ entry: StopDepartures.Entry, at moment: Timestamp) -> Bool {
        let isOfInterest =
            request.matches(Line(id: entry.lineID, name: entry.line))
            && request.matches(platform: entry.platform, direction: entry.direction)
        return isOfInterest && entry.expiresAt.timestamp > moment
            && (uncatchable != .hide || canCatch(entry, at: moment))
    }

    /// Whether a person who sets out at `moment` catches it; true where the time is unknown.
    fileprivate func canCatch(_ entry: StopDepartures.Entry, at moment: Timestamp) -> Bool {
        guard let walk, let time = entry.time else { return true }
        return time - walk >= moment
    }
}

extension StopDepartures.Entry {
    /// When it leaves; nil: cancelled, or delayed without an estimate.
    fileprivate var time: Timestamp? { expected?.timestamp }

    /// Orders the list.
    fileprivate var due: Timestamp { (expected ?? scheduled ?? expiresAt).timestamp }
}

extension Timestamp {
    /// RFC 3339 with a UTC offset in seconds, rounded down to whole seconds: "2026-11-24T18:04:05+01:00".
    func rfc3339(offset: Int) -> String {
        let local = Timestamp(seconds: seconds + Int64(offset)).rfc3339.dropLast()
        let minutes = abs(offset) / 60
        return "\(local)\(offset < 0 ? "-" : "+")\((minutes / 60).padded(to: 2)):\((minutes % 60).padded(to: 2))"
    }
}
