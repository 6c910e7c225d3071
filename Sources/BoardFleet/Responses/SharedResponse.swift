import BoardCore
import BoardService
import BoardStore

/// The payload of a response: what a board received from an operator, in the words of `boardd departures --json`, who
/// received it, and when. Absent data is omitted; unknown keys are ignored.
struct SharedResponse: Hashable, Sendable, Codable {
    /// Why the operator sent only a part, or nothing.
    struct Failure: Hashable, Sendable, Codable {
        /// The API's word, such as "rate-limited".
        var kind: String
        /// Where the failure occurred and what was found, without a key.
        var detail: String
        /// The HTTP status of the kind "status".
        var status: Int?
        /// The wait that the operator requested.
        var retryAfterSeconds: Double?
    }

    var stop: String
    var name: String?
    var letter: String?
    var departures: [Departure] = []
    var alerts: [Alert] = []
    var withheld = false
    var nextDepartureAt: Timestamp?
    /// Whether that departure belongs to another service day.
    var nextDepartureIsOnAnotherDay: Bool?
    var timetableEndsAt: Timestamp?
    var badRows: Int?
    /// The offsets of the stop's zone for the next eight days; nil: the machine's zone.
    var zone: Zone?
    /// Why a part is missing.
    var partialFailure: Failure?
    /// Why the request failed; nil: it succeeded.
    var error: Failure?

    /// When the board sent the request, by its corrected clock.
    var asked: Timestamp
    /// When the board sent this message, by its corrected clock.
    var sent: Timestamp
    var timeSource: CorrectedClock.Source
    /// The board that sent the request.
    var by: FleetName
}

// MARK: - From and to the feeds

extension SharedResponse {
    /// Who sent a request, and when.
    struct Origin: Hashable, Sendable {
        var by: FleetName
        var requestedAt: Timestamp
        var sentAt: Timestamp
        var timeSource: CorrectedClock.Source
    }

    /// How far ahead the zone's changes are sent.
    private static let zoneReach = Duration.seconds(8 * 86_400)

    init(_ response: FeedResponse, expiry: ExpiryPolicy, _ origin: Origin) {
        self.init(of: response.stop, origin)
        departures = response.departures.map {
            // Each board compares the moment of the estimate with its own clock.
            $0.received(at: $0.madeAt, staleAfter: expiry.staleAfter).located(in: response.stop.zone)
        }
        alerts = response.alerts
        withheld = response.isWithheld
        nextDepartureAt = response.next?.time
        if case .nextDay = response.next { nextDepartureIsOnAnotherDay = true }
        timetableEndsAt = response.timetableEndsAt
        badRows = response.badRows > 0 ? response.badRows : nil
        partialFailure = response.partialFailure.map { Failure($0) }
    }

    init(_ failure: FeedError, of stop: StopID, _ origin: Origin) {
        self.init(of: failure.cached?.stop ?? Stop(id: stop), origin)
        error = Failure(failure)
    }

    private init(of stop: Stop, _ origin: Origin) {
        self.stop = stop.id.description
        name = stop.name
        letter = stop.letter
        zone = stop.zone?.excerpt(from: origin.sentAt, for: Self.zoneReach)
        asked = origin.requestedAt
        sent = origin.sentAt
        timeSource = origin.timeSource
        by = origin.by
    }

    /// The response for a stop of this board.
    ///
    /// - Parameter age: how long ago the request was sent.
    /// - Throws: ``FeedError`` if the other board's request failed.
    func response(of stop: StopID, age: Duration) throws(FeedError) -> FeedResponse {
        if let error { throw error.failure(by: by) }
        return FeedResponse(
            stop: Stop(id: stop, name: name, letter: letter, zone: zone),
            departures: departures.map { $0.renamed(to: stop) }, alerts: alerts, isWithheld: withheld,
            next: nextDepartureAt.map { nextDepartureIsOnAnotherDay == true ? .nextDay($0) : .laterToday($0) },
            timetableEndsAt: timetableEndsAt, partialFailure: partialFailure?.failure(by: by),
            badRows: badRows ?? 0, requests: 0, age: age)
    }

    /// Whether the clock of the board that sent it was set by NTP or by operators.
    var hasCertainTime: Bool { timeSource == .kernel || timeSource == .feed }

    /// Whether a zone can have the offsets: larger ones would overflow the board's arithmetic.
    var hasValidOffsets: Bool {
        (zone?.isValid ?? true)
            && departures.flatMap { [$0.utcOffset, $0.attributes?.returnTrip?.utcOffset] }
                .allSatisfy { ($0 ?? 0).magnitude <= Zone.maximumOffset.magnitude }
    }

    /// The first departures by time, at most `count`.
    func earliestDepartures(_ count: Int) -> [Departure] {
        Array(departures.sorted { $0.due < $1.due }.prefix(count))
    }

    /// The last time at which a departure expires; nil: there is none.
    var lastExpiry: Timestamp? { departures.map(\.expiresAt).max() }

    /// Whether the failure is one of the board that sent the request, such as its key, quota or network: other boards
    /// send their own requests.
    var isOwnFailure: Bool {
        switch error?.failure(by: by).kind {
        case .noNetwork, .certificateDate, .certificate, .timedOut, .keyRejected, .keyMissing, .rateLimited, .noZone,
            .cancelled:
            true
        case .unknownStop, .status, .unreadable, nil: false
        }
    }
}

extension SharedResponse.Failure {
    fileprivate init(_ failure: FeedError) {
        kind = failure.kind.word
        detail = failure.detail
        retryAfterSeconds = failure.retryAfter.map { $0 / .seconds(1) }
        if case .status(let status) = failure.kind { self.status = status }
    }

    /// The longest wait that another board's failure causes, in seconds.
    private static let maximumRetryWait = 300.0

    /// - Parameter board: the board that received it.
    fileprivate func failure(by board: FleetName) -> FeedError {
        let wait = retryAfterSeconds.flatMap { $0 >= 0 ? Duration.seconds(min($0, Self.maximumRetryWait)) : nil }
        return FeedError(
            FeedError.Kind(word: kind, status: status, retryAfter: wait) ?? .unreadable,
            detail: "\(detail) (by \(board))",
            requests: 0, retryAfter: wait)
    }
}

// MARK: - To the broker

/// A response on its way to the broker.
struct OutgoingResponse: Hashable, Sendable {
    var response: SharedResponse
    let key: QueryKey
    let expiry: Duration

    /// The message; a response that is too long loses its last departures and alerts.
    var message: BrokerMessage {
        var current = response
        var payload = StableJSON.bytes(current)
        // No feed's response is sorted by time.
        while payload.count > FleetMember.maximumPayloadSize, !current.departures.isEmpty || !current.alerts.isEmpty {
            current.departures = current.earliestDepartures(current.departures.count * 3 / 4)
            current.alerts = Array(current.alerts.prefix(current.alerts.count * 3 / 4))
            payload = StableJSON.bytes(current)
        }
        return BrokerMessage(
            topic: FleetTopic.response(key).text, payload: payload, isRetained: !response.isOwnFailure, expiry: expiry)
    }
}
