import BoardCore
import SwiftProtobuf
import Testing
import TransitRealtime

@testable import BoardFeeds

/// Recordings that are there as JSON alone: made what an operator would send, and laid over a timetable.
@Suite("GTFS-Realtime: recordings written as JSON")
struct RealtimeDuplicateTests {
    /// A made-up line of the stops that the faulty messages name, with their trip of 7 November 2023.
    private static var railway: GTFSFixture {
        let stops = ["70232", "70242", "70262", "70272", "70282"]
        let times = ["20:05:00", "20:10:00", "20:16:00", "20:22:00", "20:30:00"]
        var city = GTFSFixture()
        city.files["stops.txt"] =
            "stop_id,stop_name,stop_lat,stop_lon\n" + stops.map { "\($0),Halt \($0),37,-122\n" }.joined()
        city.files["routes.txt"] = "route_id,route_short_name,route_long_name,route_type\nL1,L1,,2\n"
        city.files["trips.txt"] = "route_id,service_id,trip_id,trip_headsign,direction_id\nL1,week,124,,1\n"
        city.files["stop_times.txt"] =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
            + zip(stops, times).enumerated().map { "124,\($1.1),\($1.1),\($1.0),\($0 + 20)\n" }.joined()
        city.files["calendar.txt"] = GTFSFixture().files["calendar.txt"]?.replacing("2026", with: "2023")
        city.files["calendar_dates.txt"] = nil
        return city
    }

    /// A recording in JSON as the bytes that it stands for; what no board shows is left out.
    private func message(_ name: String) throws -> [UInt8]? {
        guard let json = Fixtures.recorded("gtfs-rt/\(name).json") else { return nil }
        var options = JSONDecodingOptions()
        options.ignoreUnknownFields = true
        return try TransitRealtime_FeedMessage(jsonUTF8Bytes: json, options: options).serializedBytes(partial: true)
    }

    /// The rows at a stop when a message came: `20:10 exp 20:10:01`.
    private func rows(_ overlay: RealtimeOverlay, _ code: String, now: Timestamp) -> [String] {
        overlay.departures(at: RealtimeFixture.stop(code), now: now, ahead: .seconds(7_200)).map { departure in
            let (told, time) =
                switch departure.status {
                case .expected(let time): ("exp", time)
                case .scheduled(let time): ("*", time)
                case .cancelled, .delayed: ("no", departure.due)
                }
            return "\(departure.booked.map(RealtimeFixture.clock) ?? "-") \(told) \(RealtimeFixture.clock(time))"
        }
    }

    @Test(
        "faulty messages: what is right in them is shown, and nothing that is not",
        arguments: [
            // The sequences fall: the stops say which calls are meant.
            ("E002.trip_update-stop_time_update.1", ["20:10 exp 20:10:01"], ["20:16 exp 20:16:01"]),
            // Trips that the timetable does not have, of which one last call is told.
            ("E003.trip_update-trip-trip_id", ["20:10 * 20:10"], ["20:16 * 20:16"]),
            // A stop that the timetable does not have: its sequence says which call is meant.
            ("E011.trip_update-stop_time_update-stop_id", ["20:10 exp 20:10:01"], ["20:16 exp 20:16:01"]),
            // A day that is none.
            ("E021.trip_update-trip-start_date.1", ["20:10 exp 20:10:01"], ["20:16 exp 20:16:16"]),
            // Times that fall: as told, so that it has left there.
            ("E022.trip_update-stop_time_update.1", ["20:10 exp 20:10:01"], []),
            // A call with neither stop nor sequence: as late as the one before.
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
        "Washington round midnight: trips are of yesterday's service day, also the one of 24:45 that has today's date",
        arguments: [
            ("wmata/2359", "364060"), ("wmata/2400", "364060"), ("wmata/2445", "21489060"),
        ])
    func midnight(name: String, trip: String) throws {
        guard let body = try message(name), Fixtures.recorded("gtfs/wmata_service_day_cut.zip") != nil else { return }
        let stop = try #require(try RealtimeMessage(body).trips.first?.unknownStops.first)
        let (timetable, _) = try TimetableReader.read(
            GTFSArchive(path: Fixtures.recordings + "/gtfs/wmata_service_day_cut.zip"), stops: [stop],
            zone: GTFSFixture.newYork)
        let index = RealtimeIndex(timetable, stops: [stop])
        let read = try RealtimeMessage(body, entityFilter: index.entityFilter)
        let told = try #require(read.trips.first)
        let overlay = RealtimeOverlay([read], over: index, now: try #require(read.madeAt))
        let liveTrip = try #require(overlay.trips.first)
        #expect(overlay.trips.count == 1 && liveTrip.instance != nil && liveTrip.id.trip == trip)
        #expect(liveTrip.id.day == CivilDate(gtfs: "20230818"))
        let call = try #require(liveTrip.calls.first { $0.updateIndex == 0 })
        #expect(call.place.map { timetable.places[$0].id } == stop)
        #expect(call.live?.departure == told.stops.first?.departure.time)
    }

    @Test("Seattle: a copy without properties has the times that are told of it")
    func duplicated() throws {
        guard let body = try message("soundtransit/TripUpdate-DUPLICATED-1690679342") else { return }
        let read = try RealtimeMessage(body)
        let copy = try #require(read.trips.first { $0.trip.relationship == .duplicated }).withoutRepeats
        // It tells of half of its stops twice, the first time with times before those of the stops before.
        #expect(copy.stops.compactMap(\.sequence) == Array(1...19))
        #expect(zip(copy.stops, copy.stops.dropFirst()).allSatisfy { $0.time?.seconds ?? 0 < $1.time?.seconds ?? 0 })
        let stops = copy.stops.map(copy.unknownStop)
        // A line of its stops an hour before, by a made-up timetable of theirs.
        var city = GTFSFixture()
        city.files["stops.txt"] =
            "stop_id,stop_name,stop_lat,stop_lon\n" + Set(stops).sorted().map { "\($0),\($0),47,-122\n" }.joined()
        city.files["routes.txt"] = "route_id,route_short_name,route_long_name,route_type\n100479,1 Line,,0\n"
        city.files["trips.txt"] = "route_id,service_id,trip_id,trip_headsign\n100479,week,\(copy.trip.id),Angle Lake\n"
        city.files["stop_times.txt"] =
            "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
            + stops.enumerated().map {
                let time = "17:\($0 < 10 ? "0" : "")\($0):00"
                return "\(copy.trip.id),\(time),\(time),\($1),\($0 + 1)\n"
            }.joined()
        city.files["calendar.txt"] = GTFSFixture().files["calendar.txt"]?.replacing("2026", with: "2023")
            .replacing("1,1,1,1,1,0,0", with: "1,1,1,1,1,1,1")
        city.files["calendar_dates.txt"] = nil
        let index = RealtimeIndex(try city.read(stops).timetable, stops: stops)
        let over = try RealtimeMessage(body, entityFilter: index.entityFilter)
        let now = try #require(over.madeAt)
        let overlay = RealtimeOverlay([over], over: index, now: now)
        let told = zip(stops, copy.stops.dropLast()).map { (code: $0, time: $1.departure.time ?? $1.time) }
        for code in Set(stops.dropLast()) {
            let live = overlay.departures(at: RealtimeFixture.stop(code), now: now, ahead: .seconds(7_200))
                .filter { $0.attributes?.id.flatMap(TripInstanceID.init)?.trip == copy.entity }
            #expect(
                live.map(\.due)
                    == told.filter { $0.code == code }.compactMap(\.time).filter { $0 + .seconds(30) > now }, "\(code)")
            #expect(live.allSatisfy { $0.line.name == "1 Line" })
        }
    }
}
