import BoardCore
import BoardIO
import Glibc
import LoopbackServer
import Synchronization
import TestOperators
import Testing
import Waiting

@testable import BoardFeeds

@Suite("GTFS archives that crash boardd", .endsHangs)
struct CrashMarkerTests {
    private func store(_ testServer: GTFSTestServer) -> ArchiveStore {
        ArchiveStore(folder: testServer.folder, runtimeFolder: testServer.folder, name: "gtfs.town")
    }

    /// Leaves the markers of crashes while reading an archive.
    private func leave(_ count: Int, of path: String, _ testServer: GTFSTestServer, at moment: Timestamp? = nil) throws
    {
        let identity =
            ArchiveStore.identity(of: path) ?? FileIdentity(device: 1, inode: 1, size: 2, seconds: 3, nanoseconds: 4)
        for _ in 0..<count {
            store(testServer).crashMarker(of: path).begin(
                identity, at: try moment ?? Town.time("06:55"), isDownload: path == store(testServer).part)
        }
    }

    @Test("a reading leaves no marker, whether it succeeds or not")
    func nothing() async throws {
        let testServer = try GTFSTestServer()
        try await testServer.settle(testServer.feed())
        #expect(try testServer.names() == ["gtfs.town.zip", "gtfs.town.zip.origin"])
        testServer.files.withLock { ($0.archive, $0.etag) = ([1, 2, 3], "\"two\"") }
        try await testServer.pass(.seconds(7 * 86_400), testServer.feed())
        #expect(try testServer.names() == ["gtfs.town.zip", "gtfs.town.zip.origin"])
    }

    @Test("the marker counts attempts for one archive")
    func noted() throws {
        let testServer = try GTFSTestServer()
        let marker = store(testServer).crashMarker(of: testServer.folder + "/gtfs.town.zip")
        #expect(marker.path == testServer.folder + "/gtfs.town.reading")
        #expect(
            store(testServer).crashMarker(of: store(testServer).part).path == testServer.folder
                + "/gtfs.town.part.reading")
        let one = FileIdentity(device: 1, inode: 1, size: 2, seconds: 3, nanoseconds: 4)
        let other = FileIdentity(device: 1, inode: .max, size: 2, seconds: 3, nanoseconds: 4)
        let moment = try Town.time("06:55")
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
        // A malformed marker is ignored, and so is a failed write.
        try RecordingFiles.write(Array("1 2 x".utf8), to: marker.path)
        #expect(marker.record == nil)
        CrashMarker(path: "/nowhere/mark").begin(one, at: moment, isDownload: false)
    }

    @Test("after one crash the archive is read again")
    func once() async throws {
        let testServer = try GTFSTestServer()
        try await testServer.settle(testServer.feed())
        try leave(1, of: testServer.folder + "/gtfs.town.zip", testServer)
        #expect(try await testServer.rows(testServer.feed()) == ["1 Quay *08:11"])
        #expect(testServer.requestedPaths.count == 1 && testServer.problems.isEmpty)
        #expect(try testServer.names() == ["gtfs.town.zip", "gtfs.town.zip.origin"])
    }

    @Test("after two crashes the archive is set aside, logged, and downloaded again")
    func twice() async throws {
        let testServer = try GTFSTestServer()
        try await testServer.settle(testServer.feed())
        let bad = testServer.file("gtfs.town.zip")
        testServer.files.withLock { ($0.archive, $0.etag) = (GTFSFixture.departing("08:14:00").zip().bytes, "\"two\"") }
        try leave(2, of: testServer.folder + "/gtfs.town.zip", testServer)
        #expect(try await testServer.rows(testServer.feed()) == ["1 Quay *08:14"])
        #expect(testServer.requestedPaths.count == 2)
        #expect(testServer.server.record.requests.last?.contains("If-None-Match") == false)
        #expect(try testServer.names() == ["gtfs.town.zip", "gtfs.town.zip.bad", "gtfs.town.zip.origin"])
        #expect(testServer.file("gtfs.town.zip.bad") == bad)
        #expect(
            testServer.problems == [
                "- the timetable of Town: \(testServer.folder)/gtfs.town.zip crashed boardd 2 times: moved to "
                    + "\(testServer.folder)/gtfs.town.zip.bad; downloading it again"
            ])
        // The replacement is not affected.
        #expect(try await testServer.rows(testServer.feed()) == ["1 Quay *08:14"])
        #expect(testServer.requestedPaths.count == 2)
    }

    @Test("an archive that is set aside leaves no origin file, even if the operator has no other archive")
    func origin() async throws {
        let testServer = try GTFSTestServer()
        try await testServer.settle(testServer.feed())
        testServer.files.withLock { $0.archiveSteps = [.reply(404, text: "none")] }
        try leave(2, of: testServer.folder + "/gtfs.town.zip", testServer)
        #expect(try await testServer.failure(testServer.feed()).kind == .status(404))
        #expect(try testServer.names() == ["gtfs.town.zip.bad"])
    }

    /// The attempts that another thread has read from the marker.
    private final class Seen: Sendable {
        let attempts = Mutex<[Int?]>([])
    }

    @Test("attempts to read downloads are counted together, whatever the version of each")
    func versions() async throws {
        let testServer = try GTFSTestServer()
        try leave(1, of: testServer.folder + "/gtfs.town.zip.part", testServer)
        let marker = store(testServer).crashMarker(of: store(testServer).part)
        let seen = Seen()
        let settings = FeedSettings(defaultsOf: try #require(GTFSFeed.family.member(GTFSTestServer.feed)))
        let clock = testServer.clock
        let storage = FeedStorage(
            folder: testServer.folder,
            download: { CurlTransport(userAgent: "boardd-test/1", clock: clock, concurrency: 1) })
        let timetableStore = TimetableStore(
            .address(try #require(HTTPURL(testServer.server.url("/gtfs.zip")))), name: GTFSTestServer.feed,
            title: "Town", key: APIKeyPlacement(settings, of: GTFSTestServer.feed), storage: storage, clock: clock,
            names: NameChoice()
        ) { name throws(FeedSettingError) in
            seen.attempts.withLock { $0.append(marker.record?.attempts) }
            return try GTFSFixture.newYork(name)
        }
        _ = try await timetableStore.timetable(covering: "P")
        #expect(seen.attempts.withLock { $0 } == [2])
    }

    @Test("after two crashes of a download the next one follows six hours later")
    func part() async throws {
        let testServer = try GTFSTestServer()
        try leave(2, of: testServer.folder + "/gtfs.town.zip.part", testServer)
        let failure = try await testServer.failure(testServer.feed())
        #expect(failure.kind == .unreadable)
        #expect(
            failure.detail == "the timetable of Town: the operator's archive crashed boardd 2 times; next download "
                + "six hours after the last one")
        #expect(testServer.requestedPaths.isEmpty)
        testServer.clock.go(to: .seconds(6 * 3_600))
        #expect(try await testServer.rows(testServer.feed()).isEmpty == false)
        #expect(testServer.requestedPaths.count == 1)
        #expect(try testServer.names() == ["gtfs.town.zip", "gtfs.town.zip.origin"])
    }

    @Test("a marker from the future, after a clock was set back, does not delay a download")
    func future() async throws {
        let testServer = try GTFSTestServer()
        try leave(
            2, of: testServer.folder + "/gtfs.town.zip.part", testServer, at: Town.time("06:55") + .seconds(86_400))
        #expect(try await testServer.rows(testServer.feed()) == ["1 Quay *08:11"])
        #expect(testServer.requestedPaths.count == 1)
    }

    @Test("crashes of a download leave the stored archive in use")
    func partBesideStored() async throws {
        let testServer = try GTFSTestServer()
        try await testServer.settle(testServer.feed())
        try leave(
            2, of: testServer.folder + "/gtfs.town.zip.part", testServer, at: Town.time("06:55") + .seconds(7 * 86_400))
        let feed = try testServer.feed()
        try await testServer.pass(.seconds(7 * 86_400), feed)
        #expect(try await testServer.rows(feed) == ["1 Quay *08:11"])
        #expect(testServer.requestedPaths.count == 1)
        #expect(testServer.problems.first?.contains("crashed boardd 2 times") == true)
        try await testServer.pass(.seconds(6 * 3_600), feed)
        #expect(testServer.requestedPaths.count == 2)
        #expect(testServer.problems.last?.hasPrefix("+ ") == true)
    }

    @Test("a user's file is not renamed, and not read again until it is replaced")
    func file() async throws {
        let testServer = try GTFSTestServer()
        let path = try Fixtures.temporaryFolder() + "/gtfs.zip"
        try RecordingFiles.write(GTFSFixture().zip().bytes, to: path)
        try leave(2, of: path, testServer)
        let failure = try await testServer.failure(testServer.feed(timetable: path))
        #expect(failure.detail == "the timetable of Town: \(path) crashed boardd 2 times: replace the file")
        try RecordingFiles.write(GTFSFixture.departing("08:14:00").zip().bytes, to: path)
        #expect(try await testServer.rows(testServer.feed(timetable: path)) == ["1 Quay *08:14"])
    }
}
