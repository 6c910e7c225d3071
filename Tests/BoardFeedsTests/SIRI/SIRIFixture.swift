import BoardCore
import Testing

@testable import BoardFeeds
@testable import BoardFormats

/// An invented operator's responses of 2 March 2026, made at 8:00 UTC.
enum SIRIFixture {
    static let feed = FeedName("siri.vale")
    static let keyName = "SIRI_VALE_KEY"
    static let stop = StopID(feed: feed, code: "S1")

    /// All formats of a response.
    enum Form: CaseIterable, CustomTestStringConvertible {
        case xml, prefixed, soap, json, rootless, lists, values, valueLists

        var testDescription: String { "\(self)" }
    }

    /// "2026-03-02T08:05:00Z" of "08:05".
    static func time(_ clock: String) -> String {
        "2026-03-02T\(clock.count == 5 ? clock + ":00" : clock)Z"
    }

    static func moment(_ clock: String) throws -> Timestamp { try #require(Timestamp(rfc3339: time(clock))) }

    /// A delivery of visits.
    static func delivery(
        _ visits: [ResponseNode], validUntil: String? = nil, error: ResponseNode? = nil
    ) -> ResponseNode {
        ResponseNode(
            "StopMonitoringDelivery",
            [ResponseNode("ResponseTimestamp", time("08:00")), ResponseNode("Status", error == nil ? "true" : "false")]
                + (validUntil.map { [ResponseNode("ValidUntil", time($0))] } ?? []) + (error.map { [$0] } ?? [])
                + visits)
    }

    /// An error condition.
    static func error(_ kind: String, _ text: String) -> ResponseNode {
        ResponseNode(
            "ErrorCondition",
            [ResponseNode(kind, [ResponseNode("ErrorText", text)]), ResponseNode("Description", text)])
    }

    /// A visit.
    ///
    /// - Parameters:
    /// - journey: further elements of the journey.
    /// - call: further elements of the call.
    static func visit(
        _ line: String = "B6", to destination: String = "Harbour", id: String = "1", recorded: String = "07:59:40",
        expected: String? = nil, aimed: String? = nil, monitored: String? = "true", stop: String = "S1",
        attributes: [ResponseNode] = [], call: [ResponseNode] = []
    ) -> ResponseNode {
        ResponseNode(
            "MonitoredStopVisit",
            [
                ResponseNode("RecordedAtTime", recorded.contains("-") ? recorded : time(recorded)),
                ResponseNode("MonitoringRef", "S1"),
                ResponseNode(
                    "MonitoredVehicleJourney",
                    [
                        ResponseNode("LineRef", "VALE_\(line)"), ResponseNode("PublishedLineName", line),
                        ResponseNode("DirectionRef", "0"),
                        ResponseNode(
                            "FramedVehicleJourneyRef",
                            [ResponseNode("DataFrameRef", "2026-03-02"), ResponseNode("DatedVehicleJourneyRef", id)]),
                        ResponseNode("DestinationName", destination), ResponseNode("VehicleRef", "VALE_4\(id)"),
                    ] + (monitored.map { [ResponseNode("Monitored", $0)] } ?? []) + attributes + [
                        ResponseNode(
                            "MonitoredCall",
                            [ResponseNode("StopPointRef", stop), ResponseNode("StopPointName", "Mill Lane")]
                                + (aimed.map { [ResponseNode("AimedDepartureTime", time($0))] } ?? [])
                                + (expected.map { [ResponseNode("ExpectedDepartureTime", time($0))] } ?? []) + call)
                    ]),
            ])
    }

    /// The bytes of a response.
    static func body(_ deliveries: [ResponseNode], _ form: Form = .json) -> [UInt8] {
        let inside = ResponseNode("ServiceDelivery", [ResponseNode("ResponseTimestamp", time("08:00"))] + deliveries)
        func json(_ wrapping: ResponseNode.Wrapping) -> String {
            ResponseNode("", [ResponseNode("Siri", [inside])]).json(wrapping)
        }
        let text =
            switch form {
            case .xml: "<?xml version=\"1.0\"?>" + ResponseNode("Siri", [inside]).xml()
            case .prefixed: ResponseNode("Siri", [inside]).xml("ns5:")
            case .soap:
                "\n<S:Envelope xmlns:S=\"x\"><S:Body><w:GetStopMonitoringResponse><ServiceDeliveryInfo>"
                    + ResponseNode("ResponseTimestamp", time("08:00")).xml("s:") + "</ServiceDeliveryInfo><Answer>"
                    + deliveries.map { $0.xml("s:") }.joined()
                    + "</Answer><AnswerExtension/></w:GetStopMonitoringResponse></S:Body></S:Envelope>"
            case .json: json(.plain)
            case .rootless: "\u{FEFF}" + ResponseNode("", [inside]).json(.plain)
            case .lists: json(.lists)
            case .values: json(.values)
            case .valueLists: json(.valueLists)
            }
        return Array(text.utf8)
    }

    /// The feed response for one delivery.
    static func feedResponse(
        _ visits: [ResponseNode], _ form: Form = .json, lines: [String] = [], names: [String: String] = [:],
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
                interval: .seconds(30)),
            HTTPResponse(status: 200, received: try moment("08:00:01")))
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
        try SIRIFeed(feed, Feeds.context(try settings(texts, key: key), over: transport))
    }

    /// The failure of a request; nil if it succeeds.
    static func failure(_ feed: SIRIFeed) async -> FeedFailure? {
        await feed.failure(of: FeedRequest(stop: stop))
    }
}
