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
        return told.answer.answer(
            to: question, setup.reading, told.response,
            trouble: told.answer.partialRefusal.map { refusal($0, told.request, told.response, question.stop) })
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
        guard setup.key.secret != nil || !setup.key.isWanted || transport.hasRecorded(setup.url) else {
            throw FeedFailure(
                .keyMissing,
                detail: "\(setup.title) wants a key: put \(setup.key.name) into keys.env and restart boardd",
                requests: 0)
        }
        let question = SIRIQuestion(
            setup: setup, stop: stop.code, withCalls: withCalls, moment: clock.reading().wall)
        let request = question.request
        let (response, body) = try await transport.answer(to: request)
        do {
            let answer = try SIRIAnswer(
                body, withCalls: withCalls, language: setup.reading.language, zone: setup.reading.zone)
            // A refusal in words says more than its status.
            guard response.status != 200 else { return (answer, request, response) }
            throw refusal(answer.refusal ?? SIRIError(), request, response, stop)
        } catch let fault as SIRIFault {
            throw FeedFailure(siriFault: fault, in: body, of: request, response, setup, stop: stop.code)
        } catch let failure as FeedFailure {
            throw failure
        } catch {
            throw FeedFailure(.unreadable, detail: request.masking("\(request.url): \(error)"), date: response.date)
        }
    }
}
