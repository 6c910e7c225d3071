import BoardCore
import SwiftProtobuf
import TestOperators
import Testing
import TransitRealtime

@testable import BoardFeeds

/// Recordings in JSON, converted to protobuf and laid over a timetable.
@Suite("GTFS-Realtime: recordings in JSON", .needsRecordings)
struct RealtimeDuplicateTests {
    /// An invented line with the stops and the trip of the faulty messages, on 7 November 2023.
    private static var railway: GTFSFixture {
        let stops = ["70232", "70242", "70262", "70272", "70282"]
        let times = ["20:05:00", "20:10:00", "20:16:00", "20:22:00", "20:30:00"]
        var fixture = GTFSFixture()
        fixture.files["stops.txt"] =
            "stop_id,stop_name,stop_lat,stop_lon\n" + stops.map { "\($0),Halt \($0),37,-122\n" }.joined()
        fixture.files["routes.txt"] = "route_id,route_short_name,route_long_name,route_type\nL1,L1,,2\n"
        fixture.files["trips.txt"] = "route_id,service_id,trip_id,trip_headsign,direction_id\nL1,week,124,,1\n"
        fixture.files["stop_times.txt"] =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
            + zip(stops, times).enumerated().map { "124,\($1.1),\($1.1),\($1.0),\($0 + 20)\n" }.joined()
        fixture.files["calendar.txt"] = GTFSFixture().files["calendar.txt"]?.replacing("2026", with: "2023")
        fixture.files["calendar_dates.txt"] = nil
        return fixture
    }

    /// A recording in JSON as protobuf, without unknown fields.
    private func message(_ name: String) throws -> [UInt8]? {
        guard let json = Recordings.read("gtfs-rt/\(name).json") else { return nil }
        var options = JSONDecodingOptions()
        options.ignoreUnknownFields = true
        return try TransitRealtime_FeedMessage(jsonUTF8Bytes: json, options: options).serializedBytes(partial: true)
    }

    /// The departures at a stop at the time of the message: `20:10 exp 20:10:01`.
    private func rows(_ overlay: RealtimeOverlay, _ code: String, now: Timestamp) -> [String] {
        overlay.departures(at: Town.stop(code), now: now, ahead: .seconds(7_200)).map { departure in
            let (status, time) =
                switch departure.status {
                case .expected(let time): ("exp", time)
                case .scheduled(let time): ("*", time)
                case .cancelled, .delayed: ("no", departure.due)
                }
            return "\(departure.booked.map(Town.clock) ?? "-") \(status) \(Town.clock(time))"
        }
    }

    @Test(
        "faulty messages: the correct parts are shown, and nothing else",
        arguments: [
            // Descending sequences: calls are matched by stop.
            ("E002.trip_update-stop_time_update.1", ["20:10 exp 20:10:01"], ["20:16 exp 20:16:01"]),
            // Unknown trips with a last call only.
            ("E003.trip_update-trip-trip_id", ["20:10 * 20:10"], ["20:16 * 20:16"]),
            // An unknown stop: its call is matched by sequence.
            ("E011.trip_update-stop_time_update-stop_id", ["20:10 exp 20:10:01"], ["20:16 exp 20:16:01"]),
            // An invalid date.
            ("E021.trip_update-trip-start_date.1", ["20:10 exp 20:10:01"], ["20:16 exp 20:16:16"]),
            // Descending times: the later call is past, so the vehicle has left.
            ("E022.trip_update-stop_time_update.1", [], []),
            // A call with neither stop nor sequence has the delay of the call before.
            ("E040.trip_update-stop_time_update", ["20:10 exp 20:10:04"], ["20:16 exp 20:16:16"]),
            // Calls without times.
            ("E043.trip_update-schedule_relationship", ["20:10 exp 20:10:01"], ["20:16 exp 20:16:16"]),
            ("E044.trip_update-schedule_relationship.1", ["20:10 exp 20:10:01"], ["20:16 exp 20:16:16"]),
        ])
    func faulty(name: String, second: [String], third: [String]) throws {
        guard let body = try message("transitland/errors/" + name) else { return }
        let codes = ["70242", "70262"]
        let index = RealtimeIndex(try Self.railway.read(codes).timetable, stops: codes)
        let read = try RealtimeMessage(body, entityFilter: index.entityFilter)
        let now = try #require(read.madeAt)
        #expect(read.badEntities == 0)
        let overlay = RealtimeOverlay([read], over: index, now: now)
        #expect(rows(overlay, "70242", now: now) == second)
        #expect(rows(overlay, "70262", now: now) == third)
    }

    @Test(
        "Washington around midnight: trips belong to yesterday's service day, also the one at 24:45 with today's date",
        arguments: [
            ("wmata/2359", "364060"), ("wmata/2400", "364060"), ("wmata/2445", "21489060"),
        ])
    func midnight(name: String, trip: String) throws {
        guard let body = try message(name), Recordings.read("gtfs/wmata_service_day_cut.zip") != nil else { return }
        let stop = try #require(try RealtimeMessage(body).trips.first?.unknownStops.first)
        let (timetable, _) = try TimetableReader.read(
            GTFSArchive(path: Recordings.folder + "/gtfs/wmata_service_day_cut.zip"), stops: [stop],
            zone: GTFSFixture.newYork)
        let index = RealtimeIndex(timetable, stops: [stop])
        let read = try RealtimeMessage(body, entityFilter: index.entityFilter)
        let update = try #require(read.trips.first)
        let overlay = RealtimeOverlay([read], over: index, now: try #require(read.madeAt))
        let liveTrip = try #require(overlay.trips.first)
        #expect(overlay.trips.count == 1 && liveTrip.instance != nil && liveTrip.id.trip == trip)
        #expect(liveTrip.id.day == CivilDate(gtfs: "20230818"))
        let call = try #require(liveTrip.calls.first { $0.updateIndex == 0 })
        #expect(call.place.map { timetable.places[$0].id } == stop)
        #expect(call.live?.departure == update.stops.first?.departure.time)
    }

    @Test("Seattle: a copy without properties has the times of its update")
    func duplicated() throws {
        guard let body = try message("soundtransit/TripUpdate-DUPLICATED-1690679342") else { return }
        let read = try RealtimeMessage(body)
        let copy = try #require(read.trips.first { $0.trip.relationship == .duplicated }).withoutRepeats
        // Half of its stops are repeated, first with times before those of the previous stop.
        #expect(copy.stops.compactMap(\.sequence) == Array(1...19))
        #expect(zip(copy.stops, copy.stops.dropFirst()).allSatisfy { $0.time?.seconds ?? 0 < $1.time?.seconds ?? 0 })
        let stops = copy.stops.map(copy.unknownStop)
        // An invented timetable with its stops an hour earlier.
        var fixture = GTFSFixture()
        fixture.files["stops.txt"] =
            "stop_id,stop_name,stop_lat,stop_lon\n" + Set(stops).sorted().map { "\($0),\($0),47,-122\n" }.joined()
        fixture.files["routes.txt"] = "route_id,route_short_name,route_long_name,route_type\n100479,1 Line,,0\n"
        fixture.files["trips.txt"] =
            "route_id,service_id,trip_id,trip_headsign\n100479,week,\(copy.trip.id),Angle Lake\n"
        fixture.files["stop_times.txt"] =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
            + stops.enumerated().map {
                let time = "17:\($0 < 10 ? "0" : "")\($0):00"
                return "\(copy.trip.id),\(time),\(time),\($1),\($0 + 1)\n"
            }.joined()
        fixture.files["calendar.txt"] = GTFSFixture().files["calendar.txt"]?.replacing("2026", with: "2023")
            .replacing("1,1,1,1,1,0,0", with: "1,1,1,1,1,1,1")
        fixture.files["calendar_dates.txt"] = nil
        let index = RealtimeIndex(try fixture.read(stops).timetable, stops: stops)
        let over = try RealtimeMessage(body, entityFilter: index.entityFilter)
        let now = try #require(over.madeAt)
        let overlay = RealtimeOverlay([over], over: index, now: now)
        let expected = zip(stops, copy.stops.dropLast()).map { (code: $0, time: $1.departure.time ?? $1.time) }
        for code in Set(stops.dropLast()) {
            let live = overlay.departures(at: Town.stop(code), now: now, ahead: .seconds(7_200))
                .filter { $0.attributes?.id.flatMap(TripInstanceID.init)?.trip == copy.entity }
            #expect(
                live.map(\.due)
                    == expected.filter { $0.code == code }.compactMap(\.time).filter { $0 + .seconds(30) > now },
                "\(code)")
            #expect(live.allSatisfy { $0.line.name == "1 Line" })
        }
    }
}
