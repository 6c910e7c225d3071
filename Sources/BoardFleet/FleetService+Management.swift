public import BoardCore
public import BoardService
internal import Synchronization

extension FleetService: FleetManagement {
    private static let noFleet = ServiceError(
        .notFound, "this board has no fleet: set broker in [fleet] of boardd.toml (docs/fleet.md)")

    public func fleet() async throws(ServiceError) -> FleetReport {
        let report = state.withLock { state -> FleetReport? in
            guard let member = state.member, let broker = state.options.broker else { return nil }
            let moment = moment(state)
            return FleetReport(
                board: member.name, broker: broker.description, isConnected: member.isConnected,
                patience: member.patience.written, error: state.failure?.detail,
                boards: member.boardEntries, responses: member.responses(at: moment.now), list: nil,
                faults: state.rejected.sorted().map { "the broker does not permit \($0) to this board" }
                    + member.clockFaults.sorted().map { "the clock of \($0) is ahead of the clock of this board" })
        }
        guard let report else { throw Self.noFleet }
        return report
    }

    public func forgetBoard(_ name: FleetName) async throws(ServiceError) {
        let (client, isKnown, isConnected) = state.withLock { state in
            (state.client, state.member?.peers[name] != nil, state.member?.isConnected ?? false)
        }
        guard let client else { throw Self.noFleet }
        guard isConnected else {
            throw ServiceError(.unavailable, "there is no connection to the broker: boardd fleet")
        }
        guard isKnown else {
            throw ServiceError(.notFound, "the broker has no board \(name): boardd fleet lists them")
        }
        for topic in [FleetTopic.status(name), .queries(name), .state(name)] {
            client.publish(BrokerMessage(topic: topic.text, payload: [], isRetained: true))
        }
        state.withLock { $0.member?.peers[name] = nil }
    }

    public func joinList(_ choice: FleetJoin) async throws(ServiceError) -> FleetReport {
        throw Self.noFleet
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
