import BoardCore
import BoardStore
import FoundationEssentials
import Testing

@testable import boardd

@Suite("boardd favourites list")
struct FavouriteListingTests {
    private let folder: TemporaryFolder
    private let entries: [FavouriteEntry]

    init() throws {
        folder = try TemporaryFolder()
        try SampleDirectory.write(in: folder.path)
        let place = try #require(Coordinates(latitude: 51.5010, longitude: -0.1012))
        entries = [
            .stop(Favourite(stop: SampleDirectory.id("490000001A"), label: "Home", lines: ["7", "N7"])),
            .nearby(Nearby(location: place, radius: Metres(400), stops: 2)),
            .stop(Favourite(stop: SampleDirectory.id("490000009Z"))),
        ]
    }

    @Test("a nearby entry takes one position, with its stops and their distance below")
    func table() {
        let listing = FavouriteListing(entries, in: StopDirectory(folder: folder.path))
        let expected = """
            1  tfl:490000001A  High Street A  "Home"  7, N7
            2  near 51.501,-0.1012: up to 2 stops within 400 m
               tfl:490000001B  High Street B  10 m
            3  tfl:490000009Z

            """
        #expect(listing.table == expected, "\(listing.table)")
        #expect(listing.failures.isEmpty)
    }

    @Test("without a directory the list is complete, and the failure is reported once")
    func noDirectory() {
        let none = StopDirectory(folder: "\(folder.path)/none")
        let listing = FavouriteListing(entries + [entries[1]], in: none)
        #expect(listing.rows.map(\.position) == [1, 2, 3, 4])
        #expect(listing.table.contains("2  near 51.501,-0.1012: up to 2 stops within 400 m; none found\n"))
        #expect(listing.failures.map(\.kind) == [.missing])
    }

    @Test("a nearby entry whose stops are all favourites differs from one that finds none")
    func nearbyCovered() throws {
        let place = try #require(Coordinates(latitude: 51.5010, longitude: -0.1012))
        let sea = try #require(Coordinates(latitude: 50, longitude: -6))
        let listing = FavouriteListing(
            [
                .stop(Favourite(stop: SampleDirectory.id("490000001A"))),
                .stop(Favourite(stop: SampleDirectory.id("490000001B"))),
                .nearby(Nearby(location: place, stops: 2)), .nearby(Nearby(location: place, stops: 1)),
                .nearby(Nearby(location: sea)),
            ], in: StopDirectory(folder: folder.path))
        let lines = listing.table.split(separator: "\n").filter { $0.contains("near") }
        #expect(
            lines == [
                "3  near 51.501,-0.1012: up to 2 stops within 400 m; all of them are favourites already",
                "4  near 51.501,-0.1012: the nearest stop within 400 m; it is a favourite already",
                "5  near 50.0,-6.0: up to 3 stops within 400 m; none found",
            ], "\(listing.table)")
    }

    @Test("--json has positions, favourites and nearby entries in a stable format")
    func json() throws {
        struct Row: Decodable {
            struct Favourite: Decodable {
                let stop: String
                let label: String?
                let lines: [String]
                let sort: String
                let walk: String?
                let towards: [String]
                let platforms: [String]
                let directions: [String]
                let when: [String]
                let name: String?
            }
            struct NearbyEntry: Decodable {
                struct Stop: Decodable {
                    let stop: String
                    let distanceMetres: Double
                }
                let latitude: Double
                let radiusMetres: Double
                let limit: Int
                let modes: [String]
                let stops: [Stop]
            }
            let position: Int
            let favourite: Favourite?
            let nearby: NearbyEntry?
        }
        let listing = FavouriteListing(
            entries + [.stop(SampleDirectory.commuter)], in: StopDirectory(folder: folder.path))
        let rows = try JSONDecoder().decode([Row].self, from: Data(listing.json.utf8))
        #expect(rows.map(\.position) == [1, 2, 3, 4])
        #expect(rows[0].favourite?.walk == nil)
        #expect(rows[0].favourite?.when == [] && rows[0].favourite?.platforms == [])
        let settings = try #require(rows[3].favourite)
        #expect([settings.sort, settings.walk] == ["line", "7m"])
        #expect(settings.platforms == ["3", "4"] && settings.directions == ["up"] && settings.towards == ["PAD"])
        #expect(settings.when == ["weekdays 06:30-09:30", "weekend"])
        #expect(rows[0].favourite?.name == "High Street")
        #expect(rows[1].nearby?.stops.map(\.stop) == ["tfl:490000001B"])
        #expect(rows[1].favourite == nil && rows[2].nearby == nil)
    }

    @Test(
        "lines are parsed as users write them",
        arguments: [("73, 390,73", ["73", "390"]), ("All", []), ("N73", ["N73"])])
    func lineChoice(text: String, names: [String]) throws {
        #expect(try FavouriteOptions.texts(text, of: "lines") == names)
    }
}
