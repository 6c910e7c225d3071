internal import BoardCore
internal import Synchronization

// Tasks that wait for a response of another board.
extension FleetService {
    /// Wakes the tasks that wait for a query; without any, the board gets the response.
    func arrived(_ key: QueryKey) {
        let event = state.withLock { state -> Board.Event? in
            guard state.waiters[key]?.isEmpty ?? true else {
                Self.wake(key, &state)
                return nil
            }
            return state.event(for: key, at: clock.now())
        }
        if let event { hooks.report(event) }
    }

    static func wake(_ key: QueryKey, _ state: inout State) {
        for waiter in state.waiters[key]?.values.map(\.self) ?? [] { waiter.yield() }
    }

    /// Notices every message about a query, until ``end(_:)``.
    func changes(of key: QueryKey) -> QueryChanges {
        let (stream, continuation) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        let number = state.withLock { state in
            state.lastWaiter += 1
            state.waiters[key, default: [:]][state.lastWaiter] = continuation
            return state.lastWaiter
        }
        return QueryChanges(key: key, number: number, stream: stream)
    }

    func end(_ changes: QueryChanges) {
        state.withLock { state in
            state.waiters[changes.key]?[changes.number] = nil
            if state.waiters[changes.key]?.isEmpty ?? false { state.waiters[changes.key] = nil }
        }
    }
}

/// The messages about a query, without their contents.
struct QueryChanges: Sendable {
    let key: QueryKey
    fileprivate let number: Int
    let stream: AsyncStream<Void>

    fileprivate init(key: QueryKey, number: Int, stream: AsyncStream<Void>) {
        self.key = key
        self.number = number
        self.stream = stream
    }
}

extension FleetService.State {
    /// The event with the last response to a query of this board; nil: the board has it, or does not need it.
    fileprivate mutating func event(for key: QueryKey, at now: Instant) -> Board.Event? {
        guard let poll = member?.own[key], let latest = member?.queries[key]?.latest else { return nil }
        member?.queries[key]?.used()
        let stop = poll.request.stop
        do throws(FeedFailure) {
            return .polled(try latest.response.response(of: stop, age: now - latest.requestedAt))
        } catch {
            return .failed(stop, error)
        }
    }
}
