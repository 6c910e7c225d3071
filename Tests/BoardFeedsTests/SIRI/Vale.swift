import BoardCore
import Testing

@testable import BoardFeeds

/// An invented operator's responses of 2 March 2026, made at 8:00 UTC.
enum Vale {
    static let feed = FeedName("siri.vale")
    static let keyName = "SIRI_VALE_KEY"
    static let stop = StopID(feed: feed, code: "S1")

    /// All formats of a response.
    enum Form: CaseIterable, CustomTestStringConvertible {
        case xml, prefixed, soap, json, rootless, lists, values, valueLists

        var testDescription: String { "\(self)" }
    }

    /// "2026-03-02T08:05:00Z" of "08:05".
    static func time(_ clock: String) -> String { "2026-03-02T\(clock.count == 5 ? clock + ":00" : clock)Z" }

    static func moment(_ clock: String) throws -> Timestamp { try #require(Timestamp(rfc3339: time(clock))) }

    /// A delivery of visits.
    static func delivery(_ visits: [Node], validUntil: String? = nil, error: Node? = nil) -> Node {
        Node(
            "StopMonitoringDelivery",
            [Node("ResponseTimestamp", time("08:00")), Node("Status", error == nil ? "true" : "false")]
                + (validUntil.map { [Node("ValidUntil", time($0))] } ?? []) + (error.map { [$0] } ?? []) + visits)
    }

    /// An error condition.
    static func error(_ kind: String, _ text: String) -> Node {
        Node("ErrorCondition", [Node(kind, [Node("ErrorText", text)]), Node("Description", text)])
    }

    /// A visit.
    ///
    /// - Parameters:
    /// - journey: further elements of the journey.
    /// - call: further elements of the call.
    static func visit(
        _ line: String = "B6", to destination: String = "Harbour", id: String = "1", recorded: String = "07:59:40",
        expected: String? = nil, aimed: String? = nil, monitored: String? = "true", stop: String = "S1",
        attributes: [Node] = [], call: [Node] = []
    ) -> Node {
        Node(
            "MonitoredStopVisit",
            [
                Node("RecordedAtTime", recorded.contains("-") ? recorded : time(recorded)), Node("MonitoringRef", "S1"),
                Node(
                    "MonitoredVehicleJourney",
                    [
                        Node("LineRef", "VALE_\(line)"), Node("PublishedLineName", line), Node("DirectionRef", "0"),
                        Node(
                            "FramedVehicleJourneyRef",
                            [Node("DataFrameRef", "2026-03-02"), Node("DatedVehicleJourneyRef", id)]),
                        Node("DestinationName", destination), Node("VehicleRef", "VALE_4\(id)"),
                    ] + (monitored.map { [Node("Monitored", $0)] } ?? []) + attributes + [
                        Node(
                            "MonitoredCall",
                            [Node("StopPointRef", stop), Node("StopPointName", "Mill Lane")]
                                + (aimed.map { [Node("AimedDepartureTime", time($0))] } ?? [])
                                + (expected.map { [Node("ExpectedDepartureTime", time($0))] } ?? []) + call)
                    ]),
            ])
    }

    /// The bytes of a response.
    static func body(_ deliveries: [Node], _ form: Form = .json) -> [UInt8] {
        let inside = Node("ServiceDelivery", [Node("ResponseTimestamp", time("08:00"))] + deliveries)
        func json(_ wrapping: Node.Wrapping) -> String { Node("", [Node("Siri", [inside])]).json(wrapping) }
        let text =
            switch form {
            case .xml: "<?xml version=\"1.0\"?>" + Node("Siri", [inside]).xml()
            case .prefixed: Node("Siri", [inside]).xml("ns5:")
            case .soap:
                "\n<S:Envelope xmlns:S=\"x\"><S:Body><w:GetStopMonitoringResponse><ServiceDeliveryInfo>"
                    + Node("ResponseTimestamp", time("08:00")).xml("s:") + "</ServiceDeliveryInfo><Answer>"
                    + deliveries.map { $0.xml("s:") }.joined()
                    + "</Answer><AnswerExtension/></w:GetStopMonitoringResponse></S:Body></S:Envelope>"
            case .json: json(.plain)
            case .rootless: "\u{FEFF}" + Node("", [inside]).json(.plain)
            case .lists: json(.lists)
            case .values: json(.values)
            case .valueLists: json(.valueLists)
            }
        return Array(text.utf8)
    }

    /// The feed response for one delivery.
    static func feedResponse(
        _ visits: [Node], _ form: Form = .json, lines: [String] = [], names: [String: String] = [:],
        element: SIRILineNames.Element = .publishedLineName
    ) throws -> FeedResponse {
        try feedResponse(body([delivery(visits)], form), lines: lines, names: names, element: element)
    }

    /// The feed response for a body.
    static func feedResponse(
        _ body: [UInt8], of stop: StopID = stop, lines: [String] = [], names: [String: String] = [:], zone: Zone? = nil,
        language: String = "en", element: SIRILineNames.Element = .publishedLineName
    ) throws -> FeedResponse {
        try SIRIResponse(body, language: language, zone: zone).feedResponse(
            to: FeedRequest(stop: stop, lines: lines),
            .init(
                zone: zone, lines: SIRILineNames(configured: names, element: element), language: language,
                interval: .seconds(30)), HTTPResponse(status: 200, received: moment("08:00:01")))
    }

    /// One line for each departure, times in UTC: "B6 Harbour 08:05", `*` if scheduled, and further details.
    static func rows(_ response: FeedResponse) -> [String] {
        response.departures.map { row in
            let state =
                switch row.status {
                case .expected(let time): clock(time)
                case .scheduled(let time): "*" + clock(time)
                case .delayed: "delayed"
                case .cancelled: "cancelled"
                }
            let extras = [
                row.booked.map { "booked " + clock($0) }, row.platform.map { "platform " + $0 },
                row.attributes?.stage.map { "\($0)" }, row.attributes?.reason,
            ].compactMap(\.self)
            return (["\(row.line.name) \(row.destination) \(state)"] + extras).joined(separator: ", ")
        }
    }

    static func clock(_ time: Timestamp) -> String {
        let text = time.rfc3339.dropFirst(11)
        return String(text.prefix(text.dropFirst(6).hasPrefix("00") ? 5 : 8))
    }

    /// Default settings with changes.
    static func settings(_ texts: [String: String] = [:], key: String? = nil) throws -> FeedSettings {
        var settings = FeedSettings(defaultsOf: try #require(SIRIFeed.family.member(feed)))
        settings.set("title", to: .text("Vale"))
        settings.set("url", to: .text("https://vale.example/siri/sm"))
        for (name, text) in texts { settings.set(name, to: .text(text)) }
        settings.setSecret(keyName, to: key.map { Secret($0) })
        return settings
    }

    /// A feed.
    static func make(
        _ texts: [String: String] = [:], key: String? = nil, over transport: any HTTPTransport
    ) throws -> SIRIFeed {
        try SIRIFeed(feed, Feeds.context(settings(texts, key: key), over: transport))
    }

    /// The failure of a request; nil if it succeeds.
    static func failure(_ feed: SIRIFeed) async -> FeedError? {
        await feed.failure(of: FeedRequest(stop: stop))
    }
}
