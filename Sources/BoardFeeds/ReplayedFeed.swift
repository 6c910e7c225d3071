public import BoardCore

/// A feed on a recording, with all times moved to the present.
///
/// The recorded bytes are decoded unchanged and the results are moved, so it works for every operator.
public struct ReplayedFeed: DepartureFeed {
    private let feed: any DepartureFeed
    private let replay: ReplayTransport

    /// Moves the results of `feed`, which must use only `replay` as its transport.
    public init(_ feed: any DepartureFeed, from replay: ReplayTransport) {
        self.feed = feed
        self.replay = replay
    }

    public var profile: FeedProfile { feed.profile }

    /// The recorded departures, with their times in the present.
    public func departures(_ request: FeedRequest) async throws(FeedError) -> FeedResponse {
        var shift = replay.shift
        var fetched = await fetched(request)
        if replay.shift != shift {
            // The recording restarted meanwhile, and the result may be from either pass: fetching again is cheap.
            fetched = await self.fetched(request)
            shift = replay.shift
        }
        return try fetched.map { $0.shifted(by: shift) }.mapError { $0.shifted(by: shift) }.get()
    }

    /// The recorded trip, with its times in the present. `departure` must come from this feed.
    public func tripDetails(of departure: Departure) async throws(FeedError) -> TripDetails? {
        let shift = replay.shift
        do {
            return try await feed.tripDetails(of: departure.shifted(by: .zero - shift))?.shifted(by: shift)
        } catch {
            throw error.shifted(by: shift)
        }
    }

    /// The stop at the time of the recording.
    public func check(_ stop: StopID) async throws(FeedError) -> StopCheck { try await feed.check(stop) }

    private func fetched(_ request: FeedRequest) async -> Result<FeedResponse, FeedError> {
        await Result(of: { () throws(FeedError) in try await feed.departures(request) })
    }
}

// Copies a recording's values with every time moved, for a replay in the present. A clock set to the recording's time
// would need no copies, but would also set the display's clock, quiet hours and favourites' hours.

extension FeedResponse {
    func shifted(by shift: Duration) -> FeedResponse {
        FeedResponse(
            stop: stop, departures: departures.map { $0.shifted(by: shift) },
            alerts: alerts.map { $0.shifted(by: shift) }, isWithheld: isWithheld,
            next: next.map { $0.shifted(by: shift) }, timetableEndsAt: timetableEndsAt.map { $0 + shift },
            partialFailure: partialFailure, badRows: badRows, requests: requests, age: age)
    }
}

extension FeedError {
    func shifted(by shift: Duration) -> FeedError {
        FeedError(
            kind, detail: detail, requests: requests, retryAfter: retryAfter,
            cached: cached.map { cached in
                CachedDepartures(stop: cached.stop, departures: cached.departures.map { $0.shifted(by: shift) })
            })
    }
}

extension NextDeparture {
    fileprivate func shifted(by shift: Duration) -> NextDeparture {
        switch self {
        case .laterToday(let time): .laterToday(time + shift)
        case .nextDay(let time): .nextDay(time + shift)
        }
    }
}

extension Alert {
    fileprivate func shifted(by shift: Duration) -> Alert {
        Alert(text, lines: lines, severity: severity, from: from.map { $0 + shift }, until: until.map { $0 + shift })
    }
}

extension Departure {
    func shifted(by shift: Duration) -> Departure {
        let status: Status =
            switch status {
            case .expected(let time): .expected(time + shift)
            case .scheduled(let time): .scheduled(time + shift)
            case .delayed, .cancelled: status
            }
        return Departure(
            stop: stop, line: line, lineColour: lineColour, mode: mode, destination: destination, vehicle: vehicle,
            platform: platform, direction: direction, booked: booked.map { $0 + shift }, status: status,
            attributes: attributes?.shifted(by: shift), fare: fare, utcOffset: utcOffset, madeAt: madeAt + shift,
            isRenewed: isRenewed, staleAt: staleAt.map { $0 + shift }, expiresAt: expiresAt + shift)
    }
}

extension TripAttributes {
    fileprivate func shifted(by shift: Duration) -> TripAttributes {
        TripAttributes(
            id: id, company: company, coaches: coaches, origins: origins, via: via, reason: reason,
            isReplacement: isReplacement, startsAt: startsAt, endsAt: endsAt, stage: stage,
            returnTrip: returnTrip.map { ReturnTrip(at: $0.at + shift, utcOffset: $0.utcOffset) },
            arrangement: arrangement)
    }
}

extension TripDetails {
    func shifted(by shift: Duration) -> TripDetails {
        TripDetails(
            calls: calls.map { $0.shifted(by: shift) },
            portions: portions.map { part in Portion(at: part.at, calls: part.calls.map { $0.shifted(by: shift) }) },
            location: location, madeAt: madeAt + shift, expiresAt: expiresAt + shift)
    }
}

extension CallingPoint {
    fileprivate func shifted(by shift: Duration) -> CallingPoint {
        let state: State =
            switch state {
            case .expected(let time): .expected(time + shift)
            case .called(let time): .called(time.map { $0 + shift })
            case .arrived(let time): .arrived(time + shift)
            case .scheduled(let time): .scheduled(time + shift)
            case .delayed, .cancelled: state
            }
        return CallingPoint(
            name: name, code: code, booked: booked.map { $0 + shift }, state: state, platform: platform,
            coaches: coaches)
    }
}
