internal import BoardCore
internal import BoardService

// Requests of this board to operators, and their responses for the others.
extension FleetMember {
    /// The longest life of a response at the broker.
    private static let longestLife = Duration.seconds(1_800)
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
            SharedQuery.Situation(
                interval: interval, patience: patience, connection: connection, hasHub: hasHub),
            since: began, at: now)
        if case .use = turn { shared.used() }
        queries[key] = shared
        return turn
    }

    /// This board sends the request of a query.
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
        _ query: DepartureQuery, _ result: Result<FeedResponse, FeedFailure>, of profile: FeedProfile,
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

    /// Publishes a response until its last departure expires, at most for ``longestLife``, at least for three polls. A failure of this
    /// board alone does not replace the stored response of another.
    func send(_ response: SharedResponse, to key: QueryKey, at moment: Moment) -> [Effect] {
        let interval = polls[key] ?? Self.usualInterval
        let life = min(max((response.lastExpiry ?? moment.time) - moment.time, interval * 3), Self.longestLife)
        let age = moment.time - response.asked.timestamp
        guard age < life else { return [] }
        var current = response
        current.sent = RFC3339Timestamp(moment.time)
        current.timeSource = moment.clock.source
        return [.publishResponse(OutgoingResponse(response: current, key: key, expiry: life))]
    }
}
