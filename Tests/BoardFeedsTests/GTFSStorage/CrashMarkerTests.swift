import BoardCore
import Glibc
import LoopbackServer
import Testing
import Waiting

@testable import BoardFeeds

@Suite("An archive whose reading ended the program", .endsHangs)
struct CrashMarkerTests {
    private func store(_ hall: GTFSTestServer) -> ArchiveStore {
        ArchiveStore(folder: hall.folder, runtimeFolder: hall.folder, name: "gtfs.town")
    }

    /// Leaves what programs leave that end while they read an archive.
    private func leave(_ count: Int, of path: String, _ hall: GTFSTestServer, at moment: Timestamp? = nil) throws {
        let identity =
            ArchiveStore.identity(of: path) ?? ArchiveStore.FileIdentity(inode: 1, size: 2, seconds: 3, nanoseconds: 4)
        for _ in 0..<count {
            store(hall).crashMarker(of: path).begin(
                identity, at: try moment ?? RealtimeFixture.time("06:55"), isDownload: path == store(hall).part)
        }
    }

    @Test("a reading leaves nothing behind, whether it succeeds or not")
    func nothing() async throws {
        let hall = try GTFSTestServer()
        try await hall.settle(hall.feed())
        #expect(try hall.names() == ["gtfs.town.zip", "gtfs.town.zip.origin"])
        hall.files.withLock { ($0.archive, $0.etag) = ([1, 2, 3], "\"two\"") }
        try await hall.pass(.seconds(7 * 86_400), hall.feed())
        #expect(try hall.names() == ["gtfs.town.zip", "gtfs.town.zip.origin"])
    }

    @Test("while an archive is read that is noted")
    func noted() throws {
        let hall = try GTFSTestServer()
        let marker = store(hall).crashMarker(of: hall.folder + "/gtfs.town.zip")
        #expect(marker.path == hall.folder + "/gtfs.town.reading")
        #expect(store(hall).crashMarker(of: store(hall).part).path == hall.folder + "/gtfs.town.part.reading")
        let one = ArchiveStore.FileIdentity(inode: 1, size: 2, seconds: 3, nanoseconds: 4)
        let other = ArchiveStore.FileIdentity(inode: .max, size: 2, seconds: 3, nanoseconds: 4)
        let moment = try RealtimeFixture.time("06:55")
        marker.begin(one, at: moment, isDownload: false)
        #expect(marker.record == CrashMarker.Record(identity: one, attempts: 1, startedAt: moment))
        marker.begin(one, at: moment + .seconds(60), isDownload: false)
        #expect(marker.record == CrashMarker.Record(identity: one, attempts: 2, startedAt: moment + .seconds(60)))
        marker.begin(other, at: moment, isDownload: false)
        #expect(marker.record == CrashMarker.Record(identity: other, attempts: 1, startedAt: moment))
        marker.begin(one, at: moment, isDownload: true)
        #expect(marker.record?.attempts == 2)
        marker.end()
        #expect(marker.record == nil)
        // What is no note says nothing, and where none can be written the reading goes on.
        try RecordingFiles.write(Array("1 2 x".utf8), to: marker.path)
        #expect(marker.record == nil)
        CrashMarker(path: "/nowhere/mark").begin(one, at: moment, isDownload: false)
    }

    @Test("a program that was ended once while it read reads the archive again")
    func once() async throws {
        let hall = try GTFSTestServer()
        try await hall.settle(hall.feed())
        try leave(1, of: hall.folder + "/gtfs.town.zip", hall)
        #expect(try await hall.rows(hall.feed()) == ["1 Quay *08:11"])
        #expect(hall.asked.count == 1 && hall.troubles.isEmpty)
        #expect(try hall.names() == ["gtfs.town.zip", "gtfs.town.zip.origin"])
    }

    @Test("one that ended two starts is set aside by the next, which says so and asks the operator")
    func twice() async throws {
        let hall = try GTFSTestServer()
        try await hall.settle(hall.feed())
        let bad = hall.kept("gtfs.town.zip")
        hall.files.withLock { ($0.archive, $0.etag) = (GTFSFixture.departing("08:14:00").zip().bytes, "\"two\"") }
        try leave(2, of: hall.folder + "/gtfs.town.zip", hall)
        #expect(try await hall.rows(hall.feed()) == ["1 Quay *08:14"])
        #expect(hall.asked.count == 2)
        #expect(hall.server.record.requests.last?.contains("If-None-Match") == false)
        #expect(try hall.names() == ["gtfs.town.zip", "gtfs.town.zip.bad", "gtfs.town.zip.origin"])
        #expect(hall.kept("gtfs.town.zip.bad") == bad)
        #expect(
            hall.troubles == [
                "- the timetable of Town: \(hall.folder)/gtfs.town.zip crashed boardd 2 times: moved to "
                    + "\(hall.folder)/gtfs.town.zip.bad; downloading it again"
            ])
        // Another one in its place is not meant.
        #expect(try await hall.rows(hall.feed()) == ["1 Quay *08:14"])
        #expect(hall.asked.count == 2)
    }

    @Test("one of the operator's that ended two programs is not asked for again before six hours have passed")
    func part() async throws {
        let hall = try GTFSTestServer()
        try leave(2, of: hall.folder + "/gtfs.town.zip.part", hall)
        let failure = try await hall.failure(hall.feed())
        #expect(failure.kind == .unreadable)
        #expect(
            failure.detail
                == "the timetable of Town: the operator's archive crashed boardd 2 times; next download "
                + "six hours after the last one")
        #expect(hall.asked.isEmpty)
        hall.clock.go(to: .seconds(6 * 3_600))
        #expect(try await hall.rows(hall.feed()).isEmpty == false)
        #expect(hall.asked.count == 1)
        #expect(try hall.names() == ["gtfs.town.zip", "gtfs.town.zip.origin"])
    }

    @Test("a note of the future, as a clock that was put back leaves it, delays no download")
    func future() async throws {
        let hall = try GTFSTestServer()
        try leave(
            2, of: hall.folder + "/gtfs.town.zip.part", hall, at: try RealtimeFixture.time("06:55") + .seconds(86_400))
        #expect(try await hall.rows(hall.feed()) == ["1 Quay *08:11"])
        #expect(hall.asked.count == 1)
    }

    @Test("nor does it take what is kept away: that serves meanwhile")
    func partBesideKept() async throws {
        let hall = try GTFSTestServer()
        try await hall.settle(hall.feed())
        try leave(
            2, of: hall.folder + "/gtfs.town.zip.part", hall,
            at: try RealtimeFixture.time("06:55") + .seconds(7 * 86_400))
        let feed = try hall.feed()
        try await hall.pass(.seconds(7 * 86_400), feed)
        #expect(try await hall.rows(feed) == ["1 Quay *08:11"])
        #expect(hall.asked.count == 1)
        #expect(hall.troubles.first?.contains("crashed boardd 2 times") == true)
        try await hall.pass(.seconds(6 * 3_600), feed)
        #expect(hall.asked.count == 2)
        #expect(hall.troubles.last?.hasPrefix("+ ") == true)
    }

    @Test("a person's own file is not renamed, and not read again until it is another one")
    func file() async throws {
        let hall = try GTFSTestServer()
        let path = try Fixtures.temporaryFolder() + "/city.zip"
        try RecordingFiles.write(GTFSFixture().zip().bytes, to: path)
        try leave(2, of: path, hall)
        let failure = try await hall.failure(hall.feed(timetable: path))
        #expect(
            failure.detail
                == "the timetable of Town: \(path) crashed boardd 2 times: replace the file")
        try RecordingFiles.write(GTFSFixture.departing("08:14:00").zip().bytes, to: path)
        #expect(try await hall.rows(hall.feed(timetable: path)) == ["1 Quay *08:14"])
    }
}
