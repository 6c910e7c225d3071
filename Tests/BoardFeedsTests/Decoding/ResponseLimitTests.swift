import BoardCore
import Testing
import Waiting

@testable import BoardFeeds

/// Bodies with many small parts.
enum ManyRows {
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

@Suite("The decoded content of a response is bounded", .endsHangs)
struct ResponseLimitTests {
    private let rows = ResponseLimits.rows
    private let time = Vale.time("08:05")

    @Test("JSON with more values than the limit is rejected, whatever they are", arguments: ["0", "{}", "[]", "\"\""])
    func values(_ element: String) throws {
        #expect(throws: FormatError.self) {
            _ = try JSONDocument(ManyRows.body("[", ResponseLimits.values, "]") { _ in element })
        }
        let most = try JSONDocument(ManyRows.body("[", ResponseLimits.values - 1, "]") { _ in element })
        #expect(most.nodes.count == ResponseLimits.values)
    }

    @Test("elements that are not objects, empty objects and objects above the limit are bad rows and are dropped")
    func elements() throws {
        let odd = try JSONDocument(Array(#"[0,"a",null,[],{},[{"a":1}],{"a":1}]"#.utf8)).list().rows { $0.text("a") }
        #expect(odd.good == ["1"] && odd.bad == 6)
        let many = try JSONDocument(ManyRows.body("[", rows + 7, "]") { "{\"a\":\($0)}" }).list().rows {
            $0.integer("a")
        }
        #expect(many.good == Array(0..<rows) && many.bad == 7)
        let row = try JSONDocument(ManyRows.body("{\"a\":[", rows + 7, "]}") { "\($0)" }).row()
        #expect(row.integers("a").count == rows && row.texts("a").count == rows)
    }

    @Test("SIRI: visits above the limit, and values in place of visits, are bad rows, in JSON and in XML")
    func siriVisits() throws {
        let json = try SIRIResponse(
            ManyRows.body("{\"StopMonitoringDelivery\":{\"MonitoredStopVisit\":[", rows + 9, "]}}") {
                "{\"LineRef\":\"\($0)\"}"
            })
        #expect(json.deliveries.map(\.visits.count) == [rows] && json.deliveries.map(\.badRows) == [9])
        let xml = try SIRIResponse(
            ManyRows.body("<Siri><StopMonitoringDelivery>", rows + 9, separator: "", "</StopMonitoringDelivery></Siri>")
            {
                _ in
                "<MonitoredStopVisit/>"
            })
        #expect(xml.deliveries.map(\.visits.count) == [rows] && xml.deliveries.map(\.badRows) == [9])
        let zeros = try SIRIResponse(
            ManyRows.body("{\"StopMonitoringDelivery\":{\"MonitoredStopVisit\":[", 100_000, "]}}") { _ in "0" })
        #expect(zeros.deliveries.map(\.visits.count) == [0] && zeros.deliveries.map(\.badRows) == [100_000])
        let result = try Vale.feedResponse(Array("{\"StopMonitoringDelivery\":{\"MonitoredStopVisit\":[0,0]}}".utf8))
        #expect(result.departures.isEmpty && result.badRows == 2)
    }

    @Test("SIRI: the numbers of deliveries and of a visit's calls are limited")
    func siriParts() throws {
        let deliveries = try SIRIResponse(ManyRows.body("{\"StopMonitoringDelivery\":[", rows + 5, "]}") { _ in "{}" })
        #expect(deliveries.deliveries.count == rows)
        let calls = try SIRIResponse(
            ManyRows.body(
                "<Siri><StopMonitoringDelivery><MonitoredStopVisit><OnwardCalls>", rows + 5, separator: "",
                "</OnwardCalls></MonitoredStopVisit></StopMonitoringDelivery></Siri>"
            ) { _ in "<OnwardCall/>" }, withCalls: true)
        #expect(calls.deliveries.first?.visits.first?.onward.count == rows)
    }

    @Test("SIRI: many situations with many lines become a limited number of alerts with a limited number of lines")
    func siriAlerts() throws {
        let visits = ManyRows.body(
            "{\"ServiceDelivery\":{\"StopMonitoringDelivery\":{\"MonitoredStopVisit\":[", 3_000, "]},"
        ) {
            #"{"LineRef":"\#($0)","SituationRef":{"SituationSimpleRef":"1"},"MonitoredCall":{"ExpectedDepartureTime":"\#(time)"}}"#
        }
        let situations = ManyRows.body("\"SituationExchangeDelivery\":{\"PtSituationElement\":[", 3_000, "]}}}") {
            #"{"SituationNumber":"1","Summary":"Notice \#($0)"}"#
        }
        let result = try Vale.feedResponse(visits + situations)
        #expect(result.departures.count == 3_000 && result.alerts.count == ResponseLimits.alerts)
        for alert in result.alerts { #expect(alert.lines?.count == ResponseLimits.lines) }
    }

    @Test("National Rail: services and places are limited, in SOAP and in JSON")
    func rail() throws {
        func soap(_ inside: [UInt8]) throws -> (good: [RailService], bad: Int) {
            let opening = "<Envelope><Body><GetStationBoardResult><trainServices>"
            let closing = "</trainServices></GetStationBoardResult></Body></Envelope>"
            return try Rail.board(xml: opening.utf8 + inside + closing.utf8).services
        }
        let services = try soap(
            ManyRows.body("", rows + 3, separator: "", "") { _ in "<service><std>12:00</std></service>" })
        #expect(services.good.count == rows && services.bad == 3)
        let places = try soap(
            ManyRows.body("<service><destination>", 30_000, separator: "", "</destination></service>") { _ in
                "<location><via>x</via></location>"
            })
        #expect(places.good.map(\.destinations.count) == [rows])
        let calls = try soap(
            ManyRows.body(
                "<service><subsequentCallingPoints><callingPointList>", 30_000, separator: "",
                "</callingPointList></subsequentCallingPoints></service>"
            ) { _ in "<callingPoint><st>12:00</st></callingPoint>" })
        #expect(calls.good.map { $0.subsequent.map(\.calls.count) } == [[rows]])
        let messages = try RailBoard(
            marketplace: ManyRows.body("{\"crs\":\"AMB\",\"nrccMessages\":[", rows + 3, "]}") { "\"\($0)\"" },
            Rail.response)
        #expect(messages.messages.count == rows)
    }

    @Test("trips: only the identifiers of malformed rows are stored")
    func trips() throws {
        let none = ManyRows.body("[", rows + 3, "]") { "{\"id\":\"A\($0)\"}" }
        #expect(throws: FormatError.self) { _ = try TripsResponse(none).trips() }
        let good = #"{"departure_at":1790000000000,"destination":{"city":"Town"},"currency":"GBP","price":1,"id":"#
        let many = try TripsResponse(ManyRows.body("[", rows + 3, "]") { "\(good)\"x\($0)\"}" }).trips()
        #expect(many.trips.count == rows && many.badRows == 3)
        let few = try TripsResponse(Array("[0,{},{\"id\":\"B\"},\(good)\"x\"}]".utf8)).trips()
        #expect(few.trips.map(\.id) == ["x"] && few.badRows == 3 && few.badIDs == ["b"])
    }

    @Test("MOTIS, LA Metro and TfL: rows above the limit are bad rows")
    func others() throws {
        let motis = try MOTISStopTimes(
            ManyRows.body("{\"stopTimes\":[", rows + 4, "]}") {
                "{\"place\":{\"departure\":\"\(time)\"},\"tripId\":\"\($0)\"}"
            },
            of: MOTISFixture.stop, madeAt: MOTISFixture.madeAt)
        #expect(motis.rows.count == rows && motis.badRows == 4)
        let response = HTTPResponse(status: 200, received: MOTISFixture.madeAt)
        let metro = try LAMetroPredictions(
            ManyRows.body("{\"items\":[", rows + 4, "]}") { "{\"route_id\":\"\($0)\",\"seconds\":600}" }, response)
        #expect(metro.predictions.count == rows && metro.badRows == 4)
        let zone = try Feeds.london("Europe/London")
        let cancelled = try LAMetroCancellation.list(
            ManyRows.body("[", rows + 4, "]") {
                "{\"trp_route\":\"\($0)\",\"dpce_date\":\"2026-03-02\",\"trp_time_start\":\" 753\"}"
            }, in: zone)
        #expect(cancelled.trips.count + cancelled.bad == rows + 4 && cancelled.trips.count <= rows)
        let stop = StopID(feed: TfLFeed.name, code: "1")
        let arrivals = try TfLDepartures(
            arrivals: ManyRows.body("[", rows + 4, "]") { "{\"lineId\":\"\($0)\",\"expectedArrival\":\"\(time)\"}" },
            at: "1", for: stop, response)
        #expect(arrivals.departures.count == rows && arrivals.badRows == 4)
        let trains = try TfLDepartures(
            trains: ManyRows.body("[", rows + 4, "]") {
                "{\"platformName\":\"\($0)\",\"scheduledTimeOfDeparture\":\"\(time)\"}"
            },
            of: Line(id: "mildmay", name: "Mildmay"), from: "1", for: stop, response)
        #expect(trains.departures.count == rows && trains.badRows == 4)
    }

    @Test(
        "TfL: a station with thousands of parts takes some requests, and a line with thousands of statuses has some alerts"
    )
    func tfl() throws {
        let station = try TfLStopPoint(
            ManyRows.body("{\"naptanId\":\"HUBX\",\"children\":[", 4_000, "]}") { "{\"naptanId\":\"940G\($0)\"}" })
        #expect(station.children.count == 4_000)
        #expect(throws: FormatError.self) {
            _ = try TfLStopPoint(
                ManyRows.body("{\"children\":[{\"children\":[", 3_000, "]},{\"children\":[{}]}]}") {
                    "{\"lines\":[{\"id\":\"\($0)\"}]}"
                })
        }
        #expect(throws: FormatError.self) {
            _ = try TfLStopPoint(
                ManyRows.body("{\"lineModeGroups\":[{\"modeName\":\"overground\",\"lineIdentifier\":[", rows, "]}]}") {
                    "\"\($0)\""
                })
        }
        #expect(TfLRequestPlan(for: "HUBX", in: station, lines: []).requests.count == ResponseLimits.lookups)
        let status = try TfLLineStatus(
            ManyRows.body("[{\"id\":\"x\",\"lineStatuses\":[", 4_000, "]}]") {
                "{\"statusSeverity\":6,\"reason\":\"Notice \($0)\"}"
            }, at: MOTISFixture.madeAt)
        #expect(status.alerts["x"]?.count == 8)
    }

    @Test("an alert is read up to a limit, whatever its HTML", arguments: ["&lt;a", "<a", "a ", "&amp;lt;!--", "&"])
    func html(_ unit: String) {
        let text = HTMLText.plain(String(repeating: unit, count: 400_000))
        #expect(text.unicodeScalars.count <= HTMLText.maximumLength)
    }

    @Test("an error body above its limit is not read")
    func errorBody() async throws {
        let transport = CannedTransport { _ in
            (429, ManyRows.body("{\"message\":\"", 400_000, separator: "", "\"}") { _ in " 9" })
        }
        let feed = try TfLFeed(Feeds.context(over: transport))
        let failure = await #expect(throws: FeedError.self) {
            _ = try await feed.departures(FeedRequest(stop: StopID(feed: TfLFeed.name, code: "1")))
        }
        #expect(failure?.kind == .rateLimited(retryAfter: nil))
        #expect(failure?.detail.contains("server message") == false)
    }
}

/// A value is of another kind than the test needs.
struct OtherKind: Error {}
