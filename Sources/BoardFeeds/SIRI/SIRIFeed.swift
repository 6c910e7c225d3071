public import BoardCore
internal import BoardFormats

/// The departures of an operator with SIRI Stop Monitoring, in JSON or XML.
///
/// A stop takes one request. Times of vehicles that are not monitored are the timetable's and are marked as scheduled.
/// Calling points are requested when the user opens a departure.
public struct SIRIFeed: DepartureFeed {
    /// The operator's profile.
    public let profile: FeedProfile
    private let configuration: SIRIConfiguration
    private let transport: any HTTPTransport
    private let clock: any MachineClock

    /// A feed with the settings of ``family``.
    ///
    /// - Throws: ``FeedSettingFailure`` without a URL, or for an invalid setting.
    public init(_ name: FeedName, _ context: FeedContext) throws(FeedSettingFailure) {
        configuration = try SIRIConfiguration(name, context)
        profile = Self.profile(
            name, title: configuration.title,
            attribution: context.settings.text("attribution").flatMap { $0.isEmpty ? nil : $0 }
                ?? "Data of \(configuration.title)",
            interval: configuration.options.interval)
        transport = context.transport
        clock = context.clock
    }

    /// Fetches the visits of a stop, with the alerts in the same response.
    public func departures(_ request: FeedRequest) async throws(FeedFailure) -> FeedResponse {
        let fetched = try await fetch(request.stop)
        // Many operators also report this for a stop at which nothing is due; only `lines(at:)` treats it as an error.
        if let error = fetched.content.errorCondition, error.kind != .noInformation {
            throw statusFailure(error, fetched.request, fetched.response, request.stop)
        }
        let unread = FeedFailure(
            siriTimesOf: fetched.request, fetched.response, configuration, feed: profile.name,
            lackZone: fetched.content.lacksZone
        )
        let partialFailure =
            fetched.content.partialError.map { statusFailure($0, fetched.request, fetched.response, request.stop) }
            ?? (fetched.content.lacksZone ? unread : nil)
            ?? fetched.content.situationError.map {
                FeedFailure(siriSituationsOf: fetched.request, fetched.response, $0, configuration)
            }
        let result = fetched.content.feedResponse(
            to: request, configuration.options, fetched.response, partialFailure: partialFailure)
        // Unreadable departures do not mean that there are none.
        if result.departures.isEmpty, result.badRows > 0 { throw unread }
        return result
    }

    /// Fetches the visit of a departure again, with its calls.
    public func tripDetails(of departure: Departure) async throws(FeedFailure) -> TripDetails? {
        guard departure.attributes?.id != nil else { return nil }
        let fetched = try await fetch(departure.stop, withCalls: true)
        if let error = fetched.content.errorCondition, error.kind != .noInformation {
            throw statusFailure(error, fetched.request, fetched.response, departure.stop)
        }
        guard let (visit, madeAt) = fetched.content.visit(of: departure) else { return nil }
        return visit.tripDetails(of: departure, madeAt: madeAt ?? fetched.response.date ?? fetched.response.received)
    }

    /// Fetches the stop, which fails if the operator reports it as unknown.
    ///
    /// - Returns: always empty: SIRI reports only lines of visits that are due.
    public func lines(at stop: StopID) async throws(FeedFailure) -> [Line] {
        let fetched = try await fetch(stop)
        if let error = fetched.content.errorCondition {
            throw statusFailure(error, fetched.request, fetched.response, stop)
        }
        return []
    }

    private func statusFailure(
        _ error: SIRIErrorCondition, _ request: HTTPRequest, _ response: HTTPResponse, _ stop: StopID
    ) -> FeedFailure {
        FeedFailure(siriErrorOf: request, response, error, configuration, stop: stop.code)
    }

    private func fetch(
        _ stop: StopID, withCalls: Bool = false
    ) async throws(FeedFailure) -> (content: SIRIResponse, request: HTTPRequest, response: HTTPResponse) {
        if configuration.key.isMissing, !transport.hasRecorded(configuration.url) {
            throw configuration.key.missing(configuration.title)
        }
        let siriRequest = SIRIRequest(
            configuration: configuration, stop: stop.code, withCalls: withCalls, moment: clock.reading().wall)
        let request = siriRequest.request
        let (response, body) = try await transport.fetch(request)
        do {
            let content = try SIRIResponse(
                body, withCalls: withCalls, language: configuration.options.language, zone: configuration.options.zone)
            guard response.status != 200 else { return (content, request, response) }
            // The error condition is more specific than the status.
            let error = content.errorCondition ?? SIRIErrorCondition()
            let failure = statusFailure(error, request, response, stop)
            // Some report with 404 what others report with 200: no information about the stop.
            if error.meaning == .noInformation, failure.kind == .unknownStop { return (content, request, response) }
            throw failure
        } catch let fault as SIRIFault {
            throw FeedFailure(siriFault: fault, in: body, of: request, response, configuration, stop: stop.code)
        } catch let failure as FeedFailure {
            throw failure
        } catch {
            throw FeedFailure(.unreadable, detail: request.masking("\(request.url): \(error)"))
        }
    }
}
