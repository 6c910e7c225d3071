internal import BoardCore
internal import BoardFormats

/// The requests to an operator with SIRI Stop Monitoring.
struct SIRIAPI: Sendable {
    struct Reply {
        let content: SIRIResponse
        let request: HTTPRequest
        let response: HTTPResponse
    }

    let configuration: SIRIConfiguration
    let transport: any HTTPTransport
    let clock: any MachineClock

    /// - Parameter withCalls: whether the calls before and after the stop are requested.
    func visits(at stop: StopID, withCalls: Bool = false) async throws(FeedFailure) -> Reply {
        if configuration.key.isMissing, !transport.hasRecorded(configuration.url) {
            throw configuration.key.missing(configuration.title)
        }
        let request = SIRIRequest(
            configuration: configuration, stop: stop.code, withCalls: withCalls, moment: clock.reading().wall
        ).request
        let (response, body) = try await transport.fetch(request)
        let content: SIRIResponse
        do throws(SIRIFault) {
            content = try SIRIResponse(
                body, withCalls: withCalls, language: configuration.options.language, zone: configuration.options.zone)
        } catch {
            throw failure(error, in: body, of: request, response, at: stop)
        }
        let reply = Reply(content: content, request: request, response: response)
        if response.isOK { return reply }
        // The error condition is more specific than the status.
        let error = content.errorCondition ?? SIRIErrorCondition()
        // Some report with 404 what others report with 200: no information about the stop.
        if error.meaning == .noInformation, error.error(in: response) == .unknownStop { return reply }
        throw failure(error, in: reply, at: stop)
    }

    func failure(_ error: SIRIErrorCondition, in reply: Reply, at stop: StopID) -> FeedFailure {
        policy(at: stop).failure(
            error.error(in: reply.response), reply.response, message: error.text, of: reply.request)
    }

    func failureOfTimes(in reply: Reply, at stop: StopID) -> FeedFailure {
        let advice =
            reply.content.lacksZone
            ? "its times have no zone: set zone in boardd.toml, [feed.\(stop.feed)], to the operator's, such as Europe/Paris"
            : "its visits have no readable time"
        return policy(at: stop).failure(.unreadable, advice, of: reply.request)
    }

    /// The failure for a response with departures and without situations. The user can do nothing about it.
    func failureOfSituations(_ error: SIRIErrorCondition, in reply: Reply, at stop: StopID) -> FeedFailure {
        policy(at: stop).failure(
            .unavailable, "no situations in the response, so there are no alerts", message: error.text,
            of: reply.request)
    }

    /// The failure for a response that is not SIRI. Some gateways send errors with status 200.
    private func failure(
        _ fault: SIRIFault, in body: [UInt8], of request: HTTPRequest, _ response: HTTPResponse, at stop: StopID
    ) -> FeedFailure {
        let error = SIRIErrorCondition(gateway: fault.message, response)
        guard response.isOK, error.meaning == .other else {
            return policy(at: stop).failure(error.error(in: response), response, message: fault.message, of: request)
        }
        return policy(at: stop).unreadable(
            "\(fault.masked(in: body, of: request))", message: fault.message, of: request)
    }

    private func policy(at stop: StopID) -> ResponseStatusPolicy {
        ResponseStatusPolicy(
            title: configuration.title, settings: "url, request and parameters in boardd.toml, [feed.\(stop.feed)]",
            stop: stop.code, authentication: configuration.key.rejection)
    }
}
