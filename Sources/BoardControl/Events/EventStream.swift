import BoardCore
package import BoardService
import FoundationEssentials

/// Server-sent events (WHATWG HTML §9.2) for one client: the whole state first, then what changed.
///
/// Each batch is computed when the client can receive it, from the state at that time: a slow client gets the newest,
/// and nothing is queued for it.
package actor EventStream {
    /// The maximum number of batches in any ``window``. A limit on single events would delay the display after a
    /// response that changes several stops.
    static let maximumBatches = 4
    static let window = Duration.seconds(1)

    private let board: any RunningBoard
    private let changes: AsyncStream<Void>
    private var last: Sent?
    private var isAllowed: @Sendable () async -> Bool = { true }
    /// When the last batches were sent.
    private var sent: [Instant] = []

    package init(_ board: any RunningBoard) {
        self.board = board
        changes = board.changes()
    }

    /// Sets what decides before each batch whether the client may still have it: permission may end during a stream.
    func check(_ isAllowed: @escaping @Sendable () async -> Bool) { self.isAllowed = isAllowed }

    /// The next events; nil if the client may have no more, or the board or the task has ended.
    func next() async -> [UInt8]? {
        while !Task.isCancelled {
            if last != nil {
                guard await changes.first(where: { true }) != nil, await awaitsLimit() else { return nil }
            }
            guard await isAllowed(), let state = try? await board.live() else { return nil }
            let now = Sent(state)
            let events = last.map { state.events(from: $0, to: now) } ?? state.event.map { [$0] } ?? []
            last = now
            if events.isEmpty { continue }
            sent = (sent + [board.clock.now()]).suffix(Self.maximumBatches)
            return Array(events.joined().utf8)
        }
        return nil
    }

    /// Waits until the limit permits a batch. False: the task has ended.
    private func awaitsLimit() async -> Bool {
        guard sent.count == Self.maximumBatches, let first = sent.first else { return true }
        await board.clock.sleep(until: first + Self.window)
        return !Task.isCancelled
    }
}

extension LiveState {
    /// The whole state; nil: it cannot be written as JSON.
    fileprivate var event: String? { Self.event("state", self) }

    /// What differs between the last state that a client received and this one. The display comes first.
    fileprivate func events(from old: Sent, to new: Sent) -> [String] {
        guard new.outline == old.outline else { return [event].compactMap(\.self) }
        var events: [String?] = []
        if new.display != old.display {
            events.append(Self.event("display", DisplayChange(time: time, display: display)))
        }
        for (index, stop) in stops.enumerated() where new.stops[index] != old.stops[index] {
            events.append(Self.event("stop", stop))
        }
        if new.favourites != old.favourites { events.append(Self.event("favourites", favourites)) }
        if new.changes != old.changes { events.append(Self.event("changes", changes ?? [])) }
        if new.faults != old.faults { events.append(Self.event("faults", faults)) }
        return events.compactMap(\.self)
    }

    /// JSON has no line breaks, so it is one line of data.
    private static func event(_ name: String, _ value: some Encodable) -> String? {
        (try? ControlResponse.text(value)).map { "event: \(name)\ndata: \($0)\n\n" }
    }

    /// The data of a `display` event.
    private struct DisplayChange: Encodable {
        let time: Timestamp
        let display: DisplayPicture
    }
}

/// Hash values of the parts of a state that a client received: the state itself takes tens of kilobytes a stream.
private struct Sent {
    /// Of what only the whole state contains: the name, how certain the time is, its offset, and which stops there are.
    let outline: Int
    let display: Int
    let stops: [Int]
    let favourites: Int
    let changes: Int
    let faults: Int

    init(_ state: LiveState) {
        var outline = Hasher()
        outline.combine(state.name)
        outline.combine(state.timeSource)
        outline.combine(state.utcOffsetSeconds)
        outline.combine(state.stops.map(\.stop))
        self.outline = outline.finalize()
        display = state.display.hashValue
        stops = state.stops.map {
            var stop = $0
            // A query at another time is not a change.
            stop.time = Timestamp(microseconds: 0)
            return stop.hashValue
        }
        favourites = state.favourites.hashValue
        changes = state.changes.hashValue
        faults = state.faults.hashValue
    }
}
