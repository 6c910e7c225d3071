import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

@Suite("SIRI requests", .endsHangs)
struct SIRIRequestTests {
    private static let empty = Vale.body([Vale.delivery([])], .xml)

    /// The request for the stop, and for its trip details.
    private func request(
        _ settings: [String: String], key: String? = nil, stop: String = "S 1", withCalls: Bool = false,
        window: Duration? = nil
    ) throws -> HTTPRequest {
        var texts = try Vale.settings(settings, key: key)
        if let window { texts.set("window", to: .duration(window)) }
        let configuration = try SIRIConfiguration(Vale.feed, Feeds.context(texts, over: CannedTransport { _ in nil }))
        return configuration.request(at: stop, withCalls: withCalls, moment: try Vale.moment("08:00"))
    }

    @Test("GET has the configured parameters beside the stop, and the key in its place")
    func get() throws {
        let parameters = ["parameters": "version=2, OperatorRef = MTA,LineRef=MTA%20NYCT_B63, DirectionRef="]
        let plain = try request(parameters.merging(["key_parameter": "key"]) { $1 }, key: "a/b")
        let address =
            "https://vale.example/siri/sm?version=2&OperatorRef=MTA&LineRef=MTA%20NYCT_B63&DirectionRef=&MonitoringRef=S%201"
        #expect("\(plain)" == "GET \(address)")
        #expect(plain.revealedURL == address + "&key=a%2Fb")
        let header = try request(["key_header": "apikey", "stop_parameter": "stopcode"], key: "k")
        #expect(header.revealedURL == "https://vale.example/siri/sm?stopcode=S%201")
        #expect(header.secretHeaders.map { "\($0.name)=\($0.value.revealed)" } == ["apikey=k"])
        #expect(try request([:], withCalls: true).url.target.contains("?StopMonitoringDetailLevel=calls&"))
        #expect(
            try request(["parameters": "StopMonitoringDetailLevel=full"], withCalls: true).url.target
                == "/siri/sm?StopMonitoringDetailLevel=full&MonitoringRef=S%201")
    }

    @Test("XML has its elements in the order of the schema, whatever the order in the configuration")
    func xml() throws {
        let request = try request(
            [
                "request": "xml", "requestor": "me & you",
                "parameters": "MaximumStopVisits=9, LineRef=L%3C1, version=1.3",
            ],
            stop: "A&B", window: .seconds(3_600))
        let content = try #require(request.content)
        #expect(
            content.revealed
                == "<Siri xmlns=\"http://www.siri.org.uk/siri\" version=\"1.3\"><ServiceRequest><RequestTimestamp>"
                + "2026-03-02T08:00:00Z</RequestTimestamp><RequestorRef>me &amp; you</RequestorRef>"
                + "<StopMonitoringRequest version=\"1.3\"><RequestTimestamp>2026-03-02T08:00:00Z</RequestTimestamp>"
                + "<MessageIdentifier>boardd-1772438400000000</MessageIdentifier><PreviewInterval>PT60M</PreviewInterval>"
                + "<MonitoringRef>A&amp;B</MonitoringRef><LineRef>L&lt;1</LineRef><MaximumStopVisits>9</MaximumStopVisits>"
                + "</StopMonitoringRequest></ServiceRequest></Siri>")
        #expect("\(request)" == "POST https://vale.example/siri/sm")
        #expect(content.type == "text/xml; charset=utf-8")
    }

    @Test("XML of version 1.0 has that version's name space")
    func first() throws {
        let content = try #require(try request(["request": "xml", "parameters": "version=1.0"]).content)
        #expect(content.revealed.hasPrefix("<Siri xmlns=\"http://www.siri.org.uk/\" version=\"1.0\">"))
        let second = try #require(try request(["request": "xml"]).content)
        #expect(second.revealed.hasPrefix("<Siri xmlns=\"http://www.siri.org.uk/siri\" version=\"2.0\">"))
    }

    @Test(
        "SOAP has the requestor in an element of its own, with the key as RequestorRef if no place is configured for it"
    )
    func soap() throws {
        let request = try request(["request": "soap"], key: "k<1", withCalls: true)
        let content = try #require(request.content)
        #expect(
            content.revealed
                == "<soap:Envelope xmlns:soap=\"http://schemas.xmlsoap.org/soap/envelope/\"><soap:Body>"
                + "<sw:GetStopMonitoring xmlns:sw=\"http://wsdl.siri.org.uk\" xmlns:siri=\"http://www.siri.org.uk/siri\">"
                + "<ServiceRequestInfo><siri:RequestTimestamp>2026-03-02T08:00:00Z</siri:RequestTimestamp>"
                + "<siri:RequestorRef>k&lt;1</siri:RequestorRef><siri:MessageIdentifier>boardd-1772438400000000"
                + "</siri:MessageIdentifier></ServiceRequestInfo><Request version=\"2.0\"><siri:RequestTimestamp>"
                + "2026-03-02T08:00:00Z</siri:RequestTimestamp><siri:MessageIdentifier>boardd-1772438400000000"
                + "</siri:MessageIdentifier><siri:PreviewInterval>PT120M</siri:PreviewInterval><siri:MonitoringRef>S 1"
                + "</siri:MonitoringRef><siri:StopMonitoringDetailLevel>calls</siri:StopMonitoringDetailLevel></Request>"
                + "<RequestExtension/></sw:GetStopMonitoring></soap:Body></soap:Envelope>")
        #expect(request.headers == [.init("SOAPAction", "\"GetStopMonitoring\"")])
        #expect(!content.description.contains("k<1") && !content.description.contains("k&lt;1"))
        let header = try self.request(["request": "soap", "key_header": "Authorization"], key: "k").content
        #expect(header?.revealed.contains("<siri:RequestorRef>boardd</siri:RequestorRef>") == true)
    }

    @Test("requests at different times have equal match keys, so that a recording serves them")
    func passing() throws {
        let configuration = try SIRIConfiguration(
            Vale.feed, Feeds.context(Vale.settings(["request": "soap"]), over: CannedTransport { _ in nil }))
        let requests = try ["08:00", "08:01"].map { clock in
            configuration.request(at: "S1", moment: try Vale.moment(clock))
        }
        #expect(requests[0].matchKey == requests[1].matchKey)
        #expect(requests[0].content?.revealed != requests[1].content?.revealed)
    }

    @Test(
        "invalid settings are rejected at the start, with the setting, what was found and what to do",
        arguments: [
            (["url": ""], "url: must be the https address of the operator's Stop Monitoring"),
            (["url": "http://vale.example/"], "url: \"http://vale.example/\" must be the https address"),
            (
                ["url": "https://vale.example/?key=sekret"],
                "url: found a URL with user name, password or query"
            ),
            (["request": "put"], "request: \"put\" must be get, xml, soap"),
            (["parameters": "version"], "parameters: found a part that is not name=value"),
            (["parameters": "a=b&key=sekret"], "parameters: found a part that is not name=value"),
            (["parameters": "a=%ZZ"], "parameters: found a part that is not name=value"),
            (["parameters": "a=b, key=sekret"], "parameters: \"key\" is a key: put it into keys.env"),
            (["parameters": "api_key=sekret"], "parameters: \"api_key\" is a key: put it into keys.env"),
            (
                ["parameters": "Ocp-Apim-Subscription-Key=sekret"],
                "parameters: \"Ocp-Apim-Subscription-Key\" is a key: put it into keys.env"
            ), (["parameters": "client_secret=sekret"], "parameters: \"client_secret\" is a key: put it into keys.env"),
            (
                ["parameters": "LineRef=A, LineRef=B", "request": "soap"],
                "parameters: \"LineRef\" appears twice, but an XML request has it only once"
            ),
            (
                ["parameters": "agency=SF", "request": "xml"],
                "parameters: \"agency\" is not an element of an XML request; those are version, PreviewInterval, StartTime"
            ), (["line_names": "C01727"], "line_names: \"C01727\" must be a line's reference and what you call it"),
            (["zone": "Mars/Olympus"], "zone: no time zone \"Mars/Olympus\""),
        ])
    func rejected(_ settings: [String: String], _ expected: String) throws {
        let failure = try #require(throws: FeedSettingError.self) {
            _ = try Vale.make(settings, over: CannedTransport { _ in nil })
        }
        #expect(failure.description.hasPrefix(expected), "\(failure)")
        #expect(!failure.description.contains("sekret"))
    }

    @Test("line names and the zone come from the configuration")
    func reading() async throws {
        let transport = CannedTransport { _ in (200, Vale.body([Vale.delivery([Vale.visit(expected: "08:05")])])) }
        let feed = try Vale.make(
            ["line_names": "VALE_B6 = Six, STIF:Line::C=1:=C", "zone": "Europe/London"], over: transport)
        let response = try await feed.departures(FeedRequest(stop: Vale.stop))
        #expect(response.departures.first?.line == Line(id: "VALE_B6", name: "Six"))
        #expect(response.stop.zone == (try Feeds.london("Europe/London")))
        #expect(feed.profile.title == "Vale" && feed.profile.attribution == "Data of Vale")
    }
}
