import BoardCore
import Glibc
import LoopbackServer
import Synchronization
import Testing
import Waiting

@testable import BoardFeeds

@Suite("An archive whose reading ended the program", .endsHangs)
struct ReadingMarkTests {
    private func kept(_ hall: TownHall) -> KeptArchive {
        KeptArchive(folder: hall.folder, runtimeFolder: hall.folder, name: "gtfs.town")
    }

    /// Leaves what programs leave that end while they read an archive.
    private func leave(_ count: Int, of path: String, _ hall: TownHall, at moment: Timestamp? = nil) throws {
        let edition =
            KeptArchive.edition(of: path) ?? KeptArchive.Edition(inode: 1, size: 2, seconds: 3, nanoseconds: 4)
        for _ in 0..<count {
            kept(hall).mark(of: path).begin(
                edition, at: try moment ?? Town.time("06:55"), isOther: path == kept(hall).part)
        }
    }

    @Test("a reading leaves nothing behind, whether it succeeds or not")
    func nothing() async throws {
        let hall = try TownHall()
        try await hall.settle(hall.feed())
        #expect(try hall.names() == ["gtfs.town.zip", "gtfs.town.zip.origin"])
        hall.files.withLock { ($0.archive, $0.tag) = ([1, 2, 3], "\"two\"") }
        try await hall.pass(.seconds(7 * 86_400), hall.feed())
        #expect(try hall.names() == ["gtfs.town.zip", "gtfs.town.zip.origin"])
    }

    @Test("while an archive is read that is noted")
    func noted() throws {
        let hall = try TownHall()
        let mark = kept(hall).mark(of: hall.folder + "/gtfs.town.zip")
        #expect(mark.path == hall.folder + "/gtfs.town.reading")
        #expect(kept(hall).mark(of: kept(hall).part).path == hall.folder + "/gtfs.town.part.reading")
        let one = KeptArchive.Edition(inode: 1, size: 2, seconds: 3, nanoseconds: 4)
        let other = KeptArchive.Edition(inode: .max, size: 2, seconds: 3, nanoseconds: 4)
        let moment = try Town.time("06:55")
        mark.begin(one, at: moment, isOther: false)
        #expect(mark.note == ReadingMark.Note(edition: one, attempts: 1, begun: moment))
        mark.begin(one, at: moment + .seconds(60), isOther: false)
        #expect(mark.note == ReadingMark.Note(edition: one, attempts: 2, begun: moment + .seconds(60)))
        mark.begin(other, at: moment, isOther: false)
        #expect(mark.note == ReadingMark.Note(edition: other, attempts: 1, begun: moment))
        mark.begin(one, at: moment, isOther: true)
        #expect(mark.note?.attempts == 2)
        mark.end()
        #expect(mark.note == nil)
        // What is no note says nothing, and where none can be written the reading goes on.
        try RecordingFiles.write(Array("1 2 x".utf8), to: mark.path)
        #expect(mark.note == nil)
        ReadingMark(path: "/nowhere/mark").begin(one, at: moment, isOther: false)
    }

    @Test("a program that was ended once while it read reads the archive again")
    func once() async throws {
        let hall = try TownHall()
        try await hall.settle(hall.feed())
        try leave(1, of: hall.folder + "/gtfs.town.zip", hall)
        #expect(try await hall.rows(hall.feed()) == ["1 Quay *08:11"])
        #expect(hall.asked.count == 1 && hall.troubles.isEmpty)
        #expect(try hall.names() == ["gtfs.town.zip", "gtfs.town.zip.origin"])
    }

    @Test("one that ended two starts is set aside by the next, which says so and asks the operator")
    func twice() async throws {
        let hall = try TownHall()
        try await hall.settle(hall.feed())
        let bad = hall.kept("gtfs.town.zip")
        hall.files.withLock { ($0.archive, $0.tag) = (City.departing("08:14:00").zip().bytes, "\"two\"") }
        try leave(2, of: hall.folder + "/gtfs.town.zip", hall)
        #expect(try await hall.rows(hall.feed()) == ["1 Quay *08:14"])
        #expect(hall.asked.count == 2)
        #expect(hall.server.record.requests.last?.contains("If-None-Match") == false)
        #expect(try hall.names() == ["gtfs.town.zip", "gtfs.town.zip.bad", "gtfs.town.zip.origin"])
        #expect(hall.kept("gtfs.town.zip.bad") == bad)
        #expect(
            hall.troubles == [
                "- the timetable of Town: \(hall.folder)/gtfs.town.zip ended the program 2 times while it was read: it is now "
                    + "\(hall.folder)/gtfs.town.zip.bad, and the operator is asked for another one"
            ])
        // Another one in its place is not meant.
        #expect(try await hall.rows(hall.feed()) == ["1 Quay *08:14"])
        #expect(hall.asked.count == 2)
    }

    @Test("an archive that is set aside leaves no origin file, also where the operator has no other one")
    func origin() async throws {
        let hall = try TownHall()
        try await hall.settle(hall.feed())
        hall.files.withLock { $0.instead = [.reply(404, text: "none")] }
        try leave(2, of: hall.folder + "/gtfs.town.zip", hall)
        #expect(try await hall.failure(hall.feed()).kind == .status(404))
        #expect(try hall.names() == ["gtfs.town.zip.bad"])
    }

    /// What a closure of another thread saw.
    private final class Seen: Sendable {
        let attempts = Mutex<[Int?]>([])
    }

    @Test("attempts to read the operator's archives are counted together, whatever edition each of them is")
    func editions() async throws {
        let hall = try TownHall()
        try leave(1, of: hall.folder + "/gtfs.town.zip.part", hall)
        let mark = kept(hall).mark(of: kept(hall).part)
        let seen = Seen()
        let settings = FeedSettings(defaultsOf: try #require(GTFSFeed.family.member(TownHall.feed)))
        let clock = hall.clock
        let storage = FeedStorage(
            folder: hall.folder,
            download: { CurlTransport(userAgent: "boardd-test/1", clock: clock, concurrency: 1) })
        let library = TimetableLibrary(
            .address(try #require(HTTPURL(hall.server.url("/gtfs.zip")))), name: TownHall.feed, title: "Town",
            key: PlacedKey(settings, of: TownHall.feed), storage: storage, clock: clock
        ) { name throws(FeedSettingFailure) in
            seen.attempts.withLock { $0.append(mark.note?.attempts) }
            return try City.newYork(name)
        }
        _ = try await library.timetable(covering: "P")
        #expect(seen.attempts.withLock { $0 } == [2])
    }

    @Test("one of the operator's that ended two programs is not asked for again before six hours have passed")
    func part() async throws {
        let hall = try TownHall()
        try leave(2, of: hall.folder + "/gtfs.town.zip.part", hall)
        let failure = try await hall.failure(hall.feed())
        #expect(failure.kind == .unreadable)
        #expect(
            failure.detail
                == "the timetable of Town: the operator's archive ended the program 2 times while it was read; it is asked for "
                + "again six hours after the last time")
        #expect(hall.asked.isEmpty)
        hall.clock.go(to: .seconds(6 * 3_600))
        #expect(try await hall.rows(hall.feed()).isEmpty == false)
        #expect(hall.asked.count == 1)
        #expect(try hall.names() == ["gtfs.town.zip", "gtfs.town.zip.origin"])
    }

    @Test("a note of the future, as a clock that was put back leaves it, delays no download")
    func future() async throws {
        let hall = try TownHall()
        try leave(2, of: hall.folder + "/gtfs.town.zip.part", hall, at: try Town.time("06:55") + .seconds(86_400))
        #expect(try await hall.rows(hall.feed()) == ["1 Quay *08:11"])
        #expect(hall.asked.count == 1)
    }

    @Test("nor does it take what is kept away: that serves meanwhile")
    func partBesideKept() async throws {
        let hall = try TownHall()
        try await hall.settle(hall.feed())
        try leave(2, of: hall.folder + "/gtfs.town.zip.part", hall, at: try Town.time("06:55") + .seconds(7 * 86_400))
        let feed = try hall.feed()
        try await hall.pass(.seconds(7 * 86_400), feed)
        #expect(try await hall.rows(feed) == ["1 Quay *08:11"])
        #expect(hall.asked.count == 1)
        #expect(hall.troubles.first?.contains("ended the program 2 times while it was read") == true)
        try await hall.pass(.seconds(6 * 3_600), feed)
        #expect(hall.asked.count == 2)
        #expect(hall.troubles.last?.hasPrefix("+ ") == true)
    }

    @Test("a person's own file is not renamed, and not read again until it is another one")
    func file() async throws {
        let hall = try TownHall()
        let path = try Fixtures.temporaryFolder() + "/city.zip"
        try RecordingFiles.write(City().zip().bytes, to: path)
        try leave(2, of: path, hall)
        let failure = try await hall.failure(hall.feed(timetable: path))
        #expect(
            failure.detail
                == "the timetable of Town: \(path) ended the program 2 times while it was read: put another one there")
        try RecordingFiles.write(City.departing("08:14:00").zip().bytes, to: path)
        #expect(try await hall.rows(hall.feed(timetable: path)) == ["1 Quay *08:14"])
    }
}
