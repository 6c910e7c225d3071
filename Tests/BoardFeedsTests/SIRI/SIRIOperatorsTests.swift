import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

@Suite("Variations of SIRI by operator", .endsHangs)
struct SIRIOperatorsTests {
    /// A visit of an operator that publishes a street name and uses the reference as the line's name.
    private let bay = Node(
        "MonitoredStopVisit",
        [
            Node(
                "MonitoredVehicleJourney",
                [
                    Node("LineRef", "14"), Node("PublishedLineName", "MISSION"), Node("DirectionRef", "IB"),
                    Node("MonitoredCall", [Node("ExpectedDepartureTime", Vale.time("08:05"))]),
                ])
        ])

    private func rows(_ visit: Node) throws -> [String] { Vale.rows(try Vale.feedResponse([visit])) }

    /// Milliseconds since 1970.
    private func milliseconds(_ clock: String) throws -> Int64 { try Vale.moment(clock).microseconds / 1_000 }

    @Test(
        "times of WCF services are timestamps, whatever offset follows them",
        arguments: ["/Date(%)/", "/Date(%+1030)/", "/Date(%-0500)/", "\\/Date(%+1030)\\/"])
    func wcf(_ form: String) throws {
        func time(_ clock: String) throws -> String {
            form.replacing("%", with: "\(try milliseconds(clock))")
        }
        let json = """
            {"StopMonitoringDelivery":[{"MonitoredStopVisit":[{"RecordedAtTime":"\(try time("07:59:40"))",
            "MonitoredVehicleJourney":{"LineRef":"H30","DestinationName":"Harbour","Monitored":true,
            "MonitoredCall":{"AimedDepartureTime":"\(try time("08:03"))","ExpectedDepartureTime":"\(try time("08:05"))"}}}]}]}
            """
        let response = try Vale.feedResponse(Array(json.utf8))
        #expect(Vale.rows(response) == ["H30 Harbour 08:05, booked 08:03"])
        #expect(response.departures.map(\.madeAt) == [try Vale.moment("07:59:40")])
    }

    @Test(
        "malformed WCF times are rejected",
        arguments: [
            "/Date()/", "/Date(17x)/", "/Date(1700000000000", "/Date(1700000000000+10)/", "/Date(1700000000000+10:30)/",
            "/Date(1700000000000)", "/Date(999999999999999999999999)/", "/Date(-62135596800000)/",
            "Date(1700000000000)/", "/Date(1700000000000+1030)/ ", "/Date(1700000000000+1030",
        ])
    func noWCF(_ text: String) {
        #expect(Timestamp(wcfDate: text.utf8.span) == nil)
    }

    @Test("WCF's \"no date\" is absent, not unreadable")
    func noDate() throws {
        let none = Node("ExpectedDepartureTime", "/Date(-62135596800000)/")
        let response = try Vale.feedResponse([Vale.visit(aimed: "08:03", call: [none])])
        #expect(Vale.rows(response) == ["B6 Harbour *08:03, booked 08:03"] && response.badRows == 0)
        let odd = try Vale.feedResponse([Vale.visit(call: [Node("ExpectedDepartureTime", "/Date(soon)/")])])
        #expect(odd.badRows == 1)
        let empty = try Vale.feedResponse([Vale.visit(call: [none])])
        #expect(empty.departures.isEmpty && empty.badRows == 0)
    }

    @Test("a visit that only arrives at its terminus is not a departure, by reference or by name")
    func ends() throws {
        let aimed = [Node("AimedArrivalTime", Vale.time("08:05"))]
        func visit(_ attributes: [Node], call: [Node] = []) -> Node {
            Vale.visit(to: "Mill Lane", attributes: attributes, call: aimed + call)
        }
        #expect(try rows(visit([Node("DestinationRef", "S1")])).isEmpty)
        #expect(try rows(visit([])).isEmpty, "its destination is called as the stop is")
        #expect(try rows(visit([Node("DestinationRef", "S9")])) == ["B6 Mill Lane *08:05, booked 08:05"])
        #expect(
            try rows(Vale.visit(attributes: [], call: aimed)) == ["B6 Harbour *08:05, booked 08:05"],
            "it continues, though only its arrival is given")
        #expect(
            try rows(visit([], call: [Node("AimedDepartureTime", Vale.time("08:06"))])).count == 1,
            "a circular line departs from where it ends")
        let platform = Vale.visit(stop: "S1-A", attributes: [Node("DestinationRef", "S1")], call: aimed)
        #expect(try rows(platform).isEmpty, "the call is at a platform of the stop where the journey ends")
    }

    @Test("a call without a reference is at the requested stop, where the journey ends")
    func endsAtRequestedStop() throws {
        let json = """
            {"StopMonitoringDelivery":{"MonitoredStopVisit":{"MonitoredVehicleJourney":{"LineRef":"B6","DestinationRef":"S1",
            "MonitoredCall":{"AimedArrivalTime":"\(Vale.time("08:05"))"}}}}}
            """
        #expect(try Vale.feedResponse(Array(json.utf8)).departures.isEmpty)
        // Without a destination nothing indicates that the journey ends here.
        let open = json.replacing(#""DestinationRef":"S1","#, with: "")
        #expect(try Vale.feedResponse(Array(open.utf8)).departures.count == 1)
    }

    @Test("line_element chooses between the published name and the reference; configured names override both")
    func lineElement() throws {
        let visit = Vale.visit("MISSION", expected: "08:05")
        #expect(try Vale.feedResponse([visit]).departures.map(\.line.name) == ["MISSION"])
        let reference = try Vale.feedResponse([visit], element: .lineRef)
        #expect(reference.departures.map(\.line) == [Line(id: "VALE_MISSION", name: "MISSION")])
        func line(_ element: SIRILineNames.Element, _ names: [String: String] = [:]) throws -> [String] {
            Vale.rows(try Vale.feedResponse([bay], names: names, element: element))
        }
        #expect(try line(.publishedLineName) == ["MISSION IB 08:05"])
        #expect(try line(.lineRef) == ["14 IB 08:05"])
        #expect(try line(.lineRef, ["14": "Fourteen"]) == ["Fourteen IB 08:05"])
    }

    @Test("line_element is read from the settings, and any value other than SIRI's two elements is rejected")
    func setting() async throws {
        let body = Vale.body([Vale.delivery([bay])])
        @Sendable func names(_ element: String) async throws -> [String] {
            let transport = CannedTransport { _ in (200, body) }
            let feed = try Vale.make(["line_element": element], over: transport)
            return try await feed.departures(FeedRequest(stop: Vale.stop)).departures.map(\.line.name)
        }
        #expect(try await names("PublishedLineName") == ["MISSION"])
        #expect(try await names("LineRef") == ["14"])
        let failure = await #expect(throws: FeedSettingError.self) { _ = try await names("line") }
        #expect(failure?.setting == "line_element")
        #expect(failure?.detail == "\"line\" must be PublishedLineName, LineRef")
    }

    @Test("a direction that is a word replaces a missing destination; a number does not")
    func direction() throws {
        func destination(_ direction: String, _ more: [Node] = []) throws -> String? {
            let visit = Node(
                "MonitoredStopVisit",
                [
                    Node(
                        "MonitoredVehicleJourney",
                        [
                            Node("LineRef", "14"), Node("DirectionRef", direction),
                            Node("MonitoredCall", [Node("ExpectedDepartureTime", Vale.time("08:05"))]),
                        ] + more)
                ])
            return try Vale.feedResponse([visit]).departures.first?.destination
        }
        #expect(try destination("Outbound") == "Outbound")
        #expect(try destination("0") == "")
        #expect(try destination("IB", [Node("DirectionName", "Downtown")]) == "Downtown")
        #expect(try destination("IB", [Node("DestinationName", "Ferry Plaza")]) == "Ferry Plaza")
    }
}
