public import BoardCore

/// The departures of an operator that speaks SIRI Stop Monitoring, in JSON or XML.
///
/// A stop is one request. What is told of a vehicle that nobody follows is the timetable, and marked as such. Its calls are
/// asked for when a person opens it.
public struct SIRIFeed: DepartureFeed {
    /// The constants of the operator.
    public let profile: FeedProfile
    private let configuration: SIRIConfiguration
    private let transport: any HTTPTransport
    private let clock: any MachineClock

    /// A feed of what it is given; the settings are those of ``family``.
    ///
    /// - Throws: ``FeedSettingFailure`` where there is no address, or something cannot be read.
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

    /// Asks for the visits of a stop, with the alerts that come beside them.
    public func departures(_ question: FeedRequest) async throws(FeedFailure) -> FeedResponse {
        let told = try await ask(question.stop)
        // Many say so of a stop at which nothing is due, too; `lines(at:)` is for who wants to know.
        if let error = told.answer.errorCondition, error.kind != .noInformation {
            throw refusal(error, told.request, told.response, question.stop)
        }
        let unread = FeedFailure(
            siriTimesOf: told.request, told.response, configuration, feed: profile.name, lackZone: told.answer.lacksZone
        )
        let partialFailure =
            told.answer.partialError.map { refusal($0, told.request, told.response, question.stop) }
            ?? (told.answer.lacksZone ? unread : nil)
            ?? told.answer.situationError.map {
                FeedFailure(siriSituationsOf: told.request, told.response, $0, configuration)
            }
        let answer = told.answer.answer(
            to: question, configuration.options, told.response, partialFailure: partialFailure)
        // That nothing can be read does not mean that nothing comes.
        if answer.departures.isEmpty, answer.badRows > 0 { throw unread }
        return answer
    }

    /// Asks for the visit of a departure once more, with its calls.
    public func tripDetails(of departure: Departure) async throws(FeedFailure) -> TripDetails? {
        guard departure.attributes?.id != nil else { return nil }
        let told = try await ask(departure.stop, withCalls: true)
        if let error = told.answer.errorCondition, error.kind != .noInformation {
            throw refusal(error, told.request, told.response, departure.stop)
        }
        guard let (visit, madeAt) = told.answer.visit(of: departure) else { return nil }
        return visit.tripDetails(of: departure, madeAt: madeAt ?? told.response.date ?? told.response.received)
    }

    /// Asks about the stop, as far as the operator tells whether it knows it.
    ///
    /// - Returns: nothing: which lines call there is known only of those that are due.
    public func lines(at stop: StopID) async throws(FeedFailure) -> [Line] {
        let told = try await ask(stop)
        if let error = told.answer.errorCondition { throw refusal(error, told.request, told.response, stop) }
        return []
    }

    private func refusal(
        _ error: SIRIErrorCondition, _ request: HTTPRequest, _ response: HTTPResponse, _ stop: StopID
    ) -> FeedFailure {
        FeedFailure(siriErrorOf: request, response, error, configuration, stop: stop.code)
    }

    private func ask(
        _ stop: StopID, withCalls: Bool = false
    ) async throws(FeedFailure) -> (answer: SIRIResponse, request: HTTPRequest, response: HTTPResponse) {
        if configuration.key.isMissing, !transport.hasRecorded(configuration.url) {
            throw configuration.key.missing(configuration.title)
        }
        let question = SIRIRequest(
            configuration: configuration, stop: stop.code, withCalls: withCalls, moment: clock.reading().wall)
        let request = question.request
        let (response, body) = try await transport.fetch(to: request)
        do {
            let answer = try SIRIResponse(
                body, withCalls: withCalls, language: configuration.options.language, zone: configuration.options.zone)
            guard response.status != 200 else { return (answer, request, response) }
            // A refusal in words says more than its status.
            let error = answer.errorCondition ?? SIRIErrorCondition()
            let failure = refusal(error, request, response, stop)
            // Some say with 404 what others do with 200: that they have nothing to tell of the stop.
            if error.meaning == .noInformation, failure.kind == .unknownStop { return (answer, request, response) }
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
