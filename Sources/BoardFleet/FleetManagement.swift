import BoardCore
public import BoardService
public import BoardStore
import Synchronization

extension FleetService: FleetManagement {
    private static let acknowledgementTimeout = Duration.seconds(5)
    private static let noFleet = ServiceError(
        .notFound, "this board has no fleet: set broker in [fleet] of boardd.toml (docs/fleet.md)")

    public func fleet() async throws(ServiceError) -> FleetReport {
        let report = state.withLock { state -> FleetReport? in
            guard let member = state.session.member, let broker = state.session.options.broker else { return nil }
            let moment = moment(state)
            return FleetReport(
                board: member.name, broker: broker.description, isConnected: member.isConnected,
                patience: member.patience.written, error: state.session.failure?.detail,
                boards: member.boardEntries, responses: member.responses(at: moment.now), list: state.session.list,
                faults: state.session.rejected.filter(\.isFault).sorted().map(\.description)
                    + member.clockFaults.sorted().map { "the clock of \($0) is ahead of the clock of this board" }
                    + (member.hasTooManyQueries
                        ? ["the boards have more queries than a hub can poll; the last of them are not polled"] : [])
                    + state.session.unused.map { "a message is not used: \($0)" })
        }
        guard let report else { throw Self.noFleet }
        return report
    }

    public func forgetBoard(_ name: FleetName) async throws(ServiceError) {
        let (client, isKnown, isConnected) = state.withLock { state in
            (state.session.client, state.session.member?.peers[name] != nil, state.session.member?.isConnected ?? false)
        }
        guard let client else { throw Self.noFleet }
        guard isConnected else {
            throw ServiceError(.unavailable, "there is no connection to the broker: boardd fleet")
        }
        guard isKnown else {
            throw ServiceError(.notFound, "the broker has no board \(name): boardd fleet lists them")
        }
        // The status last: a board that is online then sends everything again.
        let status = FleetTopic.status(name).text
        for topic in [
            FleetTopic.queries(name).text, FleetTopic.state(name).text, DiscoveryMessage.topic(of: name), status,
        ] {
            if topic == status { state.withLock { $0.session.member?.peers[name] = nil } }
            switch await acknowledgement(of: BrokerMessage(topic: topic, payload: [], isRetained: true), by: client) {
            case true?: break
            case false?:
                throw ServiceError(
                    .notAllowed,
                    "the broker does not let this board use \(topic): run it on the hub, or extend the ACL (docs/fleet.md)"
                )
            case nil: throw ServiceError(.unavailable, "the broker did not respond: boardd fleet")
            }
        }
    }

    /// Sends a message; returns whether the broker accepted it, nil: it did not respond.
    private func acknowledgement(of message: BrokerMessage, by client: BrokerClient) async -> Bool? {
        let (stream, continuation) = AsyncStream.makeStream(of: Bool.self, bufferingPolicy: .bufferingOldest(1))
        state.withLock { $0.session.acknowledging[message.topic] = continuation }
        client.publish(message)
        return await clock.first(of: stream, within: Self.acknowledgementTimeout)
    }

    public func joinList(_ choice: FleetJoin) async throws(ServiceError) -> FleetReport {
        guard state.withLock({ $0.session.list != nil }) else {
            throw ServiceError(.notFound, "this board shares no list: set list in [fleet] of boardd.toml")
        }
        let failure = await withCheckedContinuation { send(.join(choice, $0)) }
        if let failure { throw ServiceError(.conflict, failure) }
        return try await fleet()
    }
}

extension FleetMember {
    /// This board and all others, by name.
    fileprivate var boardEntries: [FleetReport.BoardEntry] {
        let own = FleetReport.BoardEntry(
            name: name, isOnline: isConnected, isHub: patience.isHub, patience: patience.written, version: version)
        let others = peers.filter { !$0.value.status.session.isEmpty }.map { name, peer in
            FleetReport.BoardEntry(
                name: name, isOnline: peer.status.state == .online, isHub: peer.status.isHub,
                patience: peer.status.patience, version: peer.status.version)
        }
        return ([own] + others).sorted { $0.name < $1.name }
    }

    /// The last responses to the queries of this board.
    fileprivate func responses(at now: Instant) -> [FleetReport.Response] {
        own.map { key, poll in
            let shared = queries[key]
            let failed = shared?.failure ?? shared?.latest?.response
            return FleetReport.Response(
                stop: poll.request.stop, lines: poll.request.lines, towards: poll.request.towards,
                by: shared?.latest?.response.by,
                ageSeconds: (shared?.latest?.requestedAt).map { (now - $0) / .seconds(1) },
                error: failed?.error.map { "\($0.detail) (\(failed?.by.description ?? ""))" })
        }.sorted { $0.stop.description < $1.stop.description }
    }
}
