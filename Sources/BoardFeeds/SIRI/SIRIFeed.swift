public import BoardCore

/// The departures of an operator with SIRI Stop Monitoring, in JSON or XML.
///
/// A stop takes one request. Times of vehicles that are not monitored are the timetable's and are marked as scheduled.
/// Calling points are requested when the user opens a departure.
public struct SIRIFeed: DepartureFeed {
    public let profile: FeedProfile
    private let api: SIRIAPI

    public init(_ name: FeedName, _ context: FeedContext) throws(FeedSettingError) {
        let configuration = try SIRIConfiguration(name, context)
        profile = Self.profile(
            name, title: configuration.title,
            attribution: context.settings.nonEmptyText("attribution") ?? "Data of \(configuration.title)",
            interval: configuration.options.interval)
        api = SIRIAPI(configuration: configuration, transport: context.transport, clock: context.clock)
    }

    /// Fetches the visits of a stop, with the alerts in the same response.
    public func departures(_ request: FeedRequest) async throws(FeedError) -> FeedResponse {
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
    public func tripDetails(of departure: Departure) async throws(FeedError) -> TripDetails? {
        guard departure.attributes?.id != nil else { return nil }
        let reply = try await visits(at: departure.stop, withCalls: true)
        guard let (visit, madeAt) = reply.content.visit(of: departure) else { return nil }
        return visit.tripDetails(of: departure, madeAt: madeAt ?? reply.response.madeAt)
    }

    /// Fetches the visits of a stop, which fails if the operator reports it as unknown or has no information about it.
    public func check(_ stop: StopID) async throws(FeedError) -> StopCheck {
        let reply = try await api.visits(at: stop)
        // A sentence that nothing is due is not an error; the standard's own condition is: it may mean an unknown stop.
        if let error = reply.content.errorCondition, error.kind == .noInformation || error.meaning != .noInformation {
            throw api.failure(error, in: reply, at: stop)
        }
        return StopCheck(.departures, name: reply.content.name(of: stop.code), lines: nil)
    }

    /// Fetches the visits of a stop; none if there is no information, as many operators say when nothing is due.
    private func visits(at stop: StopID, withCalls: Bool = false) async throws(FeedError) -> SIRIAPI.Reply {
        let reply = try await api.visits(at: stop, withCalls: withCalls)
        if let error = reply.content.errorCondition, error.meaning != .noInformation {
            throw api.failure(error, in: reply, at: stop)
        }
        return reply
    }
}

extension SIRIFeed {
    /// The prefix of the feeds' names.
    static let familyName = "siri"
    /// MTA's data change about every half minute, and MTA allows a request every half minute.
    static let expiry = ExpiryPolicy()

    /// The settings of each operator and the format of a stop's code.
    public static let family = FeedFamily(familyName) { name in
        FeedDeclaration(
            name: name, title: String(name.description.dropFirst(familyName.count + 1)),
            settings: [
                .init("title", .text(), "the operator's name, short enough for the display"),
                .init("url", .text(), "Stop Monitoring URL: https://…; required"),
                .init("request", .text(default: "get"), "request format: get, or a POST of xml or soap"),
                .init("parameters", .text(), "further request parameters: name=value, name=value"),
                .init(
                    "stop_parameter", .text(default: "MonitoringRef"),
                    "the query parameter that names the stop, for get"),
                .init("requestor", .text(default: "boardd"), "RequestorRef, for xml and soap, if it is not a secret"),
            ] + APIKeyPlacement.settings + [
                .init(
                    "line_element", .text(default: SIRILineNames.Element.publishedLineName.rawValue),
                    "the element of a visit that names its line: PublishedLineName or LineRef"),
                .init("line_names", .text(), "line names that the operator does not publish: ref=name, ref=name"),
                .init(
                    "zone", .text(),
                    "the operator's time zone, if it differs from this machine's, or its times have no offset"),
                .init("attribution", .text(), "the attribution that the operator's terms require"),
                .init("language", .text(default: "en"), "of names and alerts, if the operator sends several"),
                .init(
                    "interval", .duration(.seconds(10)...(.seconds(3_600)), default: .seconds(30)),
                    "between two polls of a stop"),
                .init(
                    "window", .duration(.seconds(600)...(.seconds(86_400)), default: .seconds(2 * 3_600)),
                    "how far ahead to request departures, for xml and soap"),
            ],
            secrets: [APIKeyPlacement.name(of: name)],
            check: { code in
                code.unicodeScalars.contains { $0.properties.generalCategory == .control }
                    ? "must be what the operator calls the stop (MonitoringRef)" : nil
            })
    }

    /// Vehicles report every half minute with a timestamp; an estimate is stale after 180 s, when several reports have
    /// failed. The quota is boardd's own safeguard, not the operator's.
    static func profile(_ name: FeedName, title: String, attribution: String, interval: Duration) -> FeedProfile {
        FeedProfile(
            name: name, title: title, attribution: attribution, expiry: expiry, suffixes: [],
            interval: interval, quota: .init(requests: 60, per: .seconds(60)))
    }
}

struct SIRIConfiguration: Sendable {
    /// The HTTP method and the format of the content.
    enum RequestFormat: String, CaseIterable, Sendable {
        case get, xml, soap
    }

    let title: String
    let url: HTTPURL
    let requestFormat: RequestFormat
    let parameters: SIRIParameters
    let stopParameter: String
    let requestor: String
    let key: APIKeyPlacement
    let window: Duration
    let options: SIRIResponse.Options

    init(_ name: FeedName, _ context: FeedContext) throws(FeedSettingError) {
        let settings = context.settings
        title = settings.nonEmptyText("title") ?? String(name.description.dropFirst(SIRIFeed.familyName.count + 1))
        let rule =
            "must be the https address of the operator's Stop Monitoring, such as https://example.org/siri/sm.json"
        guard let address = settings.nonEmptyText("url") else { throw FeedSettingError(setting: "url", detail: rule) }
        url = try context.address(
            "url", address, rule: rule + "; put further parameters into parameters, a key into keys.env")
        requestFormat = try Self.choice("request", settings[text: "request"])
        parameters = try SIRIParameters(settings[text: "parameters"], isElements: requestFormat != .get)
        stopParameter = settings[text: "stop_parameter"]
        requestor = settings[text: "requestor"]
        key = APIKeyPlacement(
            settings, of: name,
            place: requestFormat == .get ? "key_header or key_parameter" : "key_header, key_parameter or requestor")
        window = settings[duration: "window"]
        let zone: Zone? = if let name = settings.nonEmptyText("zone") { try context.zone(name) } else { nil }
        options = SIRIResponse.Options(
            zone: zone,
            lines: SIRILineNames(
                configured: try Self.names(settings[text: "line_names"]),
                element: try Self.choice("line_element", settings[text: "line_element"])),
            language: settings[text: "language"], interval: settings[duration: "interval"])
    }

    private static func choice<Choice: RawRepresentable<String> & CaseIterable>(
        _ setting: String, _ text: String
    ) throws(FeedSettingError) -> Choice {
        guard let choice = Choice(rawValue: text) else {
            throw FeedSettingError(
                setting: setting,
                detail: "\"\(text)\" must be " + Choice.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return choice
    }

    /// Parses "STIF:Line::C01727:=C, STIF:Line::C01737:=H".
    private static func names(_ text: String) throws(FeedSettingError) -> [String: String] {
        var names: [String: String] = [:]
        for part in text.split(separator: ",") {
            // A reference may contain an equals sign; a name for the display does not.
            guard let sign = part.lastIndex(of: "="), sign != part.startIndex else {
                throw FeedSettingError(
                    setting: "line_names",
                    detail: "\"\(part.trimmingBlanks())\" must be a line's reference and what you call it, such as "
                        + "STIF:Line::C01727:=C; separate several with commas")
            }
            names[part[..<sign].trimmingBlanks()] = part[part.index(after: sign)...].trimmingBlanks()
        }
        return names
    }
}

struct SIRILineNames: Hashable, Sendable {
    /// The element of a visit whose text names the line.
    enum Element: String, CaseIterable, Sendable {
        /// The name for riders, if the operator sends one.
        case publishedLineName = "PublishedLineName"
        /// The reference, if published names are streets ("MISSION") while buses show the reference ("14").
        case lineRef = "LineRef"
    }

    /// Configured names, by the operator's references; they override the operator's.
    var configured: [String: String] = [:]
    var element = Element.publishedLineName

    /// The name of the line with this reference.
    ///
    /// - Parameter published: the line's PublishedLineName; nil if absent.
    subscript(reference: String, published published: String? = nil) -> String {
        configured[reference] ?? (element == .publishedLineName ? published : nil) ?? SIRIReference.short(reference)
    }
}

/// Readable parts of operators' references.
enum SIRIReference {
    /// Parts of a reference that name its source, not the thing.
    private static let origins: Set<String> = ["LOC"]

    /// The short form of a reference, for operators that publish no name: "C01727" of "STIF:Line::C01727:", "B63" of
    /// "MTA NYCT_B63", "8A" of "8A".
    static func short(_ reference: String) -> String {
        let parts = reference.split(separator: ":").filter { !origins.contains(String($0)) }
        let last = parts.count > 1 ? String(parts[parts.count - 1]) : reference
        guard parts.count <= 1, let line = last.firstIndex(of: "_") else { return last }
        let rest = last[last.index(after: line)...]
        return rest.isEmpty ? last : String(rest)
    }

    /// The reference; nil for the dash that some operators send for none.
    static func valid(_ reference: String?) -> String? { reference.flatMap { $0 == "-" ? nil : $0 } }
}
