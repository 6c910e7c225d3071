import BoardCore
import BoardService
import FoundationEssentials

/// Server-sent events (WHATWG HTML §9.2) for one client: the whole state first, then what changed.
///
/// Each batch is read when the client can receive it: a slow client gets the newest state, and nothing is queued for it.
package actor EventStream {
    private let feed: LiveFeed
    private var changes: AsyncStream<UInt64>?
    private var version: UInt64?
    private var isAllowed: @Sendable () async -> Bool = { true }

    /// - Parameter version: that of the state which the client has; nil: none.
    init(_ feed: LiveFeed, after version: UInt64? = nil) {
        self.feed = feed
        self.version = version
    }

    /// Sets what decides before each batch whether the client may still have it: permission may end during a stream.
    func check(_ isAllowed: @escaping @Sendable () async -> Bool) { self.isAllowed = isAllowed }

    /// The next events; nil if the client may have no more, or the board or the task has ended.
    func next() async -> [UInt8]? {
        while !Task.isCancelled {
            var change: UInt64?
            if let changes {
                change = await changes.first { _ in true }
                if change == nil { return nil }
            } else {
                changes = feed.board.changes()
            }
            guard await isAllowed(), let events = await feed.events(after: version, change: change) else { return nil }
            version = events.version
            if !events.text.isEmpty { return Array(events.text.utf8) }
        }
        return nil
    }
}

extension LiveState {
    /// The whole state.
    var event: String { Self.event("state", self) }

    /// What changed since this state; empty: nothing but what follows from the time. The display comes first.
    func events(to new: LiveState) -> String {
        guard name == new.name, timeSource == new.timeSource, utcOffsetSeconds == new.utcOffsetSeconds,
            stops.map(\.stop) == new.stops.map(\.stop),
            let picture = DisplayChange(to: new.display, after: display, at: new.time)
        else { return new.event }
        var events = display == new.display ? "" : Self.event("display", picture)
        if pages != new.pages { events += Self.event("pages", new.pages) }
        for (old, stop) in zip(stops, new.stops) { events += old.events(to: stop) }
        if favourites != new.favourites { events += Self.event("favourites", new.favourites) }
        if changes != new.changes { events += Self.event("changes", new.changes ?? []) }
        if faults != new.faults { events += Self.event("faults", new.faults) }
        return events
    }

    /// JSON has no line breaks, so it is one line of data. What cannot be written as JSON is left out.
    fileprivate static func event(_ name: String, _ value: some Encodable) -> String {
        (try? ControlResponse.text(value)).map { "event: \(name)\ndata: \($0)\n\n" } ?? ""
    }

    /// The data of a `display` event: what changed.
    private struct DisplayChange: Encodable {
        let time: Timestamp
        /// From the top; nil: as before.
        let rows, strips: [String?]
        let lit: Bool?
        let page: PageInView?
        let light: LightMode?
        let isResponding: Bool?

        /// Nil: it is another display.
        init?(to new: DisplayPicture, after old: DisplayPicture, at time: Timestamp) {
            guard (old.dots.panel, old.dots.width) == (new.dots.panel, new.dots.width),
                old.dots.strips.count == new.dots.strips.count, old.rows.count == new.rows.count,
                old.isResponding == nil || new.isResponding != nil
            else { return nil }
            self.time = time
            rows = zip(old.rows, new.rows).map { $0 == $1 ? nil : $1 }
            strips = zip(old.dots.strips, new.dots.strips).map { $0 == $1 ? nil : $1 }
            lit = old.lit == new.lit ? nil : new.lit
            page = old.page == new.page ? nil : new.page
            light = old.light == new.light ? nil : new.light
            isResponding = old.isResponding == new.isResponding ? nil : new.isResponding
        }
    }
}

extension StopReport {
    /// As most responses do, one may change only the departures and when it arrived.
    fileprivate func events(to new: StopReport) -> String {
        var renewed = self
        renewed.time = new.time
        renewed.nextPollAt = new.nextPollAt
        renewed.lastResponseAt = new.lastResponseAt
        renewed.departures = new.departures
        guard renewed == new else { return LiveState.event("stop", new) }
        let (old, departures) = (departures.map(\.atAnyTime), new.departures.map(\.atAnyTime))
        let isSame = old == departures
        if isSame, lastResponseAt == new.lastResponseAt { return "" }
        return LiveState.event(
            "departures",
            DeparturesChange(
                stop: stop, lastResponseAt: new.lastResponseAt,
                departures: isSame ? nil : departures.map { .init($0, after: old) }))
    }
}

/// The data of a `departures` event.
private struct DeparturesChange: Encodable {
    /// A departure of the new list.
    enum Item: Encodable {
        /// The one that had this index before, unchanged.
        case same(Int)
        case estimated(Estimate)
        case new(ReportedDeparture)

        init(_ departure: ReportedDeparture, after old: [ReportedDeparture]) {
            let index = old.firstIndex {
                $0.departure.vehicle == departure.departure.vehicle && $0.departure.line == departure.departure.line
                    && $0.estimated(as: departure) == departure
            }
            if let index, old[index] == departure {
                self = .same(index)
            } else if let index, let estimate = Estimate(of: departure, after: old[index], index) {
                self = .estimated(estimate)
            } else {
                self = .new(departure)
            }
        }

        func encode(to encoder: any Encoder) throws {
            switch self {
            case .same(let index): try index.encode(to: encoder)
            case .estimated(let estimate): try estimate.encode(to: encoder)
            case .new(let departure): try departure.encode(to: encoder)
            }
        }
    }

    /// The departure that had an index before, with those moments that changed.
    struct Estimate: Encodable {
        let was: Int
        let expected, madeAt, staleAt, expiresAt, goneAt, leaveBy: Timestamp?
        let hold: ReportedDeparture.Hold?

        /// Nil: it has a moment less than before.
        init?(of new: ReportedDeparture, after old: ReportedDeparture, _ index: Int) {
            func changed<Value: Equatable>(_ path: KeyPath<ReportedDeparture, Value?>) -> Value? {
                new[keyPath: path] == old[keyPath: path] ? nil : new[keyPath: path]
            }
            was = index
            expected = changed(\.departure.status.time)
            madeAt = changed(\.departure.madeAt.asOptional)
            staleAt = changed(\.departure.staleAt)
            expiresAt = changed(\.departure.expiresAt.asOptional)
            goneAt = changed(\.goneAt.asOptional)
            leaveBy = changed(\.leaveBy)
            hold = changed(\.hold)
            let (before, after) = (old.departure, new.departure)
            guard before.status.kind == after.status.kind, before.staleAt == nil || after.staleAt != nil,
                old.leaveBy == nil || new.leaveBy != nil, old.hold == nil || new.hold != nil
            else { return nil }
        }
    }

    let stop: StopID
    let lastResponseAt: Timestamp?
    /// Nil: as before.
    let departures: [Item]?
}

extension Timestamp {
    fileprivate var asOptional: Timestamp? { self }
}

extension ReportedDeparture {
    /// Without the number of minutes, which changes with the time alone.
    fileprivate var atAnyTime: ReportedDeparture {
        var departure = self
        departure.minutes = nil
        return departure
    }
}
