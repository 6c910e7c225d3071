import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

@Suite("SIRI visits", .endsHangs)
struct SIRIVisitTests {
    private func rows(_ visit: Node) throws -> [String] { Vale.rows(try Vale.feedResponse([visit])) }

    @Test("a visit is the same row in every format of operators", arguments: Vale.Form.allCases)
    func shapes(_ form: Vale.Form) throws {
        let response = try Vale.feedResponse(
            [
                Vale.visit(expected: "08:05", aimed: "08:03", call: [Node("DeparturePlatformName", "2")]),
                Vale.visit("12", to: "Church & Green", id: "2", aimed: "08:20", monitored: "false"),
                Vale.visit(id: "3", aimed: "08:30", call: [Node("DepartureStatus", "cancelled")]),
            ], form)
        #expect(
            Vale.rows(response) == [
                "B6 Harbour 08:05, booked 08:03, platform 2", "12 Church & Green *08:20, booked 08:20",
                "B6 Harbour cancelled, booked 08:30",
            ])
        let first = try #require(response.departures.first)
        #expect(first.line == Line(id: "VALE_B6", name: "B6"))
        #expect(first.vehicle == "41" && first.direction == "0" && first.stop == Vale.stop)
        #expect(first.attributes?.id == "2026-03-02 1")
        #expect(response.stop.name == "Mill Lane")
        #expect(response.badRows == 0)
    }

    @Test(
        "a visit has the mode of its vehicle",
        arguments: [("bus", .bus), ("Tram", .tram), ("underground", .metro), ("rail", .train), ("air", nil)]
            as [(String, TransitMode?)])
    func modes(_ word: String, _ mode: TransitMode?) throws {
        let response = try Vale.feedResponse([
            Vale.visit(expected: "08:05", attributes: [Node("VehicleMode", word)]),
            Vale.visit(id: "2", expected: "08:06"),
        ])
        #expect(response.departures.map(\.mode) == [mode, nil])
    }

    @Test("a visit has its own timestamp and expiry: realtime 30 s after its time, scheduled 60 s")
    func ages() throws {
        let response = try Vale.feedResponse([
            Vale.visit(expected: "08:05", aimed: "08:03"), Vale.visit(id: "2", aimed: "08:20", monitored: "false"),
            Vale.visit(id: "3", aimed: "08:30", call: [Node("DepartureStatus", "cancelled")]),
            Vale.visit(id: "4", aimed: "07:58", call: [Node("DepartureStatus", "delayed")]),
        ])
        #expect(response.departures.map { Vale.clock($0.madeAt) } == ["07:59:40", "08:00", "08:00", "07:59:40"])
        #expect(response.departures.map { Vale.clock($0.expiresAt) } == ["08:05:30", "08:21", "08:31", "08:05"])
        #expect(Vale.rows(response)[3] == "B6 Harbour delayed, booked 07:58")
    }

    @Test(
        "a visit without a record time is as old as the response",
        arguments: ["0001-01-01T00:00:00", "0001-01-01T00:00:00Z"])
    func noDate(_ text: String) throws {
        let response = try Vale.feedResponse([Vale.visit(recorded: text, expected: "08:05")])
        #expect(response.departures.map(\.madeAt) == [try Vale.moment("08:00")])
    }

    @Test("the time is the expected departure, else the expected arrival, else the scheduled time")
    func times() throws {
        let arrival = [Node("ExpectedArrivalTime", Vale.time("08:04")), Node("AimedArrivalTime", Vale.time("08:01"))]
        #expect(try rows(Vale.visit(expected: "08:05", call: arrival)) == ["B6 Harbour 08:05, booked 08:01"])
        #expect(try rows(Vale.visit(aimed: "08:02", call: arrival)) == ["B6 Harbour 08:04, booked 08:02"])
        #expect(try rows(Vale.visit(call: [arrival[1]])) == ["B6 Harbour *08:01, booked 08:01"])
        #expect(try rows(Vale.visit(aimed: "08:02", monitored: nil)) == ["B6 Harbour *08:02, booked 08:02"])
        #expect(try rows(Vale.visit(expected: "08:02", monitored: nil)) == ["B6 Harbour 08:02"])
    }

    @Test(
        "a delay without an expected time shifts the scheduled time",
        arguments: [
            ("P0Y0M0DT0H3M0.000S", "08:13"), ("PT90S", "08:11:30"), ("-PT2M", "08:08"),
            ("-P0Y0M0DT0H1M30.5S", "08:08:30"),
            ("PT1H", "09:10"), ("PT0S", "08:10"),
        ])
    func delays(_ delay: String, _ expected: String) throws {
        let reported = Vale.visit(aimed: "08:10", attributes: [Node("Delay", delay)])
        #expect(try rows(reported) == ["B6 Harbour \(expected), booked 08:10"])
        // An expected time takes precedence, and the delay of an unmonitored vehicle is ignored.
        #expect(
            try rows(Vale.visit(expected: "08:15", aimed: "08:10", attributes: [Node("Delay", delay)]))
                == ["B6 Harbour 08:15, booked 08:10"])
        #expect(
            try rows(Vale.visit(aimed: "08:10", monitored: "false", attributes: [Node("Delay", delay)]))
                == ["B6 Harbour *08:10, booked 08:10"])
    }

    @Test(
        "a visit with an invalid delay is scheduled",
        arguments: [
            "", "P", "PT", "P1DT", "PTT", "PTT1M", "3", "P1M", "PT3", "PTM", "PT1.5M", "PT3M2H", "PT3M3M", "PT1H P1D",
            "soon",
        ])
    func oddDelays(_ delay: String) throws {
        #expect(
            try rows(Vale.visit(aimed: "08:10", attributes: [Node("Delay", delay)]))
                == ["B6 Harbour *08:10, booked 08:10"])
    }

    @Test("a delay whose parts overflow is ignored, and the row remains")
    func endlessDelay() throws {
        let delay = "P" + String(repeating: "999999999D", count: 110_000)
        #expect(
            try rows(Vale.visit(aimed: "08:10", attributes: [Node("Delay", delay)]))
                == ["B6 Harbour *08:10, booked 08:10"])
    }

    @Test("an unmonitored visit is scheduled, even with an expected time")
    func unmonitored() throws {
        #expect(
            try rows(Vale.visit(expected: "08:05", aimed: "08:05", monitored: "false"))
                == ["B6 Harbour *08:05, booked 08:05"])
        #expect(try rows(Vale.visit(expected: "08:05", monitored: "false")) == ["B6 Harbour *08:05"])
        let noReport = [Node("DepartureStatus", "noReport")]
        #expect(
            try rows(Vale.visit(expected: "08:05", aimed: "08:05", call: noReport))
                == ["B6 Harbour *08:05, booked 08:05"])
        #expect(
            try rows(Vale.visit(expected: "08:07", aimed: "08:05", call: noReport))
                == ["B6 Harbour 08:07, booked 08:05"])
        for word in ["missed", "notExpected", "NOT_EXPECTED"] {
            #expect(
                try rows(Vale.visit(expected: "08:07", aimed: "08:05", call: [Node("DepartureStatus", word)]))
                    == ["B6 Harbour *08:05, booked 08:05"], "\(word)")
        }
    }

    @Test("without an expected time, a monitored vehicle with status onTime is on time")
    func onTime() throws {
        let onTime = [Node("DepartureStatus", "onTime")]
        #expect(try rows(Vale.visit(aimed: "08:05", call: onTime)) == ["B6 Harbour 08:05, booked 08:05"])
        for monitored in ["false", nil] {
            #expect(
                try rows(Vale.visit(aimed: "08:05", monitored: monitored, call: onTime))
                    == ["B6 Harbour *08:05, booked 08:05"])
        }
    }

    @Test("a bus on its earlier trip, or at the terminus, has that stage, and is scheduled without an estimate")
    func stages() throws {
        func reported(_ progress: String, expected: String? = nil) -> Node {
            Vale.visit(expected: expected, aimed: "08:20", attributes: [Node("ProgressStatus", progress)])
        }
        #expect(try rows(reported("prevTrip")) == ["B6 Harbour *08:20, booked 08:20, previousTrip"])
        #expect(try rows(reported("layover")) == ["B6 Harbour *08:20, booked 08:20, waiting"])
        #expect(try rows(reported("layover,prevTrip")) == ["B6 Harbour *08:20, booked 08:20, previousTrip"])
        #expect(try rows(reported("prevTrip", expected: "08:31")) == ["B6 Harbour 08:31, booked 08:20, previousTrip"])
        #expect(try rows(reported("spooking")) == ["B6 Harbour *08:20, booked 08:20"])
    }

    @Test("a visit without any time is skipped; one with an unreadable time is a bad row")
    func timeless() throws {
        let none = try Vale.feedResponse([Vale.visit(), Vale.visit(id: "2", expected: "08:05")])
        #expect(Vale.rows(none) == ["B6 Harbour 08:05"] && none.badRows == 0)
        let odd = try Vale.feedResponse([
            Vale.visit(call: [Node("ExpectedDepartureTime", "soon")]),
            Vale.visit(id: "2", expected: "08:05", call: [Node("AimedDepartureTime", "25:99")]),
            Vale.visit(id: "3", call: [Node("ExpectedDepartureTime", "0001-01-01T00:00:00")]),
        ])
        #expect(Vale.rows(odd) == ["B6 Harbour 08:05"] && odd.badRows == 1)
    }

    @Test("a response without any readable time is a failure, not a night without departures")
    func unreadable() async throws {
        func failure(_ time: String) async throws -> FeedError? {
            let body = Vale.body([Vale.delivery([Vale.visit(call: [Node("ExpectedDepartureTime", time)])])])
            return await Vale.failure(try Vale.make(over: CannedTransport { _ in (200, body) }))
        }
        let odd = try #require(try await failure("soon"))
        #expect(odd.kind == .unreadable && odd.detail.hasSuffix("its visits have no readable time"), "\(odd)")
        let zoneless = try #require(try await failure("2026-07-02T09:05:00"))
        #expect(zoneless.kind == .unreadable)
        #expect(
            zoneless.detail
                == "Vale, https://vale.example/siri/sm?MonitoringRef=S1: its times have no zone: set zone in boardd.toml, "
                + "[feed.siri.vale], to the operator's, such as Europe/Paris")
        #expect(try await failure("0001-01-01T00:00:00") == nil)
    }

    @Test("a visit is cancelled by its call, its arrival alone, its journey, or a cancellation that refers to it")
    func cancelled() throws {
        let expected = ["B6 Harbour cancelled, booked 08:05"]
        #expect(try rows(Vale.visit(aimed: "08:05", call: [Node("ArrivalStatus", "cancelled")])) == expected)
        #expect(
            try rows(
                Vale.visit(
                    expected: "08:05", aimed: "08:05",
                    call: [Node("ArrivalStatus", "cancelled"), Node("DepartureStatus", "noReport")])) == expected)
        for word in ["CANCELLED", "Cancelled"] {
            #expect(
                try rows(Vale.visit(expected: "08:06", aimed: "08:05", call: [Node("DepartureStatus", word)]))
                    == expected)
        }
        #expect(try rows(Vale.visit(aimed: "08:05", attributes: [Node("Cancellation", "true")])) == expected)
        #expect(
            try rows(Vale.visit(expected: "08:05", aimed: "08:05", call: [Node("DepartureStatus", "cancelled")]))
                == expected)
        #expect(try rows(Vale.visit(expected: "08:05", call: [Node("DepartureStatus", "cancelled")])) == expected)
        for form in Vale.Form.allCases {
            let visit = Vale.visit(aimed: "08:05")
            let named = Node("MonitoredStopVisit", [Node("ItemIdentifier", "I:7")] + visit.children)
            let cancellation = Node(
                "MonitoredStopVisitCancellation",
                [Node("ItemRef", "I:7"), Node("LineRef", "VALE_B6"), Node("Reason", "No driver")])
            let other = Node("MonitoredStopVisitCancellation", [Node("ItemRef", "I:8")])
            let response = try Vale.feedResponse([named, cancellation, other], form)
            #expect(Vale.rows(response) == ["B6 Harbour cancelled, booked 08:05, No driver"], "\(form)")
        }
        // A cancellation without its visit has nothing to show.
        let alone = try Vale.feedResponse([Node("MonitoredStopVisitCancellation", [Node("ItemRef", "I:7")])])
        #expect(alone.departures.isEmpty && alone.badRows == 0)
    }

    @Test("a visit that has left, allows no boarding, or ends here is not a departure")
    func gone() throws {
        #expect(try rows(Vale.visit(aimed: "08:05", call: [Node("DepartureStatus", "departed")])).isEmpty)
        #expect(try rows(Vale.visit(aimed: "08:05", call: [Node("ActualDepartureTime", Vale.time("07:59"))])).isEmpty)
        let odd = Node("ExpectedDepartureTime", "soon")
        let gone = try Vale.feedResponse([Vale.visit(call: [Node("DepartureStatus", "departed"), odd])])
        #expect(gone.departures.isEmpty && gone.badRows == 0, "a vehicle that has left needs no readable time")
        for activity in ["noBoarding", "passThru"] {
            #expect(
                try rows(Vale.visit(expected: "08:05", call: [Node("DepartureBoardingActivity", activity)])).isEmpty)
        }
        #expect(
            try rows(Vale.visit(expected: "08:05", call: [Node("DepartureBoardingActivity", "boarding")]))
                == ["B6 Harbour 08:05"])
        let arrival = [Node("ExpectedArrivalTime", Vale.time("08:05"))]
        #expect(try rows(Vale.visit(attributes: [Node("DestinationRef", "S1")], call: arrival)).isEmpty)
        #expect(try rows(Vale.visit(attributes: [Node("DestinationRef", "S9")], call: arrival)) == ["B6 Harbour 08:05"])
        #expect(
            try rows(Vale.visit(expected: "08:06", attributes: [Node("DestinationRef", "S1")], call: arrival))
                == ["B6 Harbour 08:06"], "a circular line departs from where it ends")
    }

    @Test("a vehicle at the stop stays for a minute after the response, whatever was expected")
    func statuses() throws {
        let response = try Vale.feedResponse([
            Vale.visit(expected: "07:58", aimed: "07:57", call: [Node("VehicleAtStop", "true")]),
            Vale.visit(
                id: "2", aimed: "08:03",
                call: [Node("ArrivalStatus", "arrived"), Node("ActualArrivalTime", Vale.time("07:59"))]),
        ])
        #expect(Vale.rows(response) == ["B6 Harbour 07:58, booked 07:57", "B6 Harbour 08:03, booked 08:03"])
        #expect(response.departures.map { Vale.clock($0.expiresAt) } == ["08:01", "08:03:30"])
    }

    @Test("a visit in several deliveries is one row, the last recorded; a cancellation takes precedence")
    func tellings() throws {
        func rows(_ tellings: Node...) throws -> [[String]] {
            try [tellings, tellings.reversed()].map { tellings in
                Vale.rows(try Vale.feedResponse(Vale.body(tellings.map { Vale.delivery([$0]) }, .soap)))
            }
        }
        let old = Vale.visit(recorded: "07:50", expected: "08:05", aimed: "08:03")
        let new = Vale.visit(recorded: "07:59:55", expected: "08:15", aimed: "08:03")
        let booked = Vale.visit(aimed: "08:03", monitored: "false")
        let cancelled = Vale.visit(recorded: "07:50", aimed: "08:03", call: [Node("DepartureStatus", "cancelled")])
        let gone = Vale.visit(recorded: "07:59:56", aimed: "08:03", call: [Node("DepartureStatus", "departed")])
        for order in 0..<2 {
            #expect(try rows(old, new)[order] == ["B6 Harbour 08:15, booked 08:03"])
            #expect(try rows(booked, cancelled)[order] == ["B6 Harbour cancelled, booked 08:03"])
            #expect(try rows(old, new, cancelled)[order] == ["B6 Harbour cancelled, booked 08:03"])
            #expect(try rows(new, gone)[order] == [])
        }
        // Nor without scheduled times.
        let first = Vale.visit(recorded: "07:58:30", expected: "08:05")
        let second = Vale.visit(recorded: "07:59:55", expected: "08:06")
        let never = Vale.visit(recorded: "07:50", expected: "08:04", call: [Node("DepartureStatus", "cancelled")])
        for order in 0..<2 {
            #expect(try rows(first, second)[order] == ["B6 Harbour 08:06"])
            #expect(try rows(first, second, never)[order].map { $0.contains("cancelled") } == [true])
        }
        #expect(Vale.rows(try Vale.feedResponse([first, second])) == ["B6 Harbour 08:06"])
    }

    @Test("a vehicle that calls twice, or another line with an equal reference, has a row of its own")
    func twins() throws {
        let loop = try Vale.feedResponse([
            Vale.visit(expected: "08:05", aimed: "08:03", call: [Node("VisitNumber", "1")]),
            Vale.visit(expected: "08:45", aimed: "08:03", call: [Node("VisitNumber", "2")]),
        ])
        #expect(Vale.rows(loop) == ["B6 Harbour 08:05, booked 08:03", "B6 Harbour 08:45, booked 08:03"])
        let plain = try Vale.feedResponse([Vale.visit(expected: "08:05"), Vale.visit(expected: "08:45")])
        #expect(Vale.rows(plain) == ["B6 Harbour 08:05", "B6 Harbour 08:45"])
        let lines = try Vale.feedResponse([Vale.visit(expected: "08:05"), Vale.visit("12", expected: "08:05")])
        #expect(Vale.rows(lines) == ["B6 Harbour 08:05", "12 Harbour 08:05"])
    }

    @Test("a visit becomes stale at the operator's ValidUntil, but never between two polls")
    func validUntil() throws {
        func ages(_ until: String) throws -> String? {
            try Vale.feedResponse(Vale.body([Vale.delivery([Vale.visit(expected: "08:05")], validUntil: until)]))
                .departures.first?.staleAt.map(Vale.clock)
        }
        #expect(try ages("08:02") == "08:02")
        #expect(try ages("08:00:30") == "08:01")
        #expect(try ages("07:58") == "07:58", "it was old when it was made")
        #expect(try Vale.feedResponse([Vale.visit(expected: "08:05")]).departures.first?.staleAt == nil)
    }

    @Test("a line without a name has the short form of its reference, or its configured name")
    func lines() throws {
        func name(_ reference: String, _ names: [String: String] = [:]) throws -> String? {
            let attributes = Node(
                "MonitoredVehicleJourney",
                [
                    Node("LineRef", reference),
                    Node("MonitoredCall", [Node("ExpectedDepartureTime", Vale.time("08:05"))]),
                ])
            return try Vale.feedResponse([Node("MonitoredStopVisit", [attributes])], names: names).departures.first?
                .line.name
        }
        #expect(try name("STIF:Line::C01727:") == "C01727")
        #expect(try name("NINOXE:Line:3:LOC") == "3")
        #expect(try name("MTA NYCT_B63") == "B63")
        #expect(try name("8A") == "8A")
        #expect(try name("X_") == "X_")
        #expect(try name("STIF:Line::C01727:", ["STIF:Line::C01727:": "C"]) == "C")
    }

    @Test("the destination is the destination name, else the display, else the direction")
    func destinations() throws {
        func row(_ attributes: [Node], _ call: [Node] = []) throws -> String? {
            let all = attributes + [Node("MonitoredCall", [Node("ExpectedDepartureTime", Vale.time("08:05"))] + call)]
            return try Vale.feedResponse([Node("MonitoredStopVisit", [Node("MonitoredVehicleJourney", all)])])
                .departures.first?.destination
        }
        let names = [Node("DestinationName", "Harbour"), Node("DirectionName", "Outward")]
        #expect(try row(names, [Node("DestinationDisplay", "Docks")]) == "Harbour")
        #expect(try row([names[1]], [Node("DestinationDisplay", "Docks")]) == "Docks")
        #expect(try row([names[1]]) == "Outward")
        #expect(try row([]) == "")
    }

    @Test("names are in the preferred language, in XML and JSON", arguments: [Vale.Form.xml, .json, .values])
    func languages(_ form: Vale.Form) throws {
        let names = [Node("OriginName", "X"), Node("DestinationDisplay", "Y")]
        let attributes = Node(
            "MonitoredVehicleJourney",
            names.dropLast() + [
                Node("DestinationName", "Satama", in: "fi"), Node("DestinationName", "Hamnen", in: "sv"),
                Node("MonitoredCall", [Node("ExpectedDepartureTime", Vale.time("08:05"))]),
            ])
        let body = Vale.body([Vale.delivery([Node("MonitoredStopVisit", [attributes])])], form)
        #expect(try Vale.feedResponse(body, language: "sv").departures.first?.destination == "Hamnen")
        #expect(try Vale.feedResponse(body, language: "fi").departures.first?.destination == "Satama")
        #expect(try Vale.feedResponse(body, language: "de").departures.first?.destination == "Satama")
    }

    @Test("times without an offset are in the configured zone")
    func zones() throws {
        let local = Vale.visit(call: [Node("ExpectedDepartureTime", "2026-07-02T09:05:00")])
        let body = Vale.body([Vale.delivery([local])])
        let here = try Vale.feedResponse(body, zone: Feeds.london("Europe/London"))
        #expect(Vale.rows(here) == ["B6 Harbour 08:05"] && here.badRows == 0)
        let nowhere = try Vale.feedResponse(body)
        #expect(nowhere.departures.isEmpty && nowhere.badRows == 1)
    }

    @Test("a visit with an offset beside one without is shown, with a partial failure about the zone setting")
    func someZones() async throws {
        let local = Vale.visit(call: [Node("ExpectedDepartureTime", "2026-07-02T09:05:00")])
        let body = Vale.body([Vale.delivery([local, Vale.visit(id: "2", expected: "08:05")])])
        for (zone, isReported) in [("", true), ("Europe/London", false)] {
            let feed = try Vale.make(["zone": zone], over: CannedTransport { _ in (200, body) })
            let response = try await feed.departures(FeedRequest(stop: Vale.stop))
            #expect(Vale.rows(response).contains("B6 Harbour 08:05"))
            #expect(
                (response.partialFailure?.detail.contains("its times have no zone: set zone") == true) == isReported)
        }
    }

    @Test("blanks and a byte order mark before the response are skipped, in either order")
    func marks() throws {
        let delivery = Vale.delivery([Vale.visit(expected: "08:05")])
        for form in Vale.Form.allCases {
            for start in ["  \n\u{FEFF}", "\u{FEFF}\n ", "\u{FEFF}", "\n", "\n\u{FEFF}\r\n"] {
                let body = Vale.body([delivery], form)
                let response = try Vale.feedResponse(Array(start.utf8) + body[body.contentStart...])
                #expect(Vale.rows(response) == ["B6 Harbour 08:05"], "\(form)")
            }
        }
    }

    @Test(
        "a delivery with an invalid Status has its visits, an empty one has none, and without a delivery there is no response"
    )
    func deliveries() throws {
        for form in Vale.Form.allCases {
            let reported = Node("StopMonitoringDelivery", [Node("Status", ""), Vale.visit(expected: "08:05")])
            #expect(Vale.rows(try Vale.feedResponse(Vale.body([reported], form))) == ["B6 Harbour 08:05"])
            let bare = Node("StopMonitoringDelivery", [Node("Status", "")])
            #expect(try SIRIResponse(Vale.body([bare], form)).errorCondition == nil, "\(form)")
        }
        for empty in [
            #"{"ServiceDelivery":{"StopMonitoringDelivery":{}}}"#,
            "<Siri><ServiceDelivery><StopMonitoringDelivery/></ServiceDelivery></Siri>",
        ] {
            let response = try Vale.feedResponse(Array(empty.utf8))
            #expect(response.departures.isEmpty && response.badRows == 0)
        }
        // As in XML, where an empty list is absent.
        for none in [
            #"{"ServiceDelivery":{"StopMonitoringDelivery":[]}}"#, "<Siri><ServiceDelivery></ServiceDelivery></Siri>",
        ] {
            #expect(throws: FormatError.self) { try SIRIResponse(Array(none.utf8)) }
        }
    }

    @Test("unknown and nested elements, and empty values, cost no row")
    func unknown() throws {
        let odd = Vale.visit(
            expected: "08:05",
            attributes: [
                Node("VehicleMode", "hovercraft"), Node("ProgressRate", "sideways"), Node("Occupancy", "full of bees"),
                Node("TrainNumbers", [Node("TrainNumberRef", "7")]), Node("OnwardCalls", []),
            ],
            call: [Node("DepartureStatus", "pondering"), Node("DepartureBoardingActivity", "leaping")])
        #expect(try rows(odd) == ["B6 Harbour 08:05"])
    }
}
