import FoundationEssentials
import TestOperators
import Testing
import Waiting

@testable import boardd

@Suite("Commands about the stops and lines of a GTFS feed", .endsHangs)
struct GTFSStopsTests {
    /// A tram that forks at its station, a bus on a loop, and a distant hill.
    private static let stops = """
        stop_id,stop_code,stop_name,stop_lat,stop_lon,location_type,parent_station,platform_code
        C,,Central,51.5000,-0.1000,1,,
        C1,,Central,51.5001,-0.1001,0,C,1
        C2,,Central,51.5001,-0.0999,0,C,2
        CE,,Central Entrance,51.5,-0.1,2,C,
        H,1001,Harbour,51.5040,-0.1000,0,,
        M,,Old Mill,51.5020,-0.1060,0,,
        Q,,Quay,51.5060,-0.0950,0,,
        W,,West Hill,51.5000,-0.2500,0,,
        """

    private static let ways = [
        ("R7", ["C1", "H", "Q"]), ("R7", ["C1", "H", "Q"]), ("R7", ["C1", "M", "W"]),
        ("R20", ["Q", "H", "M", "Q"]), ("R20", ["H", "M", "Q", "H"]),
    ]

    private static func archive() -> [UInt8] {
        var trips = "route_id,service_id,trip_id\n"
        var times = "trip_id,arrival_time,departure_time,stop_id,stop_sequence\n"
        for (trip, (route, stops)) in ways.enumerated() {
            trips += "\(route),daily,t\(trip)\n"
            for (place, stop) in stops.enumerated() {
                times += "t\(trip),08:0\(place):00,08:0\(place):00,\(stop),\(place)\n"
            }
        }
        return HandMadeZip(files: [
            "agency.txt": "agency_name,agency_url,agency_timezone\nTown Trams,http://example.org,UTC\n",
            "calendar.txt": "service_id,monday,tuesday,wednesday,thursday,friday,saturday,sunday,start_date,end_date\n"
                + "daily,1,1,1,1,1,1,1,20200101,20991231\n",
            "routes.txt": "route_id,route_short_name,route_long_name,route_type\nR7,7,Harbour Line,0\nR20,20,,3\n",
            "stops.txt": stops, "stop_times.txt": times, "trips.txt": trips,
        ]).bytes
    }

    @Test("search, near, lines, line and a map of any GTFS feed use its timetable")
    func stops() async throws {
        let folder = try TemporaryFolder(["favourites.toml": ""])
        try Data(Self.archive()).write(to: URL(filePath: "\(folder.path)/town.zip"))
        try folder.write(
            "[feed.gtfs.town]\ntitle = \"Town\"\ntimetable = \"\(folder.path)/town.zip\"\n", to: "boardd.toml")
        func stops(_ words: String...) async throws -> String {
            let program = try Program(
                ["stops"] + words + ["--config", "\(folder.path)/boardd.toml"],
                environment: ["STATE_DIRECTORY": folder.path, "RUNTIME_DIRECTORY": folder.path])
            #expect(await program.end() == 0, "\(words): \(program.errors)")
            return program.output
        }
        #expect(try await stops("update", "gtfs.town").hasPrefix("gtfs.town: 7 stops and 2 lines"))
        #expect(
            try await stops("search", "central") == """
                gtfs.town:C   Central      tram  7
                gtfs.town:C1  Central (1)  tram  7
                gtfs.town:C2  Central (2)  pole

                """)
        #expect(try await stops("search", "1001") == "gtfs.town:H  Harbour  tram bus  7 20\n")
        #expect(
            try await stops("near", "51.5,-0.1") == """
                  0 m  gtfs.town:C   Central      tram      7
                 10 m  gtfs.town:C1  Central (1)  tram      7
                 10 m  gtfs.town:C2  Central (2)  pole
                440 m  gtfs.town:H   Harbour      tram bus  7 20
                470 m  gtfs.town:M   Old Mill     tram bus  7 20

                """)
        #expect(
            try await stops("lines", "gtfs.town")
                == "7   tram  6 stops  gtfs.town:R7\n20  bus   3 stops  gtfs.town:R20\n")
        #expect(
            try await stops("line", "gtfs.town:7") == """
                Line 7  tram  gtfs.town:R7

                Quay: Central → Quay, West Hill
                    Central (1) → Quay
                      Central (1)  gtfs.town:C1
                      Harbour      gtfs.town:H
                      Quay         gtfs.town:Q
                    Central (1) → West Hill
                      Central (1)  gtfs.town:C1
                      Old Mill     gtfs.town:M
                      West Hill    gtfs.town:W

                """)
        #expect(
            try await stops("line", "gtfs.town:20") == """
                Line 20  bus  gtfs.town:R20

                Harbour: Harbour → Harbour
                    Harbour   gtfs.town:H
                    Old Mill  gtfs.town:M
                    Quay      gtfs.town:Q
                    Harbour   gtfs.town:H

                """)
        let station = try await stops("show", "gtfs.town:C")
        #expect(station.contains("kind   station"), "\(station)")
        #expect(station.contains("parts\n    gtfs.town:C1  Central (1)  tram  7\n    gtfs.town:C2  "), "\(station)")
        let map = try await stops("map", "gtfs.town:H", "--line", "gtfs.town:7")
        #expect(["Harbour", "Quay", "Central"].allSatisfy(map.contains) && map.contains("class=\"way\""), "\(map)")
    }
}
