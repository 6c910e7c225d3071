import BoardCore
import BoardService
import BoardStore
import FoundationEssentials

// Messages from the broker.
extension FleetMember {
    /// The longest time that a broker holds back a live message: after it, a keepalive has failed.
    private static let maximumTransit = Duration.seconds(90)
    private static let maximumClockFaults = 16
    /// In bytes.
    private static let maximumStatusSize = 512
    /// Responses that arrive within this time belong to one round.
    private static let round = Duration.seconds(10)

    /// Applies a message. A payload that is not used becomes a sentence for the log, and changes nothing.
    mutating func received(_ message: BrokerMessage, at moment: Moment) -> [Effect] {
        if message.topic == DiscoveryMessage.statusTopic {
            // A retained one is older than the announcement, which Home Assistant receives anyway.
            return !message.isRetained && message.payload == Array("online".utf8) ? [.homeAssistantStarted] : []
        }
        guard let topic = FleetTopic(message.topic) else { return [] }
        do {
            switch topic {
            case .status(let board): return try takeStatus(message, of: board, at: moment.now)
            case .queries(let board): return try takeQueries(message, of: board)
            case .response(let key): return try takeResponse(message, to: key, at: moment)
            case .fetching(let key):
                guard !message.isRetained, polls[key] != nil else { return [] }
                queries[key, default: SharedQuery(at: moment.now, randomPart: random())].isFetched(at: moment.now)
                return [.changed(key)]
            case .command(let board, let command):
                // A retained command would be performed again at each connection.
                guard board == name, !message.isRetained else { return [] }
                return [.command(try FleetCommand(command, payload: message.payload))]
            case .list(let list):
                guard list == self.list else { return [] }
                // Before it waits in memory.
                guard message.payload.count <= Self.maximumPayloadSize else {
                    throw PlainError(
                        "\(message.payload.count) bytes are more than the limit of \(Self.maximumPayloadSize)")
                }
                return [.list(message)]
            case .state, .button: return []
            }
        } catch {
            return [.unused("\(message.topic.prefix(200)): \(error)")]
        }
    }

    private static func decoded<Value: Decodable>(
        _ type: Value.Type, _ payload: [UInt8], atMost limit: Int = maximumPayloadSize
    ) throws -> Value {
        guard payload.count <= limit else {
            throw PlainError("\(payload.count) bytes are more than the limit of \(limit)")
        }
        do {
            return try JSONDecoder().decode(type, from: Data(payload))
        } catch {
            throw PlainError("the payload is not JSON of this version of the fleet")
        }
    }

    private mutating func takeStatus(
        _ message: BrokerMessage, of board: FleetName, at now: Instant
    ) throws -> [Effect] {
        guard board != name else { return takeOwnStatus(message, at: now) }
        let (old, hadHub) = (peers[board], hasHub)
        if message.payload.isEmpty {
            peers[board] = nil
        } else {
            let status = try Self.decoded(BoardStatus.self, message.payload, atMost: Self.maximumStatusSize)
            // The late will of an older session. A retained one is the last that the broker has.
            if status.state == .offline, !message.isRetained, let old, old.status.session != status.session {
                return []
            }
            guard old != nil || peers.count < Self.maximumBoards else { return [] }
            peers[board, default: Peer(status: status)].status = status
            peers[board]?.isConfirmed = true
        }
        let isChanged = old?.status.state != peers[board]?.status.state
        let effects: [Effect] = patience.isHub && isChanged ? [.queriesChanged] : []
        return hadHub == hasHub ? effects : effects + polls.keys.map { .changed($0) }
    }

    /// A status of this board from another session: the late will of an older session, or another board with the same
    /// name, which is then the newer one. An empty one: `boardd fleet forget` has removed all messages of this board.
    private mutating func takeOwnStatus(_ message: BrokerMessage, at now: Instant) -> [Effect] {
        let status = try? Self.decoded(BoardStatus.self, message.payload)
        guard let current = sessions.last, status?.session != current, !message.isRetained else { return [] }
        if let status, status.state == .online, !sessions.contains(status.session) { return [.yieldName] }
        let online = Effect.publish(self.status(.online, session: current))
        return message.payload.isEmpty ? [online] + sendList(at: now) + [.homeAssistantStarted] : [online]
    }

    private mutating func takeQueries(_ message: BrokerMessage, of board: FleetName) throws -> [Effect] {
        guard patience.isHub, board != name else { return [] }
        let polls = message.payload.isEmpty ? [] : try Self.decoded(QueryList.self, message.payload).polls
        guard peers[board] != nil || peers.count < Self.maximumBoards else { return [] }
        let offline = BoardStatus(state: .offline, session: "", version: "", patience: "", device: nil)
        let isChanged = peers[board]?.polls ?? [] != polls
        peers[board, default: Peer(status: offline)].isConfirmed = true
        store(polls, of: board)
        return isChanged ? [.queriesChanged] : []
    }

    private mutating func takeResponse(
        _ message: BrokerMessage, to key: QueryKey, at moment: Moment
    ) throws -> [Effect] {
        guard polls[key] != nil, !message.payload.isEmpty else { return [] }
        let response = try Self.decoded(SharedResponse.self, message.payload)
        guard response.stop == key.stop.description else {
            throw PlainError("the response is of another stop, \(response.stop.prefix(100))")
        }
        guard response.departures.count <= Self.maximumRows, response.hasValidOffsets else {
            throw PlainError("the response has more than \(Self.maximumRows) departures, or an offset that no zone has")
        }
        var effects = response.by == name ? [] : checkClock(response, isLive: !message.isRetained, at: moment)
        guard let requestedAt = requestTime(of: response, isLive: !message.isRetained, at: moment) else {
            return effects
        }
        let isHub = peers[response.by]?.status.isHub ?? false
        var query = queries[key] ?? SharedQuery(at: moment.now, randomPart: random())
        let isNew = query.take(
            response, requestedAt: requestedAt, isOfHub: isHub, hasHub: hasHub || patience.isHub, randomPart: random())
        queries[key] = query
        if isNew { effects.append(.arrived(key)) } else if response.isOwnFailure { effects.append(.changed(key)) }
        return effects
    }

    /// When the other board sent its request, by this machine's elapsed-time clock; nil: unknown.
    ///
    /// A live message is as old as the difference of its two times, and at most ``maximumTransit`` older: a broker that
    /// was frozen delivers late. The age of a retained copy depends on the clocks of both boards.
    private func requestTime(of response: SharedResponse, isLive: Bool, at moment: Moment) -> Instant? {
        let (asked, sent) = (response.asked, response.sent)
        guard asked <= sent else { return nil }
        if isLive {
            let isCertain = !moment.clock.isUncertain && response.hasCertainTime
            let transit = isCertain ? moment.time - sent : .zero
            let isLate = transit > Self.clockTolerance && transit <= Self.maximumTransit
            return moment.now - (sent - asked) - (isLate ? transit : .zero)
        }
        guard !moment.clock.isUncertain else { return nil }
        return min(moment.clock.instant(of: asked), moment.now - (sent - asked))
    }

    /// Compares the other board's clock with this board's, and takes the time from it if this one has none.
    private mutating func checkClock(_ response: SharedResponse, isLive: Bool, at moment: Moment) -> [Effect] {
        let sent = response.sent
        if moment.clock.isUncertain || moment.clock.source == .feed {
            guard isLive, response.hasCertainTime else { return [] }
            return sample(sent, at: moment.now).map { [.board(.date($0))] } ?? []
        }
        guard sent - moment.time > Self.clockTolerance else {
            clockFaults.remove(response.by)
            return []
        }
        guard clockFaults.count < Self.maximumClockFaults, clockFaults.insert(response.by).inserted else { return [] }
        let difference = (sent - moment.time).writtenRoughly
        return [
            .report(
                "fleet: the clock of \(response.by) is \(difference) ahead of the clock of this board; check the time of both (timedatectl)"
            )
        ]
    }

    /// The time of a live message as a `Date` header, in whole seconds; all boards together have one vote.
    ///
    /// A message may have been on its way for any time, for example while the broker was frozen. So a time counts only
    /// if that of an earlier round agrees with it.
    private mutating func sample(_ sent: Timestamp, at now: Instant) -> DateSample? {
        guard let last = lastTime else {
            lastTime = (sent, now)
            return nil
        }
        guard now - last.at >= Self.round else { return nil }
        lastTime = (sent, now)
        let difference = (sent - last.sent) - (now - last.at)
        guard max(difference, .zero - difference) <= Self.clockTolerance else { return nil }
        return DateSample(host: "fleet", date: Timestamp(seconds: sent.seconds), requested: now, received: now)
    }
}

extension Duration {
    /// Rounded to seconds, or to minutes, hours or days if there are at least two of them.
    var writtenRoughly: String {
        let seconds = max(1, self / .seconds(1))
        let (unit, name) =
            [(86_400.0, "days"), (3_600.0, "h"), (60.0, "min")].first { seconds.rounded() >= 2 * $0.0 } ?? (1, "s")
        return "\(Int((seconds / unit).rounded())) \(name)"
    }
}

// Requests of this board to operators, and their responses for the others.
extension FleetMember {
    /// The longest life of a response at the broker.
    private static let maximumLife = Duration.seconds(1_800)
    private static let usualInterval = Duration.seconds(30)

    /// What this board does for a query now.
    ///
    /// - Parameter began: when its poll began.
    mutating func turn(
        of query: DepartureQuery, every interval: Duration, since began: Instant, at now: Instant
    ) -> SharedQuery.Turn {
        let key = QueryKey(query)
        var shared = queries[key] ?? SharedQuery(at: now, randomPart: random())
        let turn = shared.turn(
            SharedQuery.Situation(interval: interval, patience: patience, connection: connection, hasHub: hasHub),
            since: began, at: now)
        if case .use = turn { shared.used() }
        queries[key] = shared
        return turn
    }

    /// This board sends the request for a query.
    func beganFetch(of query: DepartureQuery) -> [Effect] {
        guard isConnected else { return [] }
        return [
            .publish(
                BrokerMessage(
                    topic: FleetTopic.fetching(QueryKey(query)).text, payload: Array("{\"by\":\"\(name)\"}".utf8),
                    quality: .atMostOnce, expiry: SharedQuery.fetching))
        ]
    }

    /// The operator has responded to this board.
    mutating func ended(
        _ query: DepartureQuery, _ result: Result<FeedResponse, FeedError>, of profile: FeedProfile,
        requestedAt: Instant, at moment: Moment
    ) -> [Effect] {
        let key = QueryKey(query)
        let origin = SharedResponse.Origin(
            by: name, requestedAt: moment.clock.timestamp(at: requestedAt), sentAt: moment.time,
            timeSource: moment.clock.source)
        let response: SharedResponse
        switch result {
        case .success(let success): response = SharedResponse(success, expiry: profile.expiry, origin)
        case .failure(let failure):
            guard failure.kind != .cancelled else { return [] }
            response = SharedResponse(failure, of: query.stop, origin)
            if failure.kind.isRejection { queries[key]?.wasRejected(at: moment.now) }
        }
        if var shared = queries[key] {
            _ = shared.take(
                response, requestedAt: requestedAt, isOfHub: patience.isHub, hasHub: hasHub, randomPart: random())
            shared.used()
            queries[key] = shared
        }
        return isConnected ? send(response, to: key, at: moment) : []
    }

    /// Publishes a response until its last departure expires, for at most ``maximumLife`` and at least three polls. A
    /// failure of this board alone does not replace another board's retained response.
    func send(_ response: SharedResponse, to key: QueryKey, at moment: Moment) -> [Effect] {
        let interval = polls[key] ?? Self.usualInterval
        let life = min(max((response.lastExpiry ?? moment.time) - moment.time, interval * 3), Self.maximumLife)
        let age = moment.time - response.asked
        guard age < life else { return [] }
        var current = response
        current.sent = moment.time
        current.timeSource = moment.clock.source
        return [.publishResponse(OutgoingResponse(response: current, key: key, expiry: life))]
    }
}

/// The payload of `board/NAME/status`: the online status of a board, and the will of its connection.
struct BoardStatus: Hashable, Sendable, Codable {
    enum State: String, Sendable, Codable {
        case online, offline
    }

    var state: State
    /// The session to which it belongs: a will that arrives late does not end a newer session.
    var session: String
    var version: String
    /// The value of `patience` in its boardd.toml; "0s": it is a hub.
    var patience: String
    /// Identifies it in Home Assistant.
    var device: DeviceID?

    var isHub: Bool { state == .online && patience == FleetOptions.Patience.wait(.zero).written }
}
