import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

@Suite("SIRI as single operators write it", .endsHangs)
struct SIRIOperatorsTests {
    /// A visit of an operator that publishes the name of a street and calls the line by its reference.
    private let bay = Told(
        "MonitoredStopVisit",
        [
            Told(
                "MonitoredVehicleJourney",
                [
                    Told("LineRef", "14"), Told("PublishedLineName", "MISSION"), Told("DirectionRef", "IB"),
                    Told("MonitoredCall", [Told("ExpectedDepartureTime", SIRITown.time("08:05"))]),
                ])
        ])

    private func rows(_ visit: Told) throws -> [String] { SIRITown.rows(try SIRITown.answer([visit])) }

    /// Milliseconds since 1970.
    private func milliseconds(_ clock: String) throws -> Int64 { try SIRITown.moment(clock).microseconds / 1_000 }

    @Test(
        "times of WCF services are moments, whatever offset stands behind them",
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
        let answer = try SIRITown.answer(Array(json.utf8))
        #expect(SIRITown.rows(answer) == ["H30 Harbour 08:05, booked 08:03"])
        #expect(answer.departures.map(\.made) == [try SIRITown.moment("07:59:40")])
    }

    @Test(
        "what is no time of WCF's is none",
        arguments: [
            "/Date()/", "/Date(17x)/", "/Date(1700000000000", "/Date(1700000000000+10)/", "/Date(1700000000000+10:30)/",
            "/Date(1700000000000)", "/Date(999999999999999999999999)/", "/Date(-62135596800000)/",
            "Date(1700000000000)/",
            "/Date(1700000000000+1030)/ ", "/Date(1700000000000+1030",
        ])
    func noWCF(_ text: String) {
        #expect(Timestamp(wcfDate: text.utf8.span) == nil)
    }

    @Test("WCF's \"no date\" is no time that could not be read")
    func noDate() throws {
        let none = Told("ExpectedDepartureTime", "/Date(-62135596800000)/")
        let answer = try SIRITown.answer([SIRITown.visit(aimed: "08:03", call: [none])])
        #expect(SIRITown.rows(answer) == ["B6 Harbour *08:03, booked 08:03"] && answer.badRows == 0)
        let odd = try SIRITown.answer([SIRITown.visit(call: [Told("ExpectedDepartureTime", "/Date(soon)/")])])
        #expect(odd.badRows == 1)
        let empty = try SIRITown.answer([SIRITown.visit(call: [none])])
        #expect(empty.departures.isEmpty && empty.badRows == 0)
    }

    @Test("a visit that only arrives where it ends is no departure, by reference or by name")
    func ends() throws {
        let aimed = [Told("AimedArrivalTime", SIRITown.time("08:05"))]
        func visit(_ journey: [Told], call: [Told] = []) -> Told {
            SIRITown.visit(to: "Mill Lane", journey: journey, call: aimed + call)
        }
        #expect(try rows(visit([Told("DestinationRef", "S1")])).isEmpty)
        #expect(try rows(visit([])).isEmpty, "its destination is called as the stop is")
        #expect(try rows(visit([Told("DestinationRef", "S9")])) == ["B6 Mill Lane *08:05, booked 08:05"])
        #expect(
            try rows(SIRITown.visit(journey: [], call: aimed)) == ["B6 Harbour *08:05, booked 08:05"],
            "it goes on, though only its arrival is told")
        #expect(
            try rows(visit([], call: [Told("AimedDepartureTime", SIRITown.time("08:06"))])).count == 1,
            "a circular line departs from where it ends")
        let platform = SIRITown.visit(stop: "S1-A", journey: [Told("DestinationRef", "S1")], call: aimed)
        #expect(try rows(platform).isEmpty, "the call is at a platform of the stop where the journey ends")
    }

    @Test("a call without a reference is at the stop of the question, where the journey ends")
    func endsAtQuestion() throws {
        let json = """
            {"StopMonitoringDelivery":{"MonitoredStopVisit":{"MonitoredVehicleJourney":{"LineRef":"B6","DestinationRef":"S1",
            "MonitoredCall":{"AimedArrivalTime":"\(SIRITown.time("08:05"))"}}}}}
            """
        #expect(try SIRITown.answer(Array(json.utf8)).departures.isEmpty)
        // Without a destination nothing says that the journey ends here.
        let open = json.replacing(#""DestinationRef":"S1","#, with: "")
        #expect(try SIRITown.answer(Array(open.utf8)).departures.count == 1)
    }

    @Test("a visit at which people only get off is no departure, in every form", arguments: SIRITown.Form.allCases)
    func setsDown(_ form: SIRITown.Form) throws {
        let call = [Told("DepartureBoardingActivity", "noBoarding")]
        let answer = try SIRITown.answer(
            [
                SIRITown.visit(expected: "08:05", aimed: "08:05", call: call),
                SIRITown.visit(id: "2", expected: "08:15", call: [Told("DepartureBoardingActivity", "boarding")]),
            ], form)
        #expect(SIRITown.rows(answer) == ["B6 Harbour 08:15"] && answer.badRows == 0)
    }

    @Test(
        "line_element chooses between the published name and the reference; names of a person's own count before both")
    func lineElement() throws {
        let visit = SIRITown.visit("MISSION", expected: "08:05")
        #expect(try SIRITown.answer([visit]).departures.map(\.line.name) == ["MISSION"])
        let reference = try SIRITown.answer([visit], element: .lineRef)
        #expect(reference.departures.map(\.line) == [Line(id: "VALE_MISSION", name: "MISSION")])
        func line(_ element: SIRILineNames.Element, _ names: [String: String] = [:]) throws -> [String] {
            SIRITown.rows(try SIRITown.answer([bay], names: names, element: element))
        }
        #expect(try line(.publishedLineName) == ["MISSION IB 08:05"])
        #expect(try line(.lineRef) == ["14 IB 08:05"])
        #expect(try line(.lineRef, ["14": "Fourteen"]) == ["Fourteen IB 08:05"])
    }

    @Test("line_element of a table is read, and another word than SIRI's two elements is refused")
    func setting() async throws {
        func names(_ element: String) async throws -> [String] {
            let body = SIRITown.body([SIRITown.delivery([bay])])
            let transport = CannedTransport { _ in (200, body) }
            let feed = try SIRITown.make(["line_element": element], over: transport)
            return try await feed.departures(FeedQuestion(stop: SIRITown.stop)).departures.map(\.line.name)
        }
        #expect(try await names("PublishedLineName") == ["MISSION"])
        #expect(try await names("LineRef") == ["14"])
        let failure = await #expect(throws: FeedSettingFailure.self) { _ = try await names("line") }
        #expect(failure?.setting == "line_element")
        #expect(failure?.detail == "\"line\" must be PublishedLineName, LineRef")
    }

    @Test("a direction that is a word stands in for a destination; a number does not")
    func direction() throws {
        func destination(_ direction: String, _ more: [Told] = []) throws -> String? {
            let visit = Told(
                "MonitoredStopVisit",
                [
                    Told(
                        "MonitoredVehicleJourney",
                        [
                            Told("LineRef", "14"), Told("DirectionRef", direction),
                            Told("MonitoredCall", [Told("ExpectedDepartureTime", SIRITown.time("08:05"))]),
                        ] + more)
                ])
            return try SIRITown.answer([visit]).departures.first?.destination
        }
        #expect(try destination("Outbound") == "Outbound")
        #expect(try destination("0") == "")
        #expect(try destination("IB", [Told("DirectionName", "Downtown")]) == "Downtown")
        #expect(try destination("IB", [Told("DestinationName", "Ferry Plaza")]) == "Ferry Plaza")
    }
}
