public import BoardCore

/// The departures of an operator that speaks SIRI Stop Monitoring, in JSON or XML.
///
/// A stop is one request. What is told of a vehicle that nobody follows is the timetable, and marked as such. Its calls are
/// asked for when a person opens it.
public struct SIRIFeed: DepartureFeed {
    /// The constants of the operator.
    public let profile: FeedProfile
    private let setup: SIRISetup
    private let transport: any HTTPTransport
    private let clock: any MachineClock

    /// A feed of what it is given; the settings are those of ``family``.
    ///
    /// - Throws: ``FeedSettingFailure`` where there is no address, or something cannot be read.
    public init(_ name: FeedName, _ context: FeedContext) throws(FeedSettingFailure) {
        setup = try SIRISetup(name, context)
        profile = Self.profile(
            name, title: setup.title,
            attribution: context.settings.text("attribution").flatMap { $0.isEmpty ? nil : $0 }
                ?? "Data of \(setup.title)",
            interval: setup.reading.interval)
        transport = context.transport
        clock = context.clock
    }

    /// Asks for the visits of a stop, with the alerts that come beside them.
    public func departures(_ question: FeedQuestion) async throws(FeedFailure) -> FeedAnswer {
        let told = try await ask(question.stop)
        // Many say so of a stop at which nothing is due, too; `lines(at:)` is for who wants to know.
        if let error = told.answer.refusal, error.kind != .noInformation {
            throw refusal(error, told.request, told.response, question.stop)
        }
        let unread = FeedFailure(
            siriTimesOf: told.request, told.response, setup, feed: profile.name, lackZone: told.answer.lacksZone)
        let trouble =
            told.answer.partialRefusal.map { refusal($0, told.request, told.response, question.stop) }
            ?? (told.answer.lacksZone ? unread : nil)
            ?? told.answer.situationError.map {
                FeedFailure(siriSituationsOf: told.request, told.response, $0, setup)
            }
        let answer = told.answer.answer(to: question, setup.reading, told.response, trouble: trouble)
        // That nothing can be read does not mean that nothing comes.
        if answer.departures.isEmpty, answer.badRows > 0 { throw unread }
        return answer
    }

    /// Asks for the visit of a departure once more, with its calls.
    public func service(of departure: Departure) async throws(FeedFailure) -> Service? {
        guard departure.journey?.id != nil else { return nil }
        let told = try await ask(departure.stop, withCalls: true)
        if let error = told.answer.refusal, error.kind != .noInformation {
            throw refusal(error, told.request, told.response, departure.stop)
        }
        guard let (visit, made) = told.answer.visit(of: departure) else { return nil }
        return visit.service(of: departure, made: made ?? told.response.date ?? told.response.received)
    }

    /// Asks about the stop, as far as the operator tells whether it knows it.
    ///
    /// - Returns: nothing: which lines call there is known only of those that are due.
    public func lines(at stop: StopID) async throws(FeedFailure) -> [Line] {
        let told = try await ask(stop)
        if let error = told.answer.refusal { throw refusal(error, told.request, told.response, stop) }
        return []
    }

    private func refusal(
        _ error: SIRIError, _ request: HTTPRequest, _ response: HTTPResponse, _ stop: StopID
    ) -> FeedFailure {
        FeedFailure(siriRefusalOf: request, response, error, setup, stop: stop.code)
    }

    private func ask(
        _ stop: StopID, withCalls: Bool = false
    ) async throws(FeedFailure) -> (answer: SIRIAnswer, request: HTTPRequest, response: HTTPResponse) {
        if setup.key.isMissing, !transport.hasRecorded(setup.url) { throw setup.key.missing(setup.title) }
        let question = SIRIQuestion(
            setup: setup, stop: stop.code, withCalls: withCalls, moment: clock.reading().wall)
        let request = question.request
        let (response, body) = try await transport.answer(to: request)
        do {
            let answer = try SIRIAnswer(
                body, withCalls: withCalls, language: setup.reading.language, zone: setup.reading.zone)
            guard response.status != 200 else { return (answer, request, response) }
            // A refusal in words says more than its status.
            let error = answer.refusal ?? SIRIError()
            let failure = refusal(error, request, response, stop)
            // Some say with 404 what others do with 200: that they have nothing to tell of the stop.
            if error.meaning == .noInformation, failure.kind == .unknownStop { return (answer, request, response) }
            throw failure
        } catch let fault as SIRIFault {
            throw FeedFailure(siriFault: fault, in: body, of: request, response, setup, stop: stop.code)
        } catch let failure as FeedFailure {
            throw failure
        } catch {
            throw FeedFailure(.unreadable, detail: request.masking("\(request.url): \(error)"))
        }
    }
}
