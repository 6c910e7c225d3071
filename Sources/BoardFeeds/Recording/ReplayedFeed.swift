public import BoardCore

/// A feed whose answers come from a recording, with every time moved so that the recording is now.
///
/// The bytes stay as they were recorded; what they mean is moved, so that it works for every operator.
public struct ReplayedFeed: DepartureFeed {
    private let feed: any DepartureFeed
    private let replay: ReplayTransport

    /// Moves the answers of `feed`, which must ask `replay` and nothing else.
    public init(_ feed: any DepartureFeed, from replay: ReplayTransport) {
        self.feed = feed
        self.replay = replay
    }

    /// What the recorded feed declares of itself.
    public var profile: FeedProfile { feed.profile }

    /// Answers as the recording does, with its times in the present.
    public func departures(_ question: FeedQuestion) async throws(FeedFailure) -> FeedAnswer {
        let shift = replay.shift
        let answer = try await told(question)
        // A lap may have ended in between; then the answer is of this lap or of the last, and asking again is cheap.
        guard replay.shift == shift else { return try await told(question).shifted(by: replay.shift) }
        return answer.shifted(by: shift)
    }

    /// What the recording tells of a run, with its times in the present.
    public func service(of departure: Departure) async throws(FeedFailure) -> Service? {
        let service: Service?
        do {
            service = try await feed.service(of: departure)
        } catch {
            throw FeedFailure(error.kind, detail: error.detail, requests: error.requests)
        }
        return service?.shifted(by: replay.shift)
    }

    /// The lines that called when the recording was made.
    public func lines(at stop: StopID) async throws(FeedFailure) -> [Line] {
        try await feed.lines(at: stop)
    }

    /// Asks, and takes the operator's clock out of a refusal: it tells when the recording was made.
    private func told(_ question: FeedQuestion) async throws(FeedFailure) -> FeedAnswer {
        do {
            return try await feed.departures(question)
        } catch {
            throw FeedFailure(error.kind, detail: error.detail, requests: error.requests)
        }
    }
}

extension Service {
    /// The same run with every time moved by `shift`.
    fileprivate func shifted(by shift: Duration) -> Service {
        Service(
            calls: calls.map { $0.shifted(by: shift) },
            portions: portions.map { Portion(at: $0.at, calls: $0.calls.map { $0.shifted(by: shift) }) },
            location: location, made: made + shift, void: void + shift)
    }
}

extension CallingPoint {
    fileprivate func shifted(by shift: Duration) -> CallingPoint {
        let state: State =
            switch state {
            case .expected(let time): .expected(time + shift)
            case .called(let time): .called(time.map { $0 + shift })
            case .timetabled(let time): .timetabled(time + shift)
            case .delayed: .delayed
            case .cancelled: .cancelled
            }
        return CallingPoint(
            name: name, code: code, booked: booked.map { $0 + shift }, state: state, platform: platform,
            coaches: coaches)
    }
}
