import BoardCore
import Glibc
import LoopbackServer
import Synchronization
import Testing
import Waiting

@testable import BoardFeeds

@Suite("A city's archive, kept", .endsHangs)
struct ArchiveKeepingTests {
    @Test("the first question takes the archive, which stays with where it came from; a restart needs no network")
    func first() async throws {
        let hall = try TownHall()
        #expect(try await hall.rows(hall.feed()) == ["1 Quay *08:11"])
        #expect(hall.asked == ["/gtfs.zip"])
        #expect(hall.kept("gtfs.town.zip") == hall.files.withLock { $0.archive })
        #expect(try hall.names() == ["gtfs.town.zip", "gtfs.town.zip.origin"])
        let origin = try #require(
            ArchiveOrigin(String(decoding: hall.kept("gtfs.town.zip.origin") ?? [], as: UTF8.self)))
        #expect(origin.url == hall.server.url("/gtfs.zip") && origin.tag == "\"one\"")
        var status = stat()
        #expect(unsafe stat(hall.folder + "/gtfs.town.zip", &status) == 0 && status.st_mode & 0o777 == 0o644)

        hall.server.stop()
        #expect(try await hall.rows(hall.feed()) == ["1 Quay *08:11"])
        #expect(hall.troubles.isEmpty)
    }

    @Test("a download that takes long is reported while it goes on")
    func slow() async throws {
        let hall = try TownHall()
        let archive = hall.files.withLock { $0.archive }
        let half = archive.count / 2
        hall.files.withLock {
            $0.instead = [
                .send(LoopbackServer.Step.head(200, ["Content-Length: \(archive.count)"])),
                .send(Array(archive[..<half])), .wait, .send(Array(archive[half...])),
            ]
        }
        async let rows = hall.rows(hall.feed())
        while hall.server.record.bytesSent < half { await Task.yield() }
        #expect(hall.remarks.isEmpty)
        hall.clock.go(to: .seconds(150))
        hall.server.goOn()
        #expect(try await rows == ["1 Quay *08:11"])
        #expect(
            hall.remarks == [
                "the timetable of Town is still being downloaded: \(archive.count / 1_000) kB in 2 minutes"
            ])
    }

    @Test("an archive whose origin was lost serves as well, and is asked for anew beside")
    func lostOrigin() async throws {
        let hall = try TownHall()
        try await hall.settle(hall.feed())
        try RecordingFiles.write([], to: hall.folder + "/gtfs.town.zip.origin")
        let feed = try hall.feed()
        #expect(try await hall.rows(feed) == ["1 Quay *08:11"])
        try await hall.settle(feed)
        #expect(hall.asked.count == 2)
        #expect(hall.server.record.requests.last?.contains("If-None-Match") == false)
    }

    @Test("a week later the operator is asked whether it has another one: 304 notes that, and takes nothing")
    func unchanged() async throws {
        for (tag, modified) in [("\"one\"", nil), (nil, "Mon, 02 Mar 2026 00:00:00 GMT")] as [(String?, String?)] {
            let hall = try TownHall()
            hall.files.withLock { ($0.tag, $0.modified) = (tag, modified) }
            let feed = try hall.feed()
            _ = try await hall.rows(feed)
            let before = KeptArchive.edition(of: hall.folder + "/gtfs.town.zip")
            try await hall.pass(.seconds(6 * 86_400), feed)
            #expect(hall.asked.count == 1)
            try await hall.pass(.seconds(86_400), feed)
            #expect(hall.asked.count == 2)
            try await hall.pass(.seconds(86_400), feed)
            #expect(KeptArchive.edition(of: hall.folder + "/gtfs.town.zip") == before)
            #expect(try hall.names() == ["gtfs.town.zip", "gtfs.town.zip.origin"])
            let week = try Town.time("06:55") + .seconds(7 * 86_400)
            let origin = ArchiveOrigin(String(decoding: hall.kept("gtfs.town.zip.origin") ?? [], as: UTF8.self))
            #expect(origin?.checked == week)
            #expect(hall.readings == 1 && hall.asked.count == 2)
            #expect(hall.troubles.isEmpty)
        }
    }

    @Test("an archive that was downloaded in the future, by a clock that was set back since, is requested again")
    func future() async throws {
        let hall = try TownHall()
        let later = ManualClock(wall: try Town.time("06:55") + .seconds(86_400))
        try await hall.settle(hall.feed(clock: later))
        #expect(hall.asked.count == 1)
        try await hall.settle(hall.feed())
        #expect(hall.asked.count == 2)
        let origin = ArchiveOrigin(String(decoding: hall.kept("gtfs.town.zip.origin") ?? [], as: UTF8.self))
        #expect(origin?.checked == (try Town.time("06:55")))
    }

    @Test("another archive takes the place of the old one, and its departures show")
    func replaced() async throws {
        let hall = try TownHall()
        let feed = try hall.feed()
        #expect(try await hall.rows(feed) == ["1 Quay *08:11"])
        hall.files.withLock { ($0.archive, $0.tag) = (City.departing("08:14:00").zip().bytes, "\"two\"") }
        try await hall.pass(.seconds(7 * 86_400), feed)
        #expect(try await hall.rows(feed) == ["1 Quay *08:14"])
        #expect(hall.kept("gtfs.town.zip") == hall.files.withLock { $0.archive })
        #expect(try hall.names() == ["gtfs.town.zip", "gtfs.town.zip.origin"])
    }

    @Test("near its end the operator is asked daily, and a person is told once, and once that it goes on")
    func nearEnd() async throws {
        var city = City()
        city.files["feed_info.txt"] = "feed_publisher_name,feed_end_date\nTram,20260308\n"
        let hall = try TownHall(city)
        let feed = try hall.feed()
        _ = try await hall.rows(feed)
        try await hall.settle(feed)
        #expect(
            hall.troubles == [
                "- the timetable of Town ends on 2026-03-08: the operator has no newer one yet and is asked daily"
            ])
        for count in 2...3 {
            try await hall.pass(.seconds(86_400), feed)
            #expect(hall.asked.count == count)
        }
        city.files["feed_info.txt"] = "feed_publisher_name,feed_end_date\nTram,20260608\n"
        let newer = city.zip().bytes
        hall.files.withLock { ($0.archive, $0.tag) = (newer, "\"two\"") }
        try await hall.pass(.seconds(86_400), feed)
        #expect(hall.troubles.count == 2)
        #expect(hall.troubles.last == "+ the timetable of Town now goes on until 2026-06-08")
    }

    /// Archives that no board can do anything with, and a part of what is said of them.
    private static let bad: [(name: String, bytes: [UInt8], part: String)] = [
        ("cut", Array(City().zip().bytes.dropLast(60)), "is no zip, or the end of one is missing"),
        ("a page", Array("<!DOCTYPE html><html>Sign in</html>".utf8), "is no zip"),
        ("nothing", [], "is an empty file"),
        (
            "without stop_times",
            {
                var city = City()
                city.files["stop_times.txt"] = nil
                return city.zip().bytes
            }(), "stop_times.txt: is not in"
        ),
        (
            "a bomb",
            {
                var zip = City().zip()
                zip.members.removeAll { $0.name == "stop_times.txt" }
                zip.members.append(
                    .init("stop_times.txt", HandMadeZip.deflated(thousands: 100), method: 8, size: 2_000_000_000))
                return zip.bytes
            }(), "a bomb"
        ),
        (
            "more calls of a trip than any limit",
            {
                var city = City()
                city.files["stop_times.txt"]? += (1...2_001).map { "\nlong,9:00:00,9:00:00,P,\($0),," }.joined()
                return city.zip().bytes
            }(), "has more than 2000 calls of one trip"
        ),
    ]

    @Test("a bad new archive leaves the old data, which is said once, as is its end", arguments: bad.indices)
    func badNews(_ number: Int) async throws {
        let bad = Self.bad[number]
        let hall = try TownHall()
        let feed = try hall.feed()
        _ = try await hall.rows(feed)
        let good = hall.kept("gtfs.town.zip")
        hall.files.withLock { ($0.archive, $0.tag) = (bad.bytes, "\"two\"") }
        try await hall.pass(.seconds(7 * 86_400), feed)
        #expect(try await hall.rows(feed) == ["1 Quay *08:11"])
        #expect(hall.kept("gtfs.town.zip") == good)
        #expect(try hall.names() == ["gtfs.town.zip", "gtfs.town.zip.origin"])
        let text = try #require(hall.troubles.first)
        #expect(text.hasPrefix("- the timetable of Town: \(hall.server.url("/gtfs.zip"))"), "\(text)")
        #expect(
            text.contains(bad.part) && text.hasSuffix(". The timetable of before stays, and a newer one is looked for"),
            "\(text)")
        #expect(!text.contains(".part"), "what was thrown away cannot be looked at")
        // Minutes later nothing is asked; hours later it is, and nothing is said anew.
        let asked = hall.asked.count
        for _ in 0..<3 {
            try await hall.pass(.seconds(120), feed)
        }
        #expect(hall.asked.count == asked && hall.troubles.count == 1)
        try await hall.pass(.seconds(6 * 3_600), feed)
        #expect(hall.asked.count == asked + 1 && hall.troubles.count == 1)
        hall.files.withLock { ($0.archive, $0.tag) = (City.departing("08:14:00").zip().bytes, "\"three\"") }
        try await hall.pass(.seconds(6 * 3_600), feed)
        #expect(hall.troubles.count == 2)
        #expect(hall.troubles.last == "+ the timetable of Town is up to date again")
        #expect(try await hall.rows(feed) == ["1 Quay *08:14"])
    }

    @Test("a bad first archive costs one download for all stops, not one for each question")
    func badFirst() async throws {
        let hall = try TownHall()
        hall.files.withLock { $0.archive = Array("<html>".utf8) }
        let feed = try hall.feed(stops: ["P", "Q"])
        for code in ["P", "Q", "R", "P"] {
            let failure = try await hall.failure(feed, code)
            #expect(failure.kind == .unreadable && failure.detail.contains("is no zip"), "\(failure.detail)")
        }
        #expect(hall.asked.count == 1)
        #expect(try hall.names().isEmpty)
        // Somebody has put it there by hand.
        try RecordingFiles.write(City().zip().bytes, to: hall.folder + "/gtfs.town.zip")
        #expect(try await hall.rows(feed) == ["1 Quay *08:11"])
        #expect(hall.asked.count == 1)
    }

    @Test("where no archive can be had, it is tried again soon, and what was wrong is told")
    func noNetwork() async throws {
        let hall = try TownHall()
        hall.files.withLock { $0.instead = [.close] }
        let feed = try hall.feed()
        #expect(try await hall.failure(feed).kind == .timedOut)
        let again = try await hall.failure(feed)
        #expect(again.kind == .timedOut && again.requests == 0)
        #expect(hall.asked.count <= 2)
        hall.files.withLock { $0.instead = nil }
        hall.clock.go(to: .seconds(21))
        #expect(try await hall.rows(feed) == ["1 Quay *08:11"])
    }

    @Test("a kept archive that can be read no more is taken anew, whatever the operator's tag says")
    func spoilt() async throws {
        let hall = try TownHall()
        try await hall.settle(hall.feed())
        try RecordingFiles.write(Array(City().zip().bytes.prefix(500)), to: hall.folder + "/gtfs.town.zip")
        let feed = try hall.feed()
        #expect(try await hall.rows(feed) == ["1 Quay *08:11"])
        try await hall.settle(feed)
        #expect(hall.asked.count == 2)
        // The same while the board runs.
        try RecordingFiles.write(Array(City().zip().bytes.prefix(500)), to: hall.folder + "/gtfs.town.zip")
        try await hall.pass(.seconds(61), feed)
        #expect(hall.asked.count == 3)
        #expect(hall.kept("gtfs.town.zip") == hall.files.withLock { $0.archive })
        #expect(hall.troubles.map { $0.prefix(2) } == ["- ", "+ "])
    }

    @Test("one pass serves all stops that are known beforehand; another stop costs one more, and no network")
    func passes() async throws {
        let hall = try TownHall()
        let five = ["C1", "P", "Q", "R", "C"]
        let feed = try hall.feed(stops: five)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for code in five { group.addTask { _ = try await hall.rows(feed, code) } }
            try await group.waitForAll()
        }
        #expect(hall.readings == 1)
        #expect(hall.notes.first.map { "\($0)".contains("the timetable of Town was read for 5 stops in ") } == true)
        hall.server.stop()
        _ = try await hall.rows(feed, "C2")
        _ = try await hall.rows(feed, "C2")
        #expect(hall.readings == 2)
        #expect(try await hall.rows(feed, "P") == ["1 Quay *08:11"])
    }

    @Test("a stop that the archive does not have is unknown, and costs one pass, not one a question")
    func unknown() async throws {
        let hall = try TownHall()
        let feed = try hall.feed(stops: ["P"])
        for _ in 0..<3 {
            let failure = try await hall.failure(feed, "X9")
            #expect(failure.kind == .unknownStop)
            #expect(failure.detail == "the timetable of Town has no stop X9: search it with boardd stops")
        }
        #expect(hall.readings == 1)
    }

    @Test("an archive of another address than the configured one is not used")
    func otherAddress() async throws {
        let hall = try TownHall()
        _ = try await hall.rows(hall.feed())
        hall.files.withLock { ($0.archive, $0.tag) = (City.departing("08:14:00").zip().bytes, "\"one\"") }
        #expect(try await hall.rows(hall.feed(timetable: hall.server.url("/other.zip"))) == ["1 Quay *08:14"])
        #expect(hall.asked == ["/gtfs.zip", "/other.zip"])
        #expect(hall.server.record.requests.last?.contains("If-None-Match") == false)
    }

    @Test("a file of this machine is read where it is; another in its place is read within a minute")
    func file() async throws {
        let hall = try TownHall()
        let path = hall.folder + "/mine.zip"
        let missing = try hall.feed(timetable: path)
        #expect(
            try await hall.failure(missing).detail
                == "the timetable of Town: \(path): cannot be opened (No such file or directory)")
        try RecordingFiles.write(City().zip().bytes, to: path)
        let feed = try hall.feed(timetable: path)
        #expect(try await hall.rows(feed) == ["1 Quay *08:11"])
        try RecordingFiles.write(City.departing("08:14:00").zip().bytes, to: path)
        try await hall.pass(.seconds(61), feed)
        #expect(try await hall.rows(feed) == ["1 Quay *08:14"])
        // A bad one is said once and read once.
        try RecordingFiles.write(Array("<html>".utf8), to: path)
        for _ in 0..<2 {
            try await hall.pass(.seconds(61), feed)
            #expect(hall.troubles.count == 1)
        }
        _ = unsafe unlink(path)
        try await hall.pass(.seconds(61), feed)
        #expect(hall.troubles.count == 1)
        #expect(try await hall.rows(feed) == ["1 Quay *08:14"])
        try RecordingFiles.write(City().zip().bytes, to: path)
        try await hall.pass(.seconds(61), feed)
        #expect(hall.troubles.count == 2)
        #expect(hall.asked.isEmpty)
        #expect(try hall.names() == ["mine.zip"])
    }

    @Test("a question that nobody waits for any more ends at once, and the archive comes all the same")
    func abandoned() async throws {
        let hall = try TownHall()
        let archive = hall.files.withLock { $0.archive }
        hall.files.withLock { $0.instead = [.wait, .reply(200, body: archive)] }
        let feed = try hall.feed()
        let question = Task { try await hall.failure(feed).kind }
        #expect(await eventually { !hall.asked.isEmpty })
        question.cancel()
        #expect(try await question.value == .cancelled)
        hall.server.goOn()
        #expect(try await hall.rows(feed) == ["1 Quay *08:11"])
        #expect(hall.asked.count == 1)
    }
}
