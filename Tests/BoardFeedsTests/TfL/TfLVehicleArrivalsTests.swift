import BoardCore
import TestOperators
import Testing
import Waiting

@testable import BoardFeeds

@Suite("The next calls of TfL's vehicles", .endsHangs)
struct TfLVehicleArrivalsTests {
    private let eight = Timestamp(rfc3339: "2026-03-02T08:00:00Z") ?? Timestamp(seconds: 0)

    private func departure(
        _ vehicle: String, line: String = "harbour", to destination: String = "Mill Park Underground Station",
        direction: String? = "inbound"
    ) -> Departure {
        Departure(
            stop: .tfl("940GZZLUXXA"), line: Line(id: line, name: line), destination: destination, vehicle: vehicle,
            direction: direction, status: .expected(eight), madeAt: eight, expiresAt: eight)
    }

    private func trip(_ body: [UInt8], of departure: Departure, after seconds: Int = 30) throws -> TripDetails? {
        let response = HTTPResponse(status: 200, headers: [], received: eight + .seconds(seconds))
        return try TripDetails(tfl: body, of: departure, response)
    }

    private func bus(_ rows: [(stop: String, to: String, way: String?, due: Int)]) -> [UInt8] {
        let texts = rows.map { row in
            """
            {"vehicleId":"ZZ71ABC","lineId":"73","modeName":"bus","naptanId":"\(row.stop)","stationName":"\(row.stop)",
            "destinationName":"\(row.to)",\(row.way.map { "\"direction\":\"\($0)\"," } ?? "")"platformName":"X",
            "timestamp":"2026-03-02T08:00:00Z","timeToStation":\(row.due),"currentLocation":""}
            """
        }
        return Array("[\(texts.joined(separator: ","))]".utf8)
    }

    @Test("the next calls are in order, each once, with the newest location")
    func tube() throws {
        let trip = try #require(try trip(Fixtures.own("vehicle_tube.json"), of: departure("203")))
        #expect(
            trip.calls == [
                CallingPoint(
                    name: "Larch Hill Underground Station", code: "940GZZLUXXA",
                    state: .expected(eight + .seconds(120)), platform: "4"),
                CallingPoint(
                    name: "Old Dock Underground Station", code: "940GZZLUXXC", state: .expected(eight + .seconds(300))),
                CallingPoint(
                    name: "Mill Park Underground Station", code: "940GZZLUXXD", state: .expected(eight + .seconds(600)),
                    platform: "1"),
            ])
        #expect(trip.location == "Between Quay and Larch Hill")
        #expect(trip.madeAt == eight + .seconds(20))
        #expect(trip.expiresAt == eight + .seconds(600))
        #expect(trip.now == nil)
    }

    @Test("a set number is unique within its line only")
    func line() throws {
        let body = try Fixtures.own("vehicle_tube.json")
        #expect(try trip(body, of: departure("203", line: "upland"))?.calls.map(\.code) == ["940GZZLUYYA"])
        #expect(try trip(body, of: departure("203", line: "bakerloo")) == nil)
        #expect(try trip(body, of: departure("204")) == nil)
    }

    @Test("expired calls are left out; if all have expired, there is no trip")
    func expiresAt() throws {
        let body = try Fixtures.own("vehicle_tube.json")
        #expect(try trip(body, of: departure("203"), after: 29)?.calls.count == 4)
        #expect(try trip(body, of: departure("203"), after: 120)?.calls.count == 2)
        #expect(try trip(body, of: departure("203"), after: 600)?.calls == nil)
    }

    @Test("a bus's return trip is left out; one that terminates early retains its trip")
    func ways() throws {
        let body = bus([
            ("c", "Harbour Green", "outbound", 300), ("b", "Harbour Green", nil, 200),
            ("a", "Old Bridge", "inbound", 900),
            ("b", "Old Bridge", "inbound", 800),
        ])
        func codes(_ to: String, _ way: String?) throws -> [String]? {
            try trip(body, of: departure("ZZ71ABC", line: "73", to: to, direction: way))?.calls.compactMap(\.code)
        }
        #expect(try codes("Harbour Green", "outbound") == ["b", "c"])
        #expect(try codes("Old Bridge", nil) == ["b", "a"])
        #expect(try codes("Long Row", "outbound") == ["b", "c"])
        #expect(try codes("Long Row", "Northbound") == nil)
        #expect(try trip(body, of: departure("ZZ71ABC", line: "73", to: "Harbour Green"))?.location == nil)
        #expect(
            try trip(body, of: departure("ZZ71ABC", line: "73", to: "Harbour Green"))?.expiresAt == eight
                + .seconds(330))
    }

    @Test("a train whose destination has changed retains its trip, also where its signs have another compass word")
    func turns() throws {
        let rows = [
            ("a", "Southbound - Platform 1", "inbound", "Stratford", 100),
            ("b", "Eastbound - Platform 2", "inbound", "Stratford", 200),
            ("a", "Northbound - Platform 2", "outbound", "Stanmore", 900),
        ].map { stop, platform, way, destination, seconds in
            """
            {"vehicleId":"203","lineId":"jubilee","modeName":"tube","naptanId":"\(stop)","stationName":"\(stop)",
            "destinationName":"\(destination)","direction":"\(way)","platformName":"\(platform)",
            "timestamp":"2026-03-02T08:00:00Z","timeToStation":\(seconds)}
            """
        }
        let changed = departure("203", line: "jubilee", to: "North Greenwich", direction: "Southbound")
        let trip = try trip(Array("[\(rows.joined(separator: ","))]".utf8), of: changed)
        #expect(trip?.calls.map(\.code) == ["a", "b"])
    }

    @Test("a response without any valid row is a fault; an empty one has no trip")
    func unreadable() throws {
        #expect(try trip(Array("[]".utf8), of: departure("203")) == nil)
        #expect(throws: FormatError.self) { try trip(Array("[17,null]".utf8), of: departure("203")) }
        #expect(throws: FormatError.self) { try trip(Array(#"{"message":"sorry"}"#.utf8), of: departure("203")) }
    }

    @Test("the feed requests the vehicle, and nothing without a vehicle")
    func feed() async throws {
        let body = try Fixtures.own("vehicle_tube.json")
        let transport = CannedTransport { path in path.contains("gone") ? (404, []) : (200, body) }
        let feed = try TfLFeed(Feeds.context(over: transport))
        #expect(try await feed.tripDetails(of: departure("203"))?.calls.count == 3)
        #expect(try await feed.tripDetails(of: departure("gone")) == nil)
        for none in ["", ".", "..", String(repeating: "1", count: 33)] {
            #expect(try await feed.tripDetails(of: departure(none)) == nil)
        }
        #expect(transport.requested == ["/Vehicle/203/Arrivals", "/Vehicle/gone/Arrivals"])
        let unresponsive = try TfLFeed(Feeds.context(over: CannedTransport { _ in nil }))
        await #expect(throws: FeedError.self) { try await unresponsive.tripDetails(of: departure("203")) }
    }

    @Test("recorded: every train of the Victoria line, from its position to its terminus", .needsRecordings)
    func victoria() throws {
        guard let wrapped = Recordings.read("tfl/recorded_with_headers/arrivals_line_victoria_tube.json") else {
            return
        }
        let recorded = try RecordedBody(wrapped)
        let response = HTTPResponse(status: recorded.status, headers: recorded.headers, received: Timestamp(seconds: 0))
        let stop = StopID.tfl("victoria")
        let rows = try TfLDepartures(arrivals: recorded.content, at: stop.code, for: stop, response).departures
        let trains = Dictionary(grouping: rows, by: \.vehicle)
        #expect(trains.count > 25)
        var whole = 0
        for (number, departures) in trains {
            let departure = try #require(departures.first)
            let trip = try #require(try TripDetails(tfl: recorded.content, of: departure, response), "\(number)")
            if trip.calls.last?.name == departure.destination { whole += 1 }
            #expect(Set(trip.calls.map(\.code)).count == trip.calls.count, "each station once")
            #expect(trip.location?.isEmpty == false)
            #expect(trip.madeAt == departure.madeAt)
        }
        #expect(whole > trains.count - 5, "what is more than half an hour ahead is not predicted")
        let train = try #require(trains["203"]?.first)
        let trip = try #require(try TripDetails(tfl: recorded.content, of: train, response))
        // The call at Tottenham Hale, at 15:40:35, expires at 15:41:04.
        #expect(trip.calls.count == 13)
        #expect(trip.calls.first?.name == "Seven Sisters Underground Station")
        #expect(trip.calls.last?.platform == "1")
        #expect(trip.location == "Left Blackhorse Road")
    }
}
