import BoardCore
import BoardService
import BoardStore
import Testing
import Waiting

@testable import boardd

@Suite("The log of the configuration")
struct ConfigurationLogTests {
    @Test("faults are logged when they differ from the last ones, and a valid configuration once")
    func faults() {
        let log = CapturedLog()
        let configurationLog = ConfigurationLog(log.logger())
        configurationLog.valid(isChanged: false, "2 favourites")
        for _ in 0..<3 { configurationLog.faulty(["a:1: no", "a:2: no"], so: "the old one stays") }
        configurationLog.faulty(["a:2: no"], so: "the old one stays")
        for _ in 0..<3 { configurationLog.valid(isChanged: false, "2 favourites") }
        configurationLog.valid(isChanged: true, "1 favourite")
        configurationLog.faulty(["a:2: no"], so: "the old one stays")
        #expect(
            log.lines == [
                "error: a:1: no", "error: a:2: no", "error: the old one stays", "error: a:2: no",
                "error: the old one stays", "notice: configuration valid again: 2 favourites",
                "notice: configuration reloaded: 1 favourite", "error: a:2: no", "error: the old one stays",
            ])
    }

    @Test("reloads are logged 20 times a day, however often a client changes a favourite")
    func reloads() {
        let (log, clock) = (CapturedLog(), VirtualClock())
        let configurationLog = ConfigurationLog(log.logger(), clock: clock)
        for _ in 0..<100 { configurationLog.valid(isChanged: true, "2 favourites") }
        #expect(log.lines.count == 20)
        #expect(log.lines.last?.hasSuffix("(Log limit reached: no more of these lines today.)") == true)
        clock.advance(by: .seconds(86_400))
        configurationLog.valid(isChanged: true, "2 favourites")
        #expect(log.lines.last == "notice: configuration reloaded: 2 favourites")
    }

    @Test("a remark about a file to change is a warning, an absent file is information")
    func remarks() {
        let log = CapturedLog()
        ConfigurationLog(log.logger()).remarks([
            SourceError(file: "keys.env", message: "other users can read it"),
            SourceError(.unreadable, file: "boardd.toml", message: "not found"),
        ])
        #expect(log.lines == ["warning: keys.env: other users can read it", "info: boardd.toml: not found"])
    }

    @Test("missing nearby stops are logged once for all entries, until that changes")
    func nearStops() throws {
        let folder = try TemporaryFolder()
        let log = CapturedLog()
        let configurationLog = ConfigurationLog(log.logger())
        let place = try #require(Coordinates(latitude: 51.5, longitude: -0.1))
        let entries = [FavouriteEntry.nearby(Nearby(location: place)), .nearby(Nearby(location: place))]
        let directory = StopDirectory(folder: folder.path)
        for _ in 0..<3 { _ = FavouriteResolution(entries, in: directory, log: configurationLog) }
        #expect(log.lines.count == 1)
        #expect(log.lines.first?.hasPrefix("warning: nearby stops unavailable: ") == true)
        try SampleDirectory.write([SampleDirectory.pole("1")], in: folder.path)
        #expect(!FavouriteResolution(entries, in: directory, log: configurationLog).favourites.isEmpty)
        #expect(log.lines.count == 1)
    }
}
