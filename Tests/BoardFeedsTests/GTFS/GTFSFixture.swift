import BoardCore
import TestOperators
import Testing

@testable import BoardFeeds

/// An invented GTFS feed: its tables as text, which tests may replace.
struct GTFSFixture {
    var files: [String: String] = [
        "agency.txt": "agency_id,agency_name,agency_url,agency_timezone\nA,Tram,http://example.org,America/New_York\n",
        "stops.txt": """
        stop_id,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code
        C,Central,40,-74,1,,
        C1,Central,40,-74,0,C,1
        C2,Central,40,-74,0,C,2
        CE,Entrance,40,-74,2,C,
        P,Park,40,-74,,,
        Q,Quay,40,-74,0,,
        R,Ridge,40,-74,0,,
        """,
        "routes.txt": """
        route_id,route_short_name,route_long_name,route_type
        1,1,First,0
        2,,Second,3
        3,,,1
        """,
        "trips.txt": """
        route_id,service_id,trip_id,trip_headsign,direction_id,trip_short_name
        1,week,a,Quay via Park,0,T1
        2,week,b,,1,
        3,night,c,Ridge,,
        """,
        "stop_times.txt": """
        trip_id,arrival_time,departure_time,stop_id,stop_sequence,stop_headsign,pickup_type
        a,08:00:00,08:00:00,C1,10,,
        a,08:10:00,08:11:00,P,20,Quay,
        a,08:20:00,08:20:00,Q,30,,
        b,9:00:00,9:00:00,Q,1,,0
        b,9:10:00,9:10:00,P,2,,1
        b,9:20:00,9:20:00,C2,3,,0
        b,9:30:00,9:30:00,R,4,,0
        c,25:10:00,25:10:00,C1,1,,
        c,25:30:00,25:30:00,R,2,,
        """,
        "calendar.txt": """
        service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date
        week,1,1,1,1,1,0,0,20260101,20261231
        """, "calendar_dates.txt": "service_id,date,exception_type\nnight,20260305,1\nweek,20260306,2\n",
    ]

    /// The current rules of New York, Chicago and Los Angeles, so that no test needs the machine's zone files.
    static func newYork(_ name: String) throws(FeedSettingError) -> Zone {
        let offset = ["America/New_York": 5, "America/Chicago": 6, "America/Los_Angeles": 8][name]
        guard let offset, let zone = try? Zone(posix: "AST\(offset)ADT,M3.2.0,M11.1.0") else {
            throw FeedSettingError(setting: "zone", detail: "no time zone \"\(name)\": apt install tzdata")
        }
        return zone
    }

    /// The archive, with its tables in the root or in a folder.
    func zip(in folder: String = "") -> HandMadeZip { HandMadeZip(files: files, in: folder) }

    /// Opens bytes as an archive.
    static func archive(_ bytes: [UInt8], limits: GTFSLimits = GTFSLimits()) throws -> GTFSArchive {
        let path = try Fixtures.temporaryFolder() + "/gtfs.zip"
        try RecordingFiles.write(bytes, to: path)
        return try GTFSArchive(path: path, limits: limits)
    }

    func read(_ stops: [String]) throws -> (timetable: Timetable, report: TimetableReport) {
        try TimetableReader.read(Self.archive(zip().bytes), stops: stops, zone: Self.newYork)
    }
}
