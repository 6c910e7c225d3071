import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

/// Bodies of many small parts.
enum Flood {
    /// `count` rows between two texts.
    static func body(
        _ opening: String, _ count: Int, separator: String = ",", _ closing: String, row: (Int) -> String
    ) -> [UInt8] {
        var bytes = Array(opening.utf8)
        for index in 0..<count {
            if index > 0 { bytes += separator.utf8 }
            bytes += row(index).utf8
        }
        return bytes + closing.utf8
    }
}

@Suite("What is made of one response is bounded", .endsHangs)
struct ResponseLimitTests {
    private let rows = ResponseLimits.rows
    private let time = SIRITown.time("08:05")

    @Test(
        "JSON of more values than any response has is refused, whatever they are", arguments: ["0", "{}", "[]", "\"\""])
    func values(_ element: String) throws {
        #expect(throws: JSONFault.self) {
            _ = try JSONDocument(Flood.body("[", ResponseLimits.values, "]") { _ in element })
        }
        let most = try JSONDocument(Flood.body("[", ResponseLimits.values - 1, "]") { _ in element })
        #expect(most.nodes.count == ResponseLimits.values)
    }

    @Test("elements that are no objects, empty objects and objects after the limit are bad rows and are not kept")
    func elements() throws {
        let odd = try JSONDocument(Array(#"[0,"a",null,[],{},[{"a":1}],{"a":1}]"#.utf8)).list().rows { $0.text("a") }
        #expect(odd.good == ["1"] && odd.bad == 6)
        let many = try JSONDocument(Flood.body("[", rows + 7, "]") { "{\"a\":\($0)}" }).list().rows { $0.integer("a") }
        #expect(many.good == Array(0..<rows) && many.bad == 7)
        let row = try JSONDocument(Flood.body("{\"a\":[", rows + 7, "]}") { "\($0)" }).row()
        #expect(row.integers("a").count == rows && row.texts("a").count == rows)
    }

    @Test("SIRI: visits beyond the limit, and values in the place of visits, are bad rows, in JSON and in XML")
    func siriVisits() throws {
        let json = try SIRIAnswer(
            Flood.body("{\"StopMonitoringDelivery\":{\"MonitoredStopVisit\":[", rows + 9, "]}}") {
                "{\"LineRef\":\"\($0)\"}"
            })
        #expect(json.deliveries.map(\.visits.count) == [rows] && json.deliveries.map(\.badRows) == [9])
        let xml = try SIRIAnswer(
            Flood.body("<Siri><StopMonitoringDelivery>", rows + 9, separator: "", "</StopMonitoringDelivery></Siri>") {
                _ in
                "<MonitoredStopVisit/>"
            })
        #expect(xml.deliveries.map(\.visits.count) == [rows] && xml.deliveries.map(\.badRows) == [9])
        let zeros = try SIRIAnswer(
            Flood.body("{\"StopMonitoringDelivery\":{\"MonitoredStopVisit\":[", 100_000, "]}}") { _ in "0" })
        #expect(zeros.deliveries.map(\.visits.count) == [0] && zeros.deliveries.map(\.badRows) == [100_000])
        let answer = try SIRITown.answer(Array("{\"StopMonitoringDelivery\":{\"MonitoredStopVisit\":[0,0]}}".utf8))
        #expect(answer.departures.isEmpty && answer.badRows == 2)
    }

    @Test("SIRI: deliveries are bounded, and calls, situations and what they list are together")
    func siriParts() throws {
        let most = ResponseLimits.parts
        let deliveries = try SIRIAnswer(Flood.body("{\"StopMonitoringDelivery\":[", most + 5, "]}") { _ in "{}" })
        #expect(deliveries.deliveries.count == rows)
        let calls = try SIRIAnswer(
            Flood.body(
                "<Siri><StopMonitoringDelivery><MonitoredStopVisit><OnwardCalls>", most + 5, separator: "",
                "</OnwardCalls></MonitoredStopVisit></StopMonitoringDelivery></Siri>"
            ) { _ in "<OnwardCall/>" }, withCalls: true)
        #expect(calls.deliveries.first?.visits.first?.onward.count == most)
        for part in ["PublicationWindow", "ValidityPeriod"] {
            let situations = try SIRIAnswer(
                Flood.body(
                    "<Siri><StopMonitoringDelivery/><PtSituationElement>", most + 5, separator: "",
                    "</PtSituationElement></Siri>"
                ) { _ in "<\(part)/>" })
            #expect(situations.deliveries.count == 1 && situations.situations.isEmpty)
        }
    }

    @Test("SIRI: many situations with many lines are few alerts with as many lines as people could read")
    func siriAlerts() throws {
        let visits = Flood.body(
            "{\"ServiceDelivery\":{\"StopMonitoringDelivery\":{\"MonitoredStopVisit\":[", 3_000, "]},"
        ) {
            #"{"LineRef":"\#($0)","SituationRef":{"SituationSimpleRef":"1"},"MonitoredCall":{"ExpectedDepartureTime":"\#(time)"}}"#
        }
        let situations = Flood.body("\"SituationExchangeDelivery\":{\"PtSituationElement\":[", 3_000, "]}}}") {
            #"{"SituationNumber":"1","Summary":"Notice \#($0)"}"#
        }
        let answer = try SIRITown.answer(visits + situations)
        #expect(answer.departures.count == 3_000 && answer.alerts.count == ResponseLimits.alerts)
        for alert in answer.alerts {
            guard case .lines(let lines) = alert.scope else { throw OtherKind() }
            #expect(lines.count == ResponseLimits.lines)
        }
    }

    @Test("National Rail: services and places are bounded, in SOAP and in JSON")
    func rail() throws {
        func soap(_ inside: [UInt8]) throws -> RailBoard {
            let opening = "<Envelope><Body><GetStationBoardResult><trainServices>"
            let closing = "</trainServices></GetStationBoardResult></Body></Envelope>"
            guard case .board(let board) = try DarwinAnswer(opening.utf8 + inside + closing.utf8, withCalls: true)
            else {
                throw OtherKind()
            }
            return board
        }
        let services = try soap(
            Flood.body("", rows + 3, separator: "", "") { _ in "<service><std>12:00</std></service>" })
        #expect(services.services.count == rows && services.badRows == 3)
        let places = try soap(
            Flood.body("<service><destination>", 30_000, separator: "", "</destination></service>") { _ in "<location/>"
            })
        #expect(places.services.map(\.destinations.count) == [ResponseLimits.parts])
        let calls = try soap(
            Flood.body(
                "<service><subsequentCallingPoints><callingPointList>", 30_000, separator: "",
                "</callingPointList></subsequentCallingPoints></service>"
            ) { _ in "<callingPoint/>" })
        #expect(calls.services.isEmpty, "the way has no room any more")
        let json = try RailBoard(
            marketplace: Flood.body("{\"crs\":\"AMB\",\"nrccMessages\":[\"a\"],\"trainServices\":[", rows + 3, "]}") {
                "{\"std\":\"12:00\",\"serviceID\":\"\($0)\"}"
            }, withCalls: false)
        #expect(json.services.count == rows && json.badRows == 3 && json.messages == ["a"])
        let messages = try RailBoard(
            marketplace: Flood.body("{\"crs\":\"AMB\",\"nrccMessages\":[", rows + 3, "]}") { "\"\($0)\"" },
            withCalls: false)
        #expect(messages.messages.count == rows)
    }

    @Test("trips: rows that are none leave nothing but their identifiers")
    func trips() throws {
        let none = Flood.body("[", rows + 3, "]") { "{\"id\":\"A\($0)\"}" }
        #expect(throws: JSONFault.self) { _ = try TripsAnswer(none).trips() }
        let good = #"{"departure_at":1790000000000,"destination":{"city":"Town"},"currency":"GBP","price":1,"id":"#
        let many = try TripsAnswer(Flood.body("[", rows + 3, "]") { "\(good)\"x\($0)\"}" }).trips()
        #expect(many.trips.count == rows && many.badRows == 3)
        let few = try TripsAnswer(Array("[0,{},{\"id\":\"B\"},\(good)\"x\"}]".utf8)).trips()
        #expect(few.trips.map(\.id) == ["x"] && few.badRows == 3 && few.badIDs == ["b"])
    }

    @Test("MOTIS, LA Metro and TfL: rows beyond the limit are bad rows")
    func others() throws {
        let motis = try MOTISStopTimes(
            Flood.body("{\"stopTimes\":[", rows + 4, "]}") {
                "{\"place\":{\"departure\":\"\(time)\"},\"tripId\":\"\($0)\"}"
            },
            told: MOTISTown.told)
        #expect(motis.rows.count == rows && motis.badRows == 4)
        let response = HTTPResponse(status: 200, received: MOTISTown.told)
        let metro = try LAMetroBoard(
            Flood.body("{\"items\":[", rows + 4, "]}") { "{\"route_id\":\"\($0)\",\"seconds\":600}" }, response)
        #expect(metro.predictions.count == rows && metro.badRows == 4)
        let zone = try Feeds.london("Europe/London")
        let cancelled = try LAMetroCancellation.list(
            Flood.body("[", rows + 4, "]") {
                "{\"trp_route\":\"\($0)\",\"dpce_date\":\"2026-03-02\",\"trp_time_start\":\" 753\"}"
            }, in: zone)
        #expect(cancelled.trips.count + cancelled.bad == rows + 4 && cancelled.trips.count <= rows)
        let stop = StopID(feed: TfLFeed.name, code: "1")
        let arrivals = try TfLArrivals(
            Flood.body("[", rows + 4, "]") { "{\"lineId\":\"\($0)\",\"expectedArrival\":\"\(time)\"}" }, at: "1",
            for: stop,
            response)
        #expect(arrivals.part.departures.count == rows && arrivals.part.badRows == 4)
        let trains = try TfLArrivalDepartures(
            Flood.body("[", rows + 4, "]") { "{\"platformName\":\"\($0)\",\"scheduledTimeOfDeparture\":\"\(time)\"}" },
            of: Line(id: "mildmay", name: "Mildmay"), from: "1", for: stop, response)
        #expect(trains.part.departures.count == rows && trains.part.badRows == 4)
    }

    @Test("TfL: a station with thousands of parts is some requests, and a line with thousands of statuses some alerts")
    func tfl() throws {
        let station = try TfLStopPoint(
            Flood.body("{\"naptanId\":\"HUBX\",\"children\":[", 4_000, "]}") { "{\"naptanId\":\"940G\($0)\"}" })
        #expect(station.children.count == 4_000)
        #expect(throws: JSONFault.self) {
            _ = try TfLStopPoint(
                Flood.body("{\"children\":[{\"children\":[", 3_000, "]},{\"children\":[{}]}]}") {
                    "{\"lines\":[{\"id\":\"\($0)\"}]}"
                })
        }
        #expect(throws: JSONFault.self) {
            _ = try TfLStopPoint(
                Flood.body("{\"lineModeGroups\":[{\"modeName\":\"overground\",\"lineIdentifier\":[", rows, "]}]}") {
                    "\"\($0)\""
                })
        }
        #expect(TfLPlan(for: "HUBX", in: station, lines: []).parts.count == ResponseLimits.lookups)
        let status = try TfLLineStatus(
            Flood.body("[{\"id\":\"x\",\"lineStatuses\":[", 4_000, "]}]") {
                "{\"statusSeverity\":6,\"reason\":\"Notice \($0)\"}"
            }, at: MOTISTown.told)
        #expect(status.alerts["x"]?.count == 8)
    }

    @Test(
        "a notice is read up to a length, however it is written", arguments: ["&lt;a", "<a", "a ", "&amp;lt;!--", "&"])
    func html(_ unit: String) {
        let text = HTMLText.plain(String(repeating: unit, count: 400_000))
        #expect(text.unicodeScalars.count <= HTMLText.longest)
    }

    @Test("of a refusal that is longer than any nothing is read")
    func refusal() async throws {
        let transport = CannedTransport { _ in
            (429, Flood.body("{\"message\":\"", 400_000, separator: "", "\"}") { _ in " 9" })
        }
        let feed = try TfLFeed(Feeds.context(over: transport))
        let failure = await #expect(throws: FeedFailure.self) {
            _ = try await feed.departures(FeedQuestion(stop: StopID(feed: TfLFeed.name, code: "1")))
        }
        #expect(failure?.kind == .throttled(retryAfter: nil))
        #expect(failure?.detail.contains("TfL says") == false)
    }
}

/// A value is of another kind than the test needs.
struct OtherKind: Error {}
