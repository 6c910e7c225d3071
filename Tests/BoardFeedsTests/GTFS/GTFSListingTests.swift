import BoardCore
import Synchronization
import TestOperators
import Testing
import Waiting

@testable import BoardFeeds

@Suite("The stops and lines of a GTFS feed in the stop directory", .endsHangs)
struct GTFSListingTests {
    private func stop(_ code: String) -> StopID { StopID(feed: GTFSTestServer.feed, code: code) }

    /// The stops in the order of the file.
    private func stops(_ fixture: GTFSFixture) throws -> [ListedStop] {
        let found = Mutex<[ListedStop]>([])
        let page = try GTFSListing(GTFSFixture.archive(fixture.zip().bytes), feed: GTFSTestServer.feed).stops { stop in
            found.withLock { $0.append(stop) }
        }
        let stops = found.withLock { $0 }
        #expect(page == StopPage(entries: stops.count, total: stops.count))
        return stops
    }

    private func route(_ text: String, of fixture: GTFSFixture = GTFSFixture()) throws -> LineRoute? {
        try GTFSListing(GTFSFixture.archive(fixture.zip().bytes), feed: GTFSTestServer.feed).route(of: text)
    }

    /// "North: ABC | CD": a line's directions and their branches.
    private func drawn(_ route: LineRoute?) -> [String] {
        (route?.directions ?? []).map { direction in
            "\(direction.name): " + direction.branches.map { $0.stops.map(\.id.code).joined() }.joined(separator: " | ")
        }
    }

    @Test("a station and its platforms are listed with their lines; entrances and nodes are not")
    func stops() throws {
        var fixture = GTFSFixture()
        fixture.files["stops.txt"]? +=
            "\nN,Node,40,-74,3,C,\nB,Half,40,-74,4,C1,\nX,Old Mill,41.5,-74.25,0,,\nU,,,,0,,A"
            + "\nZ,Zero,0,0,,,\n,nameless,40,-74,,,\nV,,91,x,7,,"
        let found = try stops(fixture)
        #expect(found.map(\.id.code) == ["C", "C1", "C2", "P", "Q", "R", "X", "U", "Z", "V"])
        #expect(found.map(\.kind) == [.station] + Array(repeating: .pole, count: 9))
        #expect(
            found.map(\.name) == [
                "Central", "Central", "Central", "Park", "Quay", "Ridge", "Old Mill", "U", "Zero", "V",
            ])
        #expect(found.map(\.parent) == [nil, stop("C"), stop("C")] + Array(repeating: nil, count: 7))
        #expect(found.map(\.letter) == [nil, "1", "2", nil, nil, nil, nil, "A", nil, nil])
        #expect(
            found.map { $0.lines.map(\.line.name) } == [
                ["1", "3", "Second"], ["1", "3"], ["Second"], ["1", "Second"], ["1", "Second"], ["3", "Second"], [], [],
                [], [],
            ])
        #expect(found[0].modes == ["tram", "bus", "metro"])
        #expect(found[0].lines.map(\.mode) == ["tram", "metro", "bus"])
        #expect(found[6].coordinates == Coordinates(latitude: 41.5, longitude: -74.25))
        #expect(found[7...].allSatisfy { $0.coordinates == nil })
    }

    @Test("stop_code is listed if it differs from stop_id")
    func codes() throws {
        var fixture = GTFSFixture()
        fixture.files["stops.txt"] = "stop_id,stop_code,stop_name\nP,1234,Park\nQ,Q,Quay\nR,,Ridge\n"
        #expect(try stops(fixture).map(\.shortCode) == ["1234", nil, nil])
    }

    @Test(
        "the mode of a line, from basic and extended route types",
        arguments: [
            (0, "tram"), (1, "metro"), (2, "train"), (3, "bus"), (4, "ferry"), (5, "cable-tram"), (6, "cable-car"),
            (7, "funicular"), (11, "trolleybus"), (12, "monorail"), (109, "train"), (202, "coach"), (401, "metro"),
            (704, "bus"), (800, "trolleybus"), (900, "tram"), (1_000, "ferry"), (1_300, "cable-car"),
            (1_400, "funicular"), (8, nil), (1_600, nil),
        ] as [(Int, String?)])
    func modes(_ type: Int, _ mode: String?) throws {
        var fixture = GTFSFixture()
        fixture.files["routes.txt"] = "route_id,route_short_name,route_type\n1,1,\(type)\n"
        #expect(try route("1", of: fixture)?.mode == mode)
    }

    @Test("a line has its colour; white is GTFS's default for none")
    func colours() throws {
        var fixture = GTFSFixture()
        fixture.files["routes.txt"] = """
            route_id,route_short_name,route_type,route_color
            1,1,0,00a651
            2,Second,1,FFFFFF
            3,3,3,\n
            """
        #expect(try stops(fixture)[0].lines.map(\.colour) == ["00A651", nil, nil])
        #expect(try route("1", of: fixture)?.colour == "00A651")
    }

    @Test("an error of the receiver ends the listing")
    func ended() throws {
        struct Full: Error {}
        let listing = try GTFSListing(GTFSFixture.archive(GTFSFixture().zip().bytes), feed: GTFSTestServer.feed)
        let taken = Mutex(0)
        let found = #expect(throws: TableError.self) {
            _ = try listing.stops { _ in
                taken.withLock { $0 += 1 }
                throw Full()
            }
        }
        #expect(found?.kind == .cancelled)
        #expect(taken.withLock { $0 } == 1)
    }

    @Test("a line is found by its ID, else by its name in any case; else nil")
    func named() throws {
        var fixture = GTFSFixture()
        // The name of one is the ID of the other.
        fixture.files["routes.txt"]? += "\n4,2,,3\nN1,Night,,3"
        #expect(try route("2", of: fixture)?.line == Line(id: "2", name: "Second"))
        #expect(try route("second", of: fixture)?.line.id == "2")
        #expect(try route("NIGHT", of: fixture)?.line.id == "N1")
        #expect(try route("n1", of: fixture)?.directions == [])
        #expect(try route("9", of: fixture) == nil)
    }

    @Test("a direction has the name of its headsign, else of its last stop; an unknown stop has its ID")
    func directions() throws {
        var fixture = GTFSFixture()
        #expect(drawn(try route("1", of: fixture)) == ["Quay via Park: C1PQ"])
        #expect(drawn(try route("2", of: fixture)) == ["Ridge: QPC2R"])
        fixture.files["trips.txt"] = """
            route_id,service_id,trip_id,trip_headsign,direction_id
            1,week,a,Quay,1
            1,week,b,Hills,0
            1,week,c,,
            """
        let route = try route("1", of: fixture)
        #expect(drawn(route) == ["Hills: QPC2R", "Quay: C1PQ", "Ridge: C1R"])
        let first = try #require(route?.directions.first?.branches.first?.stops)
        #expect(first.map(\.name) == ["Quay", "Park", "Central", "Ridge"])
        #expect(first.map(\.letter) == [nil, nil, "2", nil])
        #expect(first[0].coordinates == Coordinates(latitude: 40, longitude: -74))
        fixture.files["stops.txt"] = fixture.files["stops.txt"]?.replacing("\nR,Ridge,40,-74,0,,", with: "")
        let cut = try self.route(
            "2",
            of: GTFSFixture(files: fixture.files.merging(["trips.txt": GTFSFixture().files["trips.txt"] ?? ""]) { $1 }))
        // A zone of a flexible service has no row.
        #expect(drawn(cut) == ["Central: QPC2"])
    }

    @Test("a catalogue has all stops on its first page and none on the next, and the route of a line")
    func catalogue() async throws {
        let folder = try Fixtures.temporaryFolder()
        let path = folder + "/town.zip"
        try RecordingFiles.write(GTFSFixture().zip().bytes, to: path)
        let catalogue = try catalogue(path)
        let found = Mutex<[String]>([])
        let page = try await catalogue.stops(page: 1) { stop in found.withLock { $0.append(stop.id.description) } }
        #expect(page == StopPage(entries: 6, total: 6))
        #expect(found.withLock { $0 } == ["C", "C1", "C2", "P", "Q", "R"].map { "gtfs.town:" + $0 })
        #expect(
            try await catalogue.stops(page: 2) { _ in Issue.record("there is but one page") } == StopPage(entries: 0))
        #expect(drawn(try await catalogue.route(of: "second")) == ["Ridge: QPC2R"])
        #expect(try await catalogue.route(of: "nowhere") == nil)
        // The failure names feed, file and line.
        var bad = GTFSFixture()
        bad.files["routes.txt"] = "route_name\nx\n"
        try RecordingFiles.write(bad.zip().bytes, to: path)
        let failure = await #expect(throws: FeedError.self) { _ = try await catalogue.route(of: "1") }
        #expect(failure?.kind == .unreadable)
        #expect(
            failure?.detail.hasPrefix("Town: reading stops failed: routes.txt, line 1, route_id: the file has no such")
                == true)
    }

    @Test("no stops are listed of an unreadable timetable")
    func unreadableTimetable() async throws {
        let path = try Fixtures.temporaryFolder() + "/town.zip"
        func failure(_ change: (inout GTFSFixture) -> Void) async throws -> String? {
            var fixture = GTFSFixture()
            change(&fixture)
            try RecordingFiles.write(fixture.zip().bytes, to: path)
            let found = await #expect(throws: FeedError.self) {
                _ = try await catalogue(path).stops(page: 1) { _ in Issue.record("a stop is listed") }
            }
            #expect(found?.kind == .unreadable || found?.kind == .noZone)
            return found?.detail
        }
        #expect(
            try await failure { $0.files["agency.txt"] = "agency_id,agency_name,agency_url,agency_timezone\n" }
                == "Town: reading stops failed: agency.txt, line 1, agency_timezone: the file has no row, so there is no zone"
        )
        #expect(
            try await failure {
                $0.files["agency.txt"] = $0.files["agency.txt"]?.replacing("America/New_York", with: "PST")
            }?
            .hasPrefix("Town: reading stops failed: agency.txt, line 2, agency_timezone: no time zone \"PST\"") == true)
        #expect(try await failure { $0.files["agency.txt"] = nil }?.contains("agency.txt: is not in") == true)
        #expect(
            try await failure { ($0.files["calendar.txt"], $0.files["calendar_dates.txt"]) = (nil, nil) }?.contains(
                "calendar.txt: is not in") == true)
        #expect(
            try await failure { $0.files["stop_times.txt"] = "trip_id,departure_time,stop_id,stop_sequence\n" }?
                .contains("stop_times.txt, departure_time: the file has no row") == true)
    }

    private func catalogue(_ timetable: String) throws -> GTFSCatalogue {
        var settings = FeedSettings(defaultsOf: try #require(GTFSFeed.family.member(GTFSTestServer.feed)))
        settings.set("title", to: .text("Town"))
        settings.set("timetable", to: .text(timetable))
        let clock = VirtualClock(wall: Timestamp(seconds: 1_772_000_000))
        return try GTFSCatalogue(
            GTFSTestServer.feed,
            FeedContext(
                settings: settings, transport: CurlTransport(userAgent: "boardd-test/1", clock: clock), clock: clock
            ) { name throws(FeedSettingError) in try GTFSFixture.newYork(name) })
    }
}
