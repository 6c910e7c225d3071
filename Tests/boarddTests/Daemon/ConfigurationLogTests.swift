import BoardCore
import BoardStore
import Testing

@testable import boardd

@Suite("What is said of the configuration")
struct ConfigurationLogTests {
    @Test("faults are said when they differ from the last ones, and once that it is good again")
    func faults() {
        let log = CapturedLog()
        let voice = ConfigurationLog(log.logger())
        voice.valid(isChanged: false, "2 favourites")
        for _ in 0..<3 { voice.faulty(["a:1: no", "a:2: no"], so: "the old one stays") }
        voice.faulty(["a:2: no"], so: "the old one stays")
        for _ in 0..<3 { voice.valid(isChanged: false, "2 favourites") }
        voice.valid(isChanged: true, "1 favourite")
        voice.faulty(["a:2: no"], so: "the old one stays")
        #expect(
            log.lines == [
                "error: a:1: no", "error: a:2: no", "error: the old one stays", "error: a:2: no",
                "error: the old one stays", "notice: configuration valid again: 2 favourites",
                "notice: configuration reloaded: 1 favourite", "error: a:2: no", "error: the old one stays",
            ])
    }

    @Test("that near stops are left out is said once for all wishes, until it changes")
    func nearStops() throws {
        let folder = try TemporaryFolder()
        let log = CapturedLog()
        let voice = ConfigurationLog(log.logger())
        let place = try #require(Coordinates(latitude: 51.5, longitude: -0.1))
        let wishes = [FavouriteEntry.nearby(Nearby(location: place)), .nearby(Nearby(location: place))]
        let directory = StopDirectory(folder: folder.path)
        for _ in 0..<3 { _ = FavouriteResolution(wishes, in: directory, log: voice) }
        #expect(log.lines.count == 1)
        #expect(log.lines.first?.hasPrefix("warning: nearby stops unavailable: ") == true)
        try Listed.keep([Listed.pole("1")], in: folder.path)
        #expect(!FavouriteResolution(wishes, in: directory, log: voice).favourites.isEmpty)
        #expect(log.lines.count == 1)
    }
}
