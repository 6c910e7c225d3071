public import BoardCore
internal import BoardFormats

/// The departures of an operator with SIRI Stop Monitoring, in JSON or XML.
///
/// A stop takes one request. Times of vehicles that are not monitored are the timetable's and are marked as scheduled.
/// Calling points are requested when the user opens a departure.
public struct SIRIFeed: DepartureFeed {
    public let profile: FeedProfile
    private let api: SIRIAPI

    /// - Throws: ``FeedSettingFailure`` without a URL, or for an invalid setting.
    public init(_ name: FeedName, _ context: FeedContext) throws(FeedSettingFailure) {
        let configuration = try SIRIConfiguration(name, context)
        profile = Self.profile(
            name, title: configuration.title,
            attribution: context.settings.text("attribution").flatMap { $0.isEmpty ? nil : $0 }
                ?? "Data of \(configuration.title)",
            interval: configuration.options.interval)
        api = SIRIAPI(configuration: configuration, transport: context.transport, clock: context.clock)
    }

    /// Fetches the visits of a stop, with the alerts in the same response.
    public func departures(_ request: FeedRequest) async throws(FeedFailure) -> FeedResponse {
        let reply = try await visits(at: request.stop)
        let unread = api.failureOfTimes(in: reply, at: request.stop)
        let partialFailure =
            reply.content.partialError.map { api.failure($0, in: reply, at: request.stop) }
            ?? (reply.content.lacksZone ? unread : nil)
            ?? reply.content.situationError.map { api.failureOfSituations($0, in: reply, at: request.stop) }
        let result = reply.content.feedResponse(
            to: request, api.configuration.options, reply.response, partialFailure: partialFailure)
        // Unreadable departures do not mean that there are none.
        if result.departures.isEmpty, result.badRows > 0 { throw unread }
        return result
    }

    /// Fetches the visit of a departure again, with its calls.
    public func tripDetails(of departure: Departure) async throws(FeedFailure) -> TripDetails? {
        guard departure.attributes?.id != nil else { return nil }
        let reply = try await visits(at: departure.stop, withCalls: true)
        guard let (visit, madeAt) = reply.content.visit(of: departure) else { return nil }
        return visit.tripDetails(of: departure, madeAt: madeAt ?? reply.response.madeAt)
    }

    /// Fetches the visits of a stop, which fails if the operator reports it as unknown or has no information about it.
    public func check(_ stop: StopID) async throws(FeedFailure) -> StopCheck {
        let reply = try await api.visits(at: stop)
        // A sentence that nothing is due is no error, other than the standard's own condition, which is of unknown stops as well.
        if let error = reply.content.errorCondition, error.kind == .noInformation || error.meaning != .noInformation {
            throw api.failure(error, in: reply, at: stop)
        }
        return StopCheck(.departures, name: reply.content.name(of: stop.code), lines: nil)
    }

    /// Fetches the visits of a stop; none if the operator has no information, as many report of a stop at which nothing is due.
    private func visits(at stop: StopID, withCalls: Bool = false) async throws(FeedFailure) -> SIRIAPI.Reply {
        let reply = try await api.visits(at: stop, withCalls: withCalls)
        if let error = reply.content.errorCondition, error.meaning != .noInformation {
            throw api.failure(error, in: reply, at: stop)
        }
        return reply
    }
}
