import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

@Suite("A visit of SIRI", .endsHangs)
struct SIRIVisitTests {
    private func rows(_ visit: Told) throws -> [String] { SIRITown.rows(try SIRITown.answer([visit])) }

    @Test("is the same row in every shape that operators write", arguments: SIRITown.Form.allCases)
    func shapes(_ form: SIRITown.Form) throws {
        let answer = try SIRITown.answer(
            [
                SIRITown.visit(expected: "08:05", aimed: "08:03", call: [Told("DeparturePlatformName", "2")]),
                SIRITown.visit("12", to: "Church & Green", id: "2", aimed: "08:20", monitored: "false"),
                SIRITown.visit(id: "3", aimed: "08:30", call: [Told("DepartureStatus", "cancelled")]),
            ], form)
        #expect(
            SIRITown.rows(answer) == [
                "B6 Harbour 08:05, booked 08:03, platform 2", "12 Church & Green *08:20, booked 08:20",
                "B6 Harbour cancelled, booked 08:30",
            ])
        let first = try #require(answer.departures.first)
        #expect(first.line == Line(id: "VALE_B6", name: "B6"))
        #expect(first.vehicle == "41" && first.direction == "0" && first.stop == SIRITown.stop)
        #expect(first.journey?.id == "2026-03-02 1")
        #expect(answer.stop.name == "Mill Lane")
        #expect(answer.badRows == 0)
    }

    @Test("has its own moment and time to live: live 30 s past it, the timetable's 60 s")
    func ages() throws {
        let answer = try SIRITown.answer([
            SIRITown.visit(expected: "08:05", aimed: "08:03"),
            SIRITown.visit(id: "2", aimed: "08:20", monitored: "false"),
            SIRITown.visit(id: "3", aimed: "08:30", call: [Told("DepartureStatus", "cancelled")]),
            SIRITown.visit(id: "4", aimed: "07:58", call: [Told("DepartureStatus", "delayed")]),
        ])
        #expect(answer.departures.map { SIRITown.clock($0.made) } == ["07:59:40", "08:00", "08:00", "07:59:40"])
        #expect(answer.departures.map { SIRITown.clock($0.void) } == ["08:05:30", "08:21", "08:31", "08:05"])
        #expect(SIRITown.rows(answer)[3] == "B6 Harbour delayed, booked 07:58")
    }

    @Test(
        "that was recorded on no date is as old as the answer",
        arguments: ["0001-01-01T00:00:00", "0001-01-01T00:00:00Z"])
    func noDate(_ text: String) throws {
        let answer = try SIRITown.answer([SIRITown.visit(recorded: text, expected: "08:05")])
        #expect(answer.departures.map(\.made) == [try SIRITown.moment("08:00")])
    }

    @Test("departs when it is expected to, else when it is expected to come, else by the timetable")
    func times() throws {
        let arrival = [
            Told("ExpectedArrivalTime", SIRITown.time("08:04")), Told("AimedArrivalTime", SIRITown.time("08:01")),
        ]
        #expect(try rows(SIRITown.visit(expected: "08:05", call: arrival)) == ["B6 Harbour 08:05, booked 08:01"])
        #expect(try rows(SIRITown.visit(aimed: "08:02", call: arrival)) == ["B6 Harbour 08:04, booked 08:02"])
        #expect(try rows(SIRITown.visit(call: [arrival[1]])) == ["B6 Harbour *08:01, booked 08:01"])
        #expect(try rows(SIRITown.visit(aimed: "08:02", monitored: nil)) == ["B6 Harbour *08:02, booked 08:02"])
        #expect(try rows(SIRITown.visit(expected: "08:02", monitored: nil)) == ["B6 Harbour 08:02"])
    }

    @Test(
        "with a delay and no expected time is expected so much later, or earlier",
        arguments: [
            ("P0Y0M0DT0H3M0.000S", "08:13"), ("PT90S", "08:11:30"), ("-PT2M", "08:08"),
            ("-P0Y0M0DT0H1M30.5S", "08:08:30"),
            ("PT1H", "09:10"), ("PT0S", "08:10"),
        ])
    func delays(_ delay: String, _ expected: String) throws {
        let told = SIRITown.visit(aimed: "08:10", journey: [Told("Delay", delay)])
        #expect(try rows(told) == ["B6 Harbour \(expected), booked 08:10"])
        // A time that is told counts more, and the delay of a vehicle that nobody follows is none.
        #expect(
            try rows(SIRITown.visit(expected: "08:15", aimed: "08:10", journey: [Told("Delay", delay)]))
                == ["B6 Harbour 08:15, booked 08:10"])
        #expect(
            try rows(SIRITown.visit(aimed: "08:10", monitored: "false", journey: [Told("Delay", delay)]))
                == ["B6 Harbour *08:10, booked 08:10"])
    }

    @Test(
        "whose delay is none is the timetable's",
        arguments: [
            "", "P", "PT", "P1DT", "PTT", "PTT1M", "3", "P1M", "PT3", "PTM", "PT1.5M", "PT3M2H", "PT3M3M", "PT1H P1D",
            "soon",
        ])
    func oddDelays(_ delay: String) throws {
        #expect(
            try rows(SIRITown.visit(aimed: "08:10", journey: [Told("Delay", delay)]))
                == ["B6 Harbour *08:10, booked 08:10"])
    }

    @Test("whose delay is told over and over, so that its sum has no place in a number, keeps its row")
    func endlessDelay() throws {
        let delay = "P" + String(repeating: "999999999D", count: 110_000)
        #expect(
            try rows(SIRITown.visit(aimed: "08:10", journey: [Told("Delay", delay)]))
                == ["B6 Harbour *08:10, booked 08:10"])
    }

    @Test("that nobody follows is the timetable's, even where an expected time is written")
    func unmonitored() throws {
        #expect(
            try rows(SIRITown.visit(expected: "08:05", aimed: "08:05", monitored: "false"))
                == ["B6 Harbour *08:05, booked 08:05"])
        #expect(try rows(SIRITown.visit(expected: "08:05", monitored: "false")) == ["B6 Harbour *08:05"])
        let noReport = [Told("DepartureStatus", "noReport")]
        #expect(
            try rows(SIRITown.visit(expected: "08:05", aimed: "08:05", call: noReport))
                == ["B6 Harbour *08:05, booked 08:05"])
        #expect(
            try rows(SIRITown.visit(expected: "08:07", aimed: "08:05", call: noReport))
                == ["B6 Harbour 08:07, booked 08:05"])
        for word in ["missed", "notExpected", "NOT_EXPECTED"] {
            #expect(
                try rows(SIRITown.visit(expected: "08:07", aimed: "08:05", call: [Told("DepartureStatus", word)]))
                    == ["B6 Harbour *08:05, booked 08:05"], "\(word)")
        }
    }

    @Test("with no expected time is on time where the operator says so of a vehicle that it follows")
    func onTime() throws {
        let onTime = [Told("DepartureStatus", "onTime")]
        #expect(try rows(SIRITown.visit(aimed: "08:05", call: onTime)) == ["B6 Harbour 08:05, booked 08:05"])
        for monitored in ["false", nil] {
            #expect(
                try rows(SIRITown.visit(aimed: "08:05", monitored: monitored, call: onTime))
                    == ["B6 Harbour *08:05, booked 08:05"])
        }
    }

    @Test("of a bus on its earlier trip, or at the terminal, says so, and is the timetable's without an estimate")
    func stages() throws {
        func told(_ progress: String, expected: String? = nil) -> Told {
            SIRITown.visit(expected: expected, aimed: "08:20", journey: [Told("ProgressStatus", progress)])
        }
        #expect(try rows(told("prevTrip")) == ["B6 Harbour *08:20, booked 08:20, earlierRun"])
        #expect(try rows(told("layover")) == ["B6 Harbour *08:20, booked 08:20, waiting"])
        #expect(try rows(told("layover,prevTrip")) == ["B6 Harbour *08:20, booked 08:20, earlierRun"])
        #expect(try rows(told("prevTrip", expected: "08:31")) == ["B6 Harbour 08:31, booked 08:20, earlierRun"])
        #expect(try rows(told("spooking")) == ["B6 Harbour *08:20, booked 08:20"])
    }

    @Test("with no time at all is no row and no fault; with one that cannot be read it is a fault")
    func timeless() throws {
        let none = try SIRITown.answer([SIRITown.visit(), SIRITown.visit(id: "2", expected: "08:05")])
        #expect(SIRITown.rows(none) == ["B6 Harbour 08:05"] && none.badRows == 0)
        let odd = try SIRITown.answer([
            SIRITown.visit(call: [Told("ExpectedDepartureTime", "soon")]),
            SIRITown.visit(id: "2", expected: "08:05", call: [Told("AimedDepartureTime", "25:99")]),
            SIRITown.visit(id: "3", call: [Told("ExpectedDepartureTime", "0001-01-01T00:00:00")]),
        ])
        #expect(SIRITown.rows(odd) == ["B6 Harbour 08:05"] && odd.badRows == 1)
    }

    @Test("where none of an answer has a time that can be read, that is a failure and no night without departures")
    func unreadable() async throws {
        func failure(_ time: String) async throws -> FeedFailure? {
            let body = SIRITown.body([
                SIRITown.delivery([SIRITown.visit(call: [Told("ExpectedDepartureTime", time)])])
            ])
            return await SIRITown.failure(try SIRITown.make(over: CannedTransport { _ in (200, body) }))
        }
        let odd = try #require(try await failure("soon"))
        #expect(odd.kind == .unreadable && odd.detail.hasSuffix("its visits have no time that can be read"), "\(odd)")
        let zoneless = try #require(try await failure("2026-07-02T09:05:00"))
        #expect(zoneless.kind == .unreadable)
        #expect(
            zoneless.detail
                == "Vale, https://vale.example/siri/sm?MonitoringRef=S1: its times name no zone: set zone in boardd.toml, "
                + "[feed.siri.vale], to the operator's, such as Europe/Paris")
        #expect(try await failure("0001-01-01T00:00:00") == nil)
    }

    @Test("is cancelled by the call, by the arrival alone, by the journey, or by a cancellation that names it")
    func cancelled() throws {
        let expected = ["B6 Harbour cancelled, booked 08:05"]
        #expect(try rows(SIRITown.visit(aimed: "08:05", call: [Told("ArrivalStatus", "cancelled")])) == expected)
        #expect(
            try rows(
                SIRITown.visit(
                    expected: "08:05", aimed: "08:05",
                    call: [Told("ArrivalStatus", "cancelled"), Told("DepartureStatus", "noReport")])) == expected)
        for word in ["CANCELLED", "Cancelled"] {
            #expect(
                try rows(SIRITown.visit(expected: "08:06", aimed: "08:05", call: [Told("DepartureStatus", word)]))
                    == expected)
        }
        #expect(try rows(SIRITown.visit(aimed: "08:05", journey: [Told("Cancellation", "true")])) == expected)
        #expect(
            try rows(SIRITown.visit(expected: "08:05", aimed: "08:05", call: [Told("DepartureStatus", "cancelled")]))
                == expected)
        #expect(try rows(SIRITown.visit(expected: "08:05", call: [Told("DepartureStatus", "cancelled")])) == expected)
        for form in SIRITown.Form.allCases {
            let visit = SIRITown.visit(aimed: "08:05")
            let named = Told("MonitoredStopVisit", [Told("ItemIdentifier", "I:7")] + visit.children)
            let cancellation = Told(
                "MonitoredStopVisitCancellation",
                [Told("ItemRef", "I:7"), Told("LineRef", "VALE_B6"), Told("Reason", "No driver")])
            let other = Told("MonitoredStopVisitCancellation", [Told("ItemRef", "I:8")])
            let answer = try SIRITown.answer([named, cancellation, other], form)
            #expect(SIRITown.rows(answer) == ["B6 Harbour cancelled, booked 08:05, No driver"], "\(form)")
        }
        // Of a visit that is not told of there is nothing to show.
        let alone = try SIRITown.answer([Told("MonitoredStopVisitCancellation", [Told("ItemRef", "I:7")])])
        #expect(alone.departures.isEmpty && alone.badRows == 0)
    }

    @Test("that has left, that nobody may board, and that ends here is no departure")
    func gone() throws {
        #expect(try rows(SIRITown.visit(aimed: "08:05", call: [Told("DepartureStatus", "departed")])).isEmpty)
        #expect(
            try rows(SIRITown.visit(aimed: "08:05", call: [Told("ActualDepartureTime", SIRITown.time("07:59"))]))
                .isEmpty)
        let odd = Told("ExpectedDepartureTime", "soon")
        let gone = try SIRITown.answer([SIRITown.visit(call: [Told("DepartureStatus", "departed"), odd])])
        #expect(gone.departures.isEmpty && gone.badRows == 0, "a vehicle that has left needs no readable time")
        for activity in ["noBoarding", "passThru"] {
            #expect(
                try rows(SIRITown.visit(expected: "08:05", call: [Told("DepartureBoardingActivity", activity)])).isEmpty
            )
        }
        let arrival = [Told("ExpectedArrivalTime", SIRITown.time("08:05"))]
        #expect(try rows(SIRITown.visit(journey: [Told("DestinationRef", "S1")], call: arrival)).isEmpty)
        #expect(
            try rows(SIRITown.visit(journey: [Told("DestinationRef", "S9")], call: arrival)) == ["B6 Harbour 08:05"])
        #expect(
            try rows(SIRITown.visit(expected: "08:06", journey: [Told("DestinationRef", "S1")], call: arrival))
                == ["B6 Harbour 08:06"], "a circular line departs from where it ends")
    }

    @Test("that stands at the stop stays for a minute after the answer, whatever was expected")
    func standing() throws {
        let answer = try SIRITown.answer([
            SIRITown.visit(expected: "07:58", aimed: "07:57", call: [Told("VehicleAtStop", "true")]),
            SIRITown.visit(
                id: "2", aimed: "08:03",
                call: [Told("ArrivalStatus", "arrived"), Told("ActualArrivalTime", SIRITown.time("07:59"))]),
        ])
        #expect(
            SIRITown.rows(answer) == ["B6 Harbour 07:58, booked 07:57", "B6 Harbour 08:03, booked 08:03"])
        #expect(answer.departures.map { SIRITown.clock($0.void) } == ["08:01", "08:03:30"])
    }

    @Test(
        "that several deliveries tell of is one row, as it was recorded last; that it is cancelled counts over a time")
    func tellings() throws {
        func rows(_ tellings: Told...) throws -> [[String]] {
            try [tellings, tellings.reversed()].map { tellings in
                SIRITown.rows(try SIRITown.answer(SIRITown.body(tellings.map { SIRITown.delivery([$0]) }, .soap)))
            }
        }
        let old = SIRITown.visit(recorded: "07:50", expected: "08:05", aimed: "08:03")
        let new = SIRITown.visit(recorded: "07:59:55", expected: "08:15", aimed: "08:03")
        let booked = SIRITown.visit(aimed: "08:03", monitored: "false")
        let cancelled = SIRITown.visit(recorded: "07:50", aimed: "08:03", call: [Told("DepartureStatus", "cancelled")])
        let gone = SIRITown.visit(recorded: "07:59:56", aimed: "08:03", call: [Told("DepartureStatus", "departed")])
        for order in 0..<2 {
            #expect(try rows(old, new)[order] == ["B6 Harbour 08:15, booked 08:03"])
            #expect(try rows(booked, cancelled)[order] == ["B6 Harbour cancelled, booked 08:03"])
            #expect(try rows(old, new, cancelled)[order] == ["B6 Harbour cancelled, booked 08:03"])
            #expect(try rows(new, gone)[order] == [])
        }
        // Nor where there is no timetable.
        let first = SIRITown.visit(recorded: "07:58:30", expected: "08:05")
        let second = SIRITown.visit(recorded: "07:59:55", expected: "08:06")
        let never = SIRITown.visit(
            recorded: "07:50", expected: "08:04", call: [Told("DepartureStatus", "cancelled")])
        for order in 0..<2 {
            #expect(try rows(first, second)[order] == ["B6 Harbour 08:06"])
            #expect(try rows(first, second, never)[order].map { $0.contains("cancelled") } == [true])
        }
        #expect(SIRITown.rows(try SIRITown.answer([first, second])) == ["B6 Harbour 08:06"])
    }

    @Test("of a vehicle that calls twice, and of another line whose journey has the same name, is a row of its own")
    func twins() throws {
        let loop = try SIRITown.answer([
            SIRITown.visit(expected: "08:05", aimed: "08:03", call: [Told("VisitNumber", "1")]),
            SIRITown.visit(expected: "08:45", aimed: "08:03", call: [Told("VisitNumber", "2")]),
        ])
        #expect(SIRITown.rows(loop) == ["B6 Harbour 08:05, booked 08:03", "B6 Harbour 08:45, booked 08:03"])
        let plain = try SIRITown.answer([SIRITown.visit(expected: "08:05"), SIRITown.visit(expected: "08:45")])
        #expect(SIRITown.rows(plain) == ["B6 Harbour 08:05", "B6 Harbour 08:45"])
        let lines = try SIRITown.answer([SIRITown.visit(expected: "08:05"), SIRITown.visit("12", expected: "08:05")])
        #expect(SIRITown.rows(lines) == ["B6 Harbour 08:05", "12 Harbour 08:05"])
    }

    @Test("ages when the operator says that its answer does, but never between two polls")
    func validUntil() throws {
        func ages(_ until: String) throws -> String? {
            try SIRITown.answer(
                SIRITown.body([SIRITown.delivery([SIRITown.visit(expected: "08:05")], validUntil: until)])
            ).departures.first?.agesAt.map(SIRITown.clock)
        }
        #expect(try ages("08:02") == "08:02")
        #expect(try ages("08:00:30") == "08:01")
        #expect(try ages("07:58") == "07:58", "it was old when it was made")
        #expect(try SIRITown.answer([SIRITown.visit(expected: "08:05")]).departures.first?.agesAt == nil)
    }

    @Test("of a line without a name is called by the short of its reference, or as a person calls it")
    func lines() throws {
        func name(_ reference: String, _ names: [String: String] = [:]) throws -> String? {
            let journey = Told(
                "MonitoredVehicleJourney",
                [
                    Told("LineRef", reference),
                    Told("MonitoredCall", [Told("ExpectedDepartureTime", SIRITown.time("08:05"))]),
                ])
            return try SIRITown.answer([Told("MonitoredStopVisit", [journey])], names: names).departures.first?.line
                .name
        }
        #expect(try name("STIF:Line::C01727:") == "C01727")
        #expect(try name("NINOXE:Line:3:LOC") == "3")
        #expect(try name("MTA NYCT_B63") == "B63")
        #expect(try name("8A") == "8A")
        #expect(try name("X_") == "X_")
        #expect(try name("STIF:Line::C01727:", ["STIF:Line::C01727:": "C"]) == "C")
    }

    @Test("goes to its destination; where there is none to its display, or its direction")
    func destinations() throws {
        func row(_ journey: [Told], _ call: [Told] = []) throws -> String? {
            let all = journey + [Told("MonitoredCall", [Told("ExpectedDepartureTime", SIRITown.time("08:05"))] + call)]
            return try SIRITown.answer([Told("MonitoredStopVisit", [Told("MonitoredVehicleJourney", all)])])
                .departures.first?.destination
        }
        let names = [Told("DestinationName", "Harbour"), Told("DirectionName", "Outward")]
        #expect(try row(names, [Told("DestinationDisplay", "Docks")]) == "Harbour")
        #expect(try row([names[1]], [Told("DestinationDisplay", "Docks")]) == "Docks")
        #expect(try row([names[1]]) == "Outward")
        #expect(try row([]) == "")
    }

    @Test(
        "has its names in the language that is wanted, in XML and JSON", arguments: [SIRITown.Form.xml, .json, .values])
    func languages(_ form: SIRITown.Form) throws {
        let names = [Told("OriginName", "X"), Told("DestinationDisplay", "Y")]
        let journey = Told(
            "MonitoredVehicleJourney",
            names.dropLast() + [
                Told("DestinationName", "Satama", in: "fi"), Told("DestinationName", "Hamnen", in: "sv"),
                Told("MonitoredCall", [Told("ExpectedDepartureTime", SIRITown.time("08:05"))]),
            ])
        let body = SIRITown.body([SIRITown.delivery([Told("MonitoredStopVisit", [journey])])], form)
        #expect(try SIRITown.answer(body, language: "sv").departures.first?.destination == "Hamnen")
        #expect(try SIRITown.answer(body, language: "fi").departures.first?.destination == "Satama")
        #expect(try SIRITown.answer(body, language: "de").departures.first?.destination == "Satama")
    }

    @Test("with times of no zone is read on the operator's clocks, where they are known")
    func zones() throws {
        let local = SIRITown.visit(call: [Told("ExpectedDepartureTime", "2026-07-02T09:05:00")])
        let body = SIRITown.body([SIRITown.delivery([local])])
        let here = try SIRITown.answer(body, zone: try Feeds.london("Europe/London"))
        #expect(SIRITown.rows(here) == ["B6 Harbour 08:05"] && here.badRows == 0)
        let nowhere = try SIRITown.answer(body)
        #expect(nowhere.departures.isEmpty && nowhere.badRows == 1)
    }

    @Test("with a zone beside one without is shown, and what is to be set is trouble beside it")
    func someZones() async throws {
        let local = SIRITown.visit(call: [Told("ExpectedDepartureTime", "2026-07-02T09:05:00")])
        let body = SIRITown.body([SIRITown.delivery([local, SIRITown.visit(id: "2", expected: "08:05")])])
        for (zone, isTold) in [("", true), ("Europe/London", false)] {
            let feed = try SIRITown.make(["zone": zone], over: CannedTransport { _ in (200, body) })
            let answer = try await feed.departures(FeedQuestion(stop: SIRITown.stop))
            #expect(SIRITown.rows(answer).contains("B6 Harbour 08:05"))
            #expect((answer.trouble?.detail.contains("its times name no zone: set zone") == true) == isTold)
        }
    }

    @Test("comes also where blanks and a byte order mark are before the answer, in either order")
    func marks() throws {
        let delivery = SIRITown.delivery([SIRITown.visit(expected: "08:05")])
        for form in SIRITown.Form.allCases {
            for start in ["  \n\u{FEFF}", "\u{FEFF}\n ", "\u{FEFF}", "\n", "\n\u{FEFF}\r\n"] {
                let body = SIRITown.body([delivery], form)
                let answer = try SIRITown.answer(Array(start.utf8) + body[body.contentStart...])
                #expect(SIRITown.rows(answer) == ["B6 Harbour 08:05"], "\(form)")
            }
        }
    }

    @Test(
        "is in a delivery whose status is no value, and none is in one that is empty; where there is no delivery, no answer"
    )
    func deliveries() throws {
        for form in SIRITown.Form.allCases {
            let told = Told("StopMonitoringDelivery", [Told("Status", ""), SIRITown.visit(expected: "08:05")])
            #expect(SIRITown.rows(try SIRITown.answer(SIRITown.body([told], form))) == ["B6 Harbour 08:05"])
            let bare = Told("StopMonitoringDelivery", [Told("Status", "")])
            #expect(try SIRIAnswer(SIRITown.body([bare], form)).refusal == nil, "\(form)")
        }
        for empty in [
            #"{"ServiceDelivery":{"StopMonitoringDelivery":{}}}"#,
            "<Siri><ServiceDelivery><StopMonitoringDelivery/></ServiceDelivery></Siri>",
        ] {
            let answer = try SIRITown.answer(Array(empty.utf8))
            #expect(answer.departures.isEmpty && answer.badRows == 0)
        }
        // As in XML, where a list of none is not there at all.
        for none in [
            #"{"ServiceDelivery":{"StopMonitoringDelivery":[]}}"#, "<Siri><ServiceDelivery></ServiceDelivery></Siri>",
        ] {
            #expect(throws: SIRIFault.self) { try SIRIAnswer(Array(none.utf8)) }
        }
    }

    @Test("of an unknown kind costs no row: unknown words, nested things, empty things")
    func unknown() throws {
        let odd = SIRITown.visit(
            expected: "08:05",
            journey: [
                Told("VehicleMode", "hovercraft"), Told("ProgressRate", "sideways"), Told("Occupancy", "full of bees"),
                Told("TrainNumbers", [Told("TrainNumberRef", "7")]), Told("OnwardCalls", []),
            ], call: [Told("DepartureStatus", "pondering"), Told("DepartureBoardingActivity", "leaping")])
        #expect(try rows(odd) == ["B6 Harbour 08:05"])
    }
}
