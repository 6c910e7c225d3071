import BoardCore

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
    func visits(at stop: StopID, withCalls: Bool = false) async throws(FeedError) -> Reply {
        if configuration.key.isMissing, !transport.hasRecorded(configuration.url) {
            throw configuration.key.missing(configuration.title)
        }
        let request = configuration.request(at: stop.code, withCalls: withCalls, moment: clock.reading().wall)
        let (response, body) = try await transport.fetch(request)
        let content: SIRIResponse
        do throws(FormatError) {
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

    func failure(_ error: SIRIErrorCondition, in reply: Reply, at stop: StopID) -> FeedError {
        policy(at: stop).failure(
            error.error(in: reply.response), reply.response, message: error.text, of: reply.request)
    }

    func failureOfTimes(in reply: Reply, at stop: StopID) -> FeedError {
        let advice =
            reply.content.lacksZone
            ? "its times have no zone: set zone in boardd.toml, [feed.\(stop.feed)], to the operator's, such as Europe/Paris"
            : "its visits have no readable time"
        return policy(at: stop).failure(.unreadable, advice, of: reply.request)
    }

    /// The failure for a response with departures but without situations. The user can do nothing about it.
    func failureOfSituations(_ error: SIRIErrorCondition, in reply: Reply, at stop: StopID) -> FeedError {
        policy(at: stop).failure(
            .unavailable, "no situations in the response, so there are no alerts", message: error.text,
            of: reply.request)
    }

    /// The failure for a response that is not SIRI. Some gateways send errors with status 200.
    private func failure(
        _ fault: FormatError, in body: [UInt8], of request: HTTPRequest, _ response: HTTPResponse, at stop: StopID
    ) -> FeedError {
        let error = SIRIErrorCondition(gateway: fault.message, response)
        guard response.isOK, error.meaning == .other else {
            return policy(at: stop).failure(error.error(in: response), response, message: fault.message, of: request)
        }
        return policy(at: stop).unreadable(
            "\(fault.masked(in: body, of: request, expecting: .jsonOrXML))", message: fault.message, of: request)
    }

    private func policy(at stop: StopID) -> ResponseStatusPolicy {
        ResponseStatusPolicy(
            title: configuration.title, settings: "url, request and parameters in boardd.toml, [feed.\(stop.feed)]",
            stop: stop.code, authentication: configuration.key.rejection)
    }
}

extension SIRIConfiguration {
    /// The most bytes of a response; the largest recorded one, a whole day at a busy stop, has 803 kB.
    private static let responseLimit = 2_000_000
    /// The content type of SOAP 1.1, which all of SIRI's services support (SIRI 2.0, part 2, WSDL).
    private static let type = "text/xml; charset=utf-8"
    private static let soap = "http://schemas.xmlsoap.org/soap/envelope/"
    private static let services = "http://wsdl.siri.org.uk"
    private static let schema = "http://www.siri.org.uk/siri"
    /// The namespace of version 1.0, which Traveline still uses.
    private static let firstSchema = "http://www.siri.org.uk/"
    private static let defaultVersion = "2.0"

    /// A Stop Monitoring request, in the configured format.
    ///
    /// - Parameters:
    ///   - stop: the operator's code.
    ///   - withCalls: whether the calls before and after the stop are requested.
    ///   - moment: the request's timestamp, which does not identify it.
    func request(at stop: String, withCalls: Bool = false, moment: Timestamp) -> HTTPRequest {
        var parameters = parameters
        if withCalls { parameters = parameters.adding("StopMonitoringDetailLevel", "calls") }
        guard requestFormat != .get else {
            return HTTPRequest(
                url.appending([], query: parameters.items + [(stopParameter, stop)]), secrets: key.items,
                secretHeaders: key.headers, limit: Self.responseLimit)
        }
        let minutes = window.components.seconds / 60
        parameters = parameters.adding("PreviewInterval", "PT\(minutes)M").adding("MonitoringRef", stop)
        let isSOAP = requestFormat == .soap
        return HTTPRequest(
            url, secrets: key.items, headers: isSOAP ? [.init("SOAPAction", "\"GetStopMonitoring\"")] : [],
            secretHeaders: key.headers,
            content: HTTPContent(type: Self.type, pieces: content(parameters, isSOAP: isSOAP, moment: moment)),
            limit: Self.responseLimit)
    }

    private func content(_ parameters: SIRIParameters, isSOAP: Bool, moment: Timestamp) -> [HTTPContent.Piece] {
        let prefix = isSOAP ? "siri:" : ""
        func element(_ name: String, _ piece: HTTPContent.Piece) -> [HTTPContent.Piece] {
            [.text("<\(prefix)\(name)>"), piece, .text("</\(prefix)\(name)>")]
        }
        let name: HTTPContent.Piece =
            if let secret = key.secret, !key.isConfigured {
                .secret(secret)
            } else {
                .variable(XMLText.escaped(requestor))
            }
        let timestamp = element("RequestTimestamp", .variable(moment.rfc3339))
        let identifier = element("MessageIdentifier", .variable("boardd-\(moment.microseconds)"))
        let head = timestamp + element("RequestorRef", name)
        let version = XMLText.escaped(parameters["version"] ?? Self.defaultVersion)
        let schema = version.hasPrefix("1.0") ? Self.firstSchema : Self.schema
        let elements = parameters.xml(prefix: prefix)
        guard isSOAP else {
            return [.text("<Siri xmlns=\"\(schema)\" version=\"\(version)\"><ServiceRequest>")] + head
                + [.text("<StopMonitoringRequest version=\"\(version)\">")] + timestamp + identifier
                + [.text(elements + "</StopMonitoringRequest></ServiceRequest></Siri>")]
        }
        let envelope = "<soap:Envelope xmlns:soap=\"\(Self.soap)\"><soap:Body><sw:GetStopMonitoring "
        let end = "</Request><RequestExtension/></sw:GetStopMonitoring></soap:Body></soap:Envelope>"
        return [.text(envelope + "xmlns:sw=\"\(Self.services)\" xmlns:siri=\"\(Self.schema)\"><ServiceRequestInfo>")]
            + head + identifier + [.text("</ServiceRequestInfo><Request version=\"\(version)\">")] + timestamp
            + identifier + [.text(elements + end)]
    }
}

/// The configured request parameters besides the stop: "version=2, OperatorRef=MTA".
struct SIRIParameters: Sendable {
    /// Endings of parameter names that are keys, in lower case and letters only: they belong in keys.env.
    private static let keys = ["key", "token", "secret", "password", "requestorref"]
    /// The elements of a request in the order of its schema, which is a sequence (SIRI 1.0 to 2.1).
    private static let elements = [
        "PreviewInterval", "StartTime", "MonitoringRef", "OperatorRef", "LineRef", "DirectionRef", "DestinationRef",
        "StopVisitTypes", "Language", "MaximumStopVisits", "MinimumStopVisitsPerLine", "MinimumStopVisitsPerLineVia",
        "MaximumTextLength", "StopMonitoringDetailLevel", "IncludeSituations",
    ]

    private(set) var items: [(name: String, value: String)]

    /// Parses the setting. A value may have blanks or percent-encoding, as in copied URLs: "MTA NYCT_B63" or
    /// "MTA%20NYCT_B63".
    init(_ text: String, isElements: Bool) throws(FeedSettingError) {
        items = []
        for part in text.split(separator: ",") {
            let pair = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            guard pair.count == 2, !part.contains("&"), let bytes = PercentEncoding.decoded(pair[1].trimmingBlanks()),
                let value = String(validating: bytes, as: UTF8.self)
            else {
                // The part may be a key: the message must not repeat it.
                throw Self.failure(
                    "found a part that is not name=value; separate parts with commas, not &: version=2, OperatorRef=MTA"
                )
            }
            let name = pair[0].trimmingBlanks()
            guard !Self.keys.contains(where: name.lowercased().filter(\.isLetter).hasSuffix) else {
                throw Self.failure("\"\(name)\" is a key: put it into keys.env, and its name into key_parameter")
            }
            guard !isElements || name == "version" || Self.elements.contains(name) && name != "MonitoringRef" else {
                throw Self.failure(
                    "\"\(name)\" is not an element of an XML request; those are version, "
                        + Self.elements.filter { $0 != "MonitoringRef" }.joined(separator: ", "))
            }
            // A query may repeat a name.
            guard !isElements || self[name] == nil else {
                throw Self.failure("\"\(name)\" appears twice, but an XML request has it only once: remove one")
            }
            items.append((name, value))
        }
    }

    subscript(name: String) -> String? { items.first { $0.name == name }?.value }

    /// A copy with one more parameter, unless it is configured.
    func adding(_ name: String, _ value: String) -> SIRIParameters {
        var more = self
        if self[name] == nil { more.items.append((name, value)) }
        return more
    }

    /// The parameters as XML elements in the order of the schema.
    func xml(prefix: String) -> String {
        Self.elements.flatMap { element in
            items.filter { $0.name == element }.map { item in
                "<\(prefix)\(element)>\(XMLText.escaped(item.value))</\(prefix)\(element)>"
            }
        }.joined()
    }

    private static func failure(_ detail: String) -> FeedSettingError {
        FeedSettingError(setting: "parameters", detail: detail)
    }
}
