import BoardCore
import BoardStore
import Testing

@Suite("[[nearby]] in favourites.toml")
struct NearbyTableTests {
    private func place(_ latitude: Double, _ longitude: Double) throws -> Coordinates {
        try #require(Coordinates(latitude: latitude, longitude: longitude))
    }

    @Test("stops and [[nearby]] tables keep the order of the file, and missing keys have their defaults")
    func order() throws {
        let text = """
            [[nearby]]
            location = "51.5154,-0.1419"
            [[stop]]
            id = "demo:22"
            [[nearby]]
            location = "-33.87, 151.2"
            radius = "1.5km"
            stops = 9
            modes = ["bus", "tube"]
            [[stop]]
            id = "demo:11"
            """
        let configuration = try load("", favourites: text)
        let demo = FeedName("demo")
        let first = Favourite(stop: StopID(feed: demo, code: "22"))
        let second = Favourite(stop: StopID(feed: demo, code: "11"))
        #expect(
            configuration.entries == [
                .nearby(Nearby(location: try place(51.5154, -0.1419), radius: Metres(400), stops: 3, modes: [])),
                .stop(first),
                .nearby(
                    Nearby(location: try place(-33.87, 151.2), radius: Metres(1_500), stops: 9, modes: ["bus", "tube"])),
                .stop(second),
            ])
        #expect(configuration.favourites == [first, second])
    }

    @Test("a radius without a unit is in metres, with quotes or without", arguments: ["300", "'300'", "'300m'"])
    func radius(written: String) throws {
        let text = "[[nearby]]\nlocation = '51,0'\nradius = \(written)\n"
        let search = Nearby(location: try place(51, 0), radius: Metres(300))
        #expect(try load("", favourites: text).entries == [.nearby(search)])
    }

    @Test("swapped or out-of-range coordinates are reported as such")
    func locations() throws {
        let text = """
            [[nearby]]
            radius = "400m"
            [[nearby]]
            location = "151.2,-33.87"
            [[nearby]]
            location = "51.5,-181"
            [[nearby]]
            location = "-200,300"
            [[nearby]]
            location = "Oxford Circus"
            [[nearby]]
            location = [51.5, -0.1]
            """
        let allowed = "latitude and longitude as \"51.5154,-0.1419\""
        #expect(
            try faults(favourites: text) == [
                "favourites.toml:1:3: [[nearby]] has no location, which must be \(allowed)",
                "favourites.toml:4:12: location: \"151.2,-33.87\" has longitude and latitude swapped: "
                    + "write -33.87,151.2",
                "favourites.toml:6:12: location: \"51.5,-181\" has the longitude -181, which must be from -180 to 180",
                "favourites.toml:8:12: location: \"-200,300\" has the latitude -200, which must be from -90 to 90",
                "favourites.toml:10:12: location is \"Oxford Circus\", but must be \(allowed)",
                "favourites.toml:12:12: location is a list, but must be \(allowed)",
            ])
    }

    @Test("the radius is 20 m to 5 km, the stops are 1 to 9, and modes are texts")
    func ranges() throws {
        let text = """
            [[nearby]]
            location = "51,0"
            radius = "19m"
            stops = 0
            modes = []
            [[nearby]]
            location = "52,0"
            radius = 4.5
            stops = 10
            modes = ["bus", "Bus"]
            [[nearby]]
            location = "53,0"
            radius = "5.001km"
            walk = "4m"
            """
        let radius = "a distance from 20m to 5km, such as \"400m\" or \"1.5km\", or a number of metres"
        #expect(
            try faults(favourites: text) == [
                "favourites.toml:3:10: radius is \"19m\", but must be \(radius)",
                "favourites.toml:4:9: stops is 0, but must be a whole number from 1 to 9",
                "favourites.toml:5:9: modes is an empty list, but must be a list of texts, such as [\"bus\"]",
                "favourites.toml:8:10: radius is 4.5, but must be \(radius)",
                "favourites.toml:9:9: stops is 10, but must be a whole number from 1 to 9",
                "favourites.toml:10:17: modes: \"Bus\" is a duplicate",
                "favourites.toml:13:10: radius is \"5.001km\", but must be \(radius)",
                "favourites.toml:14:1: unknown key \"walk\" in [[nearby]]; allowed: location, radius, stops, modes",
            ])
    }

    @Test("a duplicate [[nearby]] table is a fault, however it is written; another one for the same location is not")
    func twice() throws {
        let text = """
            [[nearby]]
            location = "51.5,-0.1"
            modes = ["bus", "tube"]
            [[nearby]]
            location = "51.5,-0.1"
            modes = ["bus", "tube"]
            stops = 4
            [[nearby]]
            radius = "0.4km"
            modes = ["Tube", "bus"]
            location = "51.50, -0.10"
            """
        #expect(
            try faults(favourites: text) == [
                "favourites.toml:11:12: duplicate of the [[nearby]] table on line 2: remove one"
            ])
    }

    @Test(
        "a distance is digits, at most one decimal point, and a unit; without one it is in metres",
        arguments: [
            ("0m", 0), ("400m", 400), ("400", 400), ("1.5km", 1_500), ("0.05km", 50), ("007m", 7), ("99.5m", 99.5),
        ])
    func distances(text: String, metres: Double) {
        #expect(Metres(written: text) == Metres(metres))
    }

    @Test(
        "nothing else is a distance",
        arguments: ["", "m", "km", "4oo", "400 m", "-1m", "+1m", "1,5km", ".5km", "5.m", "1.2.3m", "1e3m", "٣m", "1mi"])
    func noDistances(text: String) { #expect(Metres(written: text) == nil) }
}
