import BoardCore
import BoardIO
import LoopbackServer
import SwiftProtobuf
import TestOperators
import TransitRealtime

@testable import boardd

// A tram line with a tram every ten minutes all day, and messages about some of them.
extension GTFSServer {
    static func trams() throws -> GTFSServer {
        let gtfs = try GTFSServer(archive: archive())
        gtfs.files.withLock { $0.makeMessage = { Self.message() } }
        return gtfs
    }

    /// The configuration of a board that polls it.
    func config(_ extra: String = "", stop: String = "P") -> [String: String] {
        [
            "boardd.toml": """
            [feed.gtfs.town]
            title = "Town"
            timetable = "\(server.url("/gtfs.zip"))"
            realtime = ["\(server.url("/trips"))"]
            interval = "10s"
            \(extra)
            """,
            "favourites.toml": "[[stop]]\nid = \"gtfs.town:\(stop)\"\nlabel = \"Park\"\n",
        ]
    }

    /// How often a path was requested.
    func count(_ path: String) -> Int { requestedPaths.count { $0 == path } }

    /// A tram every ten minutes of the day in UTC, from the depot over the park to the quay.
    ///
    /// - Parameters:
    ///   - days: the first and the last day, as the file writes them.
    ///   - time: the text in the times of every tram but one, which does not call at the park; nil: times.
    static func archive(headsign: String = "Quay", days: String = "20200101,20991231", time: String? = nil) -> [UInt8] {
        func clock(_ minutes: Int) -> String {
            let (hour, minute) = (minutes / 60, minutes % 60)
            return (hour < 10 ? "0" : "") + "\(hour):" + (minute < 10 ? "0" : "") + "\(minute):00"
        }
        var trips = "route_id,service_id,trip_id,trip_headsign\n"
        var times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        for number in 0..<144 {
            trips += "R7,daily,t\(number),\(headsign)\n"
            for (place, stop) in ["D", "P", "Q"].enumerated() {
                let time = time ?? clock(number * 10 + place * 5)
                times += "t\(number),\(time),\(time),\(stop),\(place + 1)\n"
            }
        }
        if time != nil {
            trips += "R7,daily,express,\(headsign)\n"
            times += "express,08:00:00,08:00:00,D,1\nexpress,08:09:00,08:09:00,Q,2\n"
        }
        return HandMadeZip(files: [
            "agency.txt": "agency_name,agency_url,agency_timezone\nTown Trams,http://example.org,UTC\n",
            "calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                + "daily,1,1,1,1,1,1,1,\(days)\n",
            "routes.txt": "route_id,route_short_name,route_long_name,route_type\nR7,7,,0\n",
            "stop_times.txt": times,
            "stops.txt":
                "stop_id,stop_name,stop_lat,stop_lon\nD,Depot,51,0\nP,Park,51.002,0.001\nQ,Quay,51.004,0.002\n",
            "trips.txt": trips,
        ]).bytes
    }

    /// The last tram at the park and the next one are a minute late; the others have no message.
    private static func message() -> [UInt8] {
        let now = SystemClock().reading().wall
        let minutes = Int(now.seconds / 60 % 1_440)
        // It leaves the park at five past the ten: the first one that does so from a minute on.
        let next = (minutes + 1 + 4) / 10
        var message = TransitRealtime_FeedMessage()
        message.header.gtfsRealtimeVersion = "2.0"
        message.header.timestamp = UInt64(now.seconds)
        message.entity = [next + 143, next].map { number in
            var entity = TransitRealtime_FeedEntity(), call = TransitRealtime_TripUpdate.StopTimeUpdate()
            entity.id = "t\(number % 144)"
            entity.tripUpdate.trip.tripID = entity.id
            call.stopID = "P"
            call.departure.delay = 60
            entity.tripUpdate.stopTimeUpdate = [call]
            return entity
        }
        return (try? message.serializedBytes()) ?? []
    }
}
