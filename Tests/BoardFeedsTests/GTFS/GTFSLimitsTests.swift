import BoardCore
import TestOperators
import Testing

@testable import BoardFeeds

@Suite("Limits of GTFS archives")
struct GTFSLimitsTests {
    /// A limit, the amount that the fixture needs, and the table that exceeds it.
    struct Case: Sendable, CustomTestStringConvertible {
        let name: String
        let file: GTFSFile
        let need: Int
        let set: @Sendable (inout GTFSLimits, Int) -> Void
        let read: @Sendable (GTFSArchive) throws -> Void
        var testDescription: String { name }
    }

    private static func timetable(_ archive: GTFSArchive) throws {
        _ = try TimetableReader.read(archive, stops: ["C"], zone: GTFSFixture.newYork)
    }

    private static func directory(_ archive: GTFSArchive) throws {
        _ = try GTFSListing(archive, feed: GTFSTestServer.feed).stops { _ in }
    }

    private static func line(_ archive: GTFSArchive) throws {
        _ = try GTFSListing(archive, feed: GTFSTestServer.feed).route(of: "1")
    }

    static let cases: [Case] = [
        Case(name: "lines", file: .routes, need: 3, set: { $0.routes = $1 }, read: directory),
        Case(
            name: "lines' names", file: .routes, need: 15, set: { $0.text = $1 },
            read: { _ = try $0.routes(Translations(NameChoice())) }),
        Case(name: "stops", file: .stops, need: 7, set: { $0.stops = $1 }, read: directory),
        Case(name: "stops' names", file: .stops, need: 10, set: { $0.text = $1 }, read: { _ = try RoutesByStop($0) }),
        Case(name: "lines at stops", file: .stopTimes, need: 12, set: { $0.stopRoutePairs = $1 }, read: directory),
        Case(name: "trips", file: .trips, need: 3, set: { $0.trips = $1 }, read: directory),
        Case(name: "distinct trips", file: .stopTimes, need: 3, set: { $0.trips = $1 }, read: timetable),
        Case(name: "selected trips", file: .stopTimes, need: 3, set: { $0.selectedTrips = $1 }, read: timetable),
        Case(name: "selected calls", file: .stopTimes, need: 9, set: { $0.selectedCalls = $1 }, read: timetable),
        Case(name: "calls of a trip", file: .stopTimes, need: 4, set: { $0.tripCalls = $1 }, read: timetable),
        Case(name: "calls at stops", file: .stopTimes, need: 3, set: { $0.watchedCalls = $1 }, read: timetable),
        Case(name: "calls in rows", file: .frequencies, need: 2, set: { $0.repeatedCalls = $1 }, read: timetable),
        Case(
            name: "calls in rows, two per trip", file: .frequencies, need: 4, set: { $0.repeatedCalls = $1 },
            read: { _ = try TimetableReader.read($0, stops: ["C", "P"], zone: GTFSFixture.newYork) }),
        Case(name: "selected stops", file: .stopTimes, need: 6, set: { $0.selectedStops = $1 }, read: timetable),
        Case(name: "selected names", file: .routes, need: 95, set: { $0.selectedText = $1 }, read: timetable),
        Case(name: "exceptions", file: .calendarDates, need: 2, set: { $0.exceptions = $1 }, read: timetable),
        Case(name: "frequencies", file: .frequencies, need: 2, set: { $0.frequencies = $1 }, read: timetable),
        Case(name: "a line's trips", file: .trips, need: 1, set: { $0.selectedTrips = $1 }, read: line),
        Case(name: "a line's calls", file: .stopTimes, need: 3, set: { $0.selectedCalls = $1 }, read: line),
    ]

    private func fixture() -> GTFSFixture {
        var fixture = GTFSFixture()
        fixture.files["frequencies.txt"] = """
            trip_id,start_time,end_time,headway_secs
            a,6:00:00,7:00:00,1200
            b,6:00:00,7:00:00,1200
            """
        return fixture
    }

    @Test("the needed amount is accepted, and one more is a failure with the name of the table", arguments: cases)
    func limit(_ limit: Case) throws {
        let bytes = fixture().zip().bytes
        var limits = GTFSLimits()
        limit.set(&limits, limit.need)
        try limit.read(GTFSFixture.archive(bytes, limits: limits))
        limit.set(&limits, limit.need - 1)
        let found = #expect(throws: TableError.self) { try limit.read(GTFSFixture.archive(bytes, limits: limits)) }
        #expect(found?.kind == .unreadable)
        #expect(found?.file == limit.file.name)
        #expect(found?.detail.contains("more than \(limit.need - 1) ") == true, "\(String(describing: found))")
    }

    @Test("the one line of a favourite is shown, however many departures the others have before it")
    func lines() async throws {
        var fixture = GTFSFixture()
        fixture.files["frequencies.txt"] =
            "trip_id,start_time,end_time,headway_secs\n" + (0..<50).map { _ in "a,7:00:00,8:00:00,60\n" }.joined()
        let feed = try GTFSTestServer(fixture).feed()
        let rare = try await feed.departures(FeedRequest(stop: Town.stop("C"), lines: ["Second"]))
        #expect(GTFSTestServer.rows(rare) == ["Second Ridge *09:20"])
    }

    @Test("a headway of less than a minute is raised to a minute, and counted")
    func headways() throws {
        var fixture = GTFSFixture()
        fixture.files["frequencies.txt"] =
            "trip_id,start_time,end_time,headway_secs\n"
            + (0..<1_000).map { "a,6:00:00,7:00:00,\($0 % 59 + 1)\n" }.joined()
        let (timetable, report) = try fixture.read(["P"])
        #expect(report.clampedHeadways == 1_000 && report.badRowCount == 0)
        let trip = try #require(timetable.trip("a"))
        #expect(Set(timetable.trips[trip].frequencies.map(\.headway)) == [60])
        let day = try #require(Timestamp(local: "2026-03-04T00:00:00", in: timetable.zone))
        let window = day..<(day + .seconds(86_400))
        // 60 departures of each of 1,000 rows, up to the limit of a response.
        #expect(timetable.departures(at: timetable.places(of: "P"), in: window).count == Timetable.maximumDepartures)
        fixture.files["frequencies.txt"] = "trip_id,start_time,end_time,headway_secs\na,6:00:00,7:00:00,1\n"
        let one = try fixture.read(["P"]).timetable
        #expect(one.departures(at: one.places(of: "P"), in: window).count == 60)
        fixture.files["frequencies.txt"] = "trip_id,start_time,end_time,headway_secs\na,6:00:00,7:00:00,60\n"
        #expect(try fixture.read(["P"]).report.clampedHeadways == 0)
    }

    @Test("the earliest of many departures in a window, in order, over all trips, days and places")
    func earliest() throws {
        var fixture = GTFSFixture()
        let trips = 0..<3_000
        fixture.files["trips.txt"] = "route_id,service_id,trip_id\n" + trips.map { "1,week,t\($0)\n" }.joined()
        fixture.files["stop_times.txt"] =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
            + trips.map { number in
                // Unordered.
                let second = number * 1_999 % 3_000
                let time = "\(8 + second / 3_600):\(10 + second / 60 % 50):\(10 + second % 50)"
                return "t\(number),\(time),\(time),C\(number % 2 + 1),1\nt\(number),11:00:00,11:00:00,Q,2\n"
            }.joined()
        let timetable = try fixture.read(["C"]).timetable
        let day = try #require(Timestamp(local: "2026-03-04T00:00:00", in: timetable.zone))
        let window = day..<(day + .seconds(86_400))
        let places = timetable.places(of: "C")
        let all = timetable.departures(at: places, in: window, most: 10_000)
        #expect(all.count == 3_000)
        #expect(zip(all, all.dropFirst()).allSatisfy { $0.departure <= $1.departure })
        let most = timetable.departures(at: places, in: window)
        #expect(most.map(\.departure) == all.prefix(Timetable.maximumDepartures).map(\.departure))
        #expect(
            timetable.departures(at: places, in: window, most: 1).map(\.departure) == all.prefix(1).map(\.departure))
        let even = timetable.departures(at: places, in: window, most: 5) { $0.instance.trip % 2 == 0 }
        #expect(even.map(\.departure) == all.filter { $0.instance.trip % 2 == 0 }.prefix(5).map(\.departure))
    }

    @Test("rows of trips and services that are not selected do not count")
    func others() throws {
        var fixture = fixture()
        let rows = (0..<9).map { "x\($0),6:00:00,7:00:00,1200\n" }.joined()
        fixture.files["frequencies.txt"] = fixture.files["frequencies.txt"]?.replacing(
            "a,6:00:00", with: rows + "a,6:00:00")
        fixture.files["calendar_dates.txt"]? += (0..<9).map { "x\($0),20260305,1\n" }.joined()
        var limits = GTFSLimits()
        (limits.frequencies, limits.exceptions) = (2, 2)
        let archive = try GTFSFixture.archive(fixture.zip().bytes, limits: limits)
        #expect(throws: Never.self) { try Self.timetable(archive) }
    }

    @Test("the platforms of a requested station are limited")
    func platforms() throws {
        var fixture = fixture()
        fixture.files["stops.txt"]? += (0..<50).map { "\nE\($0),Central,40,-74,0,C," }.joined()
        var limits = GTFSLimits()
        limits.selectedStops = 40
        let archive = try GTFSFixture.archive(fixture.zip().bytes, limits: limits)
        #expect(#expect(throws: TableError.self) { try Self.timetable(archive) }?.file == "stops.txt")
    }

    /// Endless rows, each of another trip.
    private final class Endless: ByteSource {
        private(set) var rows = 0
        private var rest: ArraySlice<UInt8> = Array("trip_id,stop_id,stop_sequence,departure_time\n".utf8)[...]

        func read(into buffer: inout [UInt8], _ room: Range<Int>) throws(TableError) -> Int {
            if rest.isEmpty {
                rows += 1
                rest = Array("trip number \(rows),P,1,08:00:00\n".utf8)[...]
            }
            let taken = rest.prefix(room.count)
            buffer.replaceSubrange(room.prefix(taken.count), with: taken)
            rest = rest.dropFirst(taken.count)
            return taken.count
        }
    }

    @Test("endless trips are read up to the limit, whether they call at a requested stop or not")
    func endless() throws {
        var limits = GTFSLimits()
        (limits.trips, limits.selectedTrips) = (20_000, 10_000)
        for (stop, most) in [("P", limits.selectedTrips), ("Q", limits.trips)] {
            let source = Endless()
            var reader = StopTimesReader(StopSelection([stop]), limits)
            var report = TimetableReport()
            let found = #expect(throws: TableError.self) {
                try reader.read(Table("stop_times.txt", source, StopTimesReader.columns), &report)
            }
            #expect(found?.kind == .unreadable)
            #expect(report.stopTimes == most + 1)
            #expect(source.rows == most + 1, "no row is read ahead")
            #expect(reader.trips.ids.count <= most + 1)
        }
    }

    @Test("the hash of a trip takes at most 24 bytes")
    func hashes() {
        var seen = HashSlots()
        var worst = 0
        for hash in 1...UInt64(50_000) {
            let isNew = seen.insert(hash &* 0x9E37_79B9_7F4A_7C15)
            #expect(isNew)
            if hash > 16_384 { worst = max(worst, seen.slots.count * 8 / seen.count) }
        }
        #expect((8...24).contains(worst))
        let isNew = seen.insert(0x9E37_79B9_7F4A_7C15)
        #expect(!isNew)
        #expect(seen.count == 50_000)
    }
}
