import BoardCore
import Glibc
import LoopbackServer
import Synchronization
import TestOperators
import Testing
import Waiting

@testable import BoardFeeds

@Suite("The stored GTFS archive", .endsHangs)
struct ArchiveStoreTests {
    @Test("the first request downloads the archive, which is stored with its origin; a restart needs no network")
    func first() async throws {
        let testServer = try GTFSTestServer()
        #expect(try await testServer.rows(testServer.feed()) == ["1 Quay *08:11"])
        #expect(testServer.requestedPaths == ["/gtfs.zip"])
        #expect(testServer.file("gtfs.town.zip") == testServer.files.withLock { $0.archive })
        #expect(try testServer.names() == ["gtfs.town.zip", "gtfs.town.zip.origin"])
        let origin = try #require(
            ArchiveOrigin(String(decoding: testServer.file("gtfs.town.zip.origin") ?? [], as: UTF8.self)))
        #expect(origin.url == testServer.server.url("/gtfs.zip") && origin.etag == "\"one\"")
        var status = stat()
        #expect(unsafe stat(testServer.folder + "/gtfs.town.zip", &status) == 0 && status.st_mode & 0o777 == 0o644)

        testServer.server.stop()
        #expect(try await testServer.rows(testServer.feed()) == ["1 Quay *08:11"])
        #expect(testServer.problems.isEmpty)
    }

    @Test("a long download is reported while it continues")
    func slow() async throws {
        let testServer = try GTFSTestServer()
        let archive = testServer.files.withLock { $0.archive }
        let half = archive.count / 2
        testServer.files.withLock {
            $0.archiveSteps = [
                .send(LoopbackServer.Step.head(200, ["Content-Length: \(archive.count)"])),
                .send(Array(archive[..<half])), .wait, .send(Array(archive[half...])),
            ]
        }
        async let rows = testServer.rows(testServer.feed())
        #expect(await eventually { testServer.file("gtfs.town.zip.part")?.count == half })
        #expect(testServer.infos.isEmpty)
        testServer.clock.go(to: .seconds(150))
        testServer.server.resume()
        #expect(try await rows == ["1 Quay *08:11"])
        #expect(
            testServer.infos == [
                "the timetable of Town is still being downloaded: \(archive.count / 1_000) kB in 2 minutes"
            ])
    }

    @Test("an archive without its origin is used, and downloaded again in the background")
    func lostOrigin() async throws {
        let testServer = try GTFSTestServer()
        try await testServer.settle(testServer.feed())
        try RecordingFiles.write([], to: testServer.folder + "/gtfs.town.zip.origin")
        let feed = try testServer.feed()
        #expect(try await testServer.rows(feed) == ["1 Quay *08:11"])
        try await testServer.settle(feed)
        #expect(testServer.requestedPaths.count == 2)
        #expect(testServer.server.record.requests.last?.contains("If-None-Match") == false)
    }

    @Test("a week later a conditional request is sent: 304 is recorded, and nothing is downloaded")
    func unchanged() async throws {
        for (etag, lastModified) in [("\"one\"", nil), (nil, "Mon, 02 Mar 2026 00:00:00 GMT")] as [(String?, String?)] {
            let testServer = try GTFSTestServer()
            testServer.files.withLock { ($0.etag, $0.lastModified) = (etag, lastModified) }
            let feed = try testServer.feed()
            _ = try await testServer.rows(feed)
            let before = ArchiveStore.identity(of: testServer.folder + "/gtfs.town.zip")
            try await testServer.pass(.seconds(6 * 86_400), feed)
            #expect(testServer.requestedPaths.count == 1)
            try await testServer.pass(.seconds(86_400), feed)
            #expect(testServer.requestedPaths.count == 2)
            try await testServer.pass(.seconds(86_400), feed)
            #expect(ArchiveStore.identity(of: testServer.folder + "/gtfs.town.zip") == before)
            #expect(try testServer.names() == ["gtfs.town.zip", "gtfs.town.zip.origin"])
            let week = try Town.time("06:55") + .seconds(7 * 86_400)
            let origin = ArchiveOrigin(String(decoding: testServer.file("gtfs.town.zip.origin") ?? [], as: UTF8.self))
            #expect(origin?.checkedAt == week)
            #expect(testServer.readings == 1 && testServer.requestedPaths.count == 2)
            #expect(testServer.problems.isEmpty)
        }
    }

    @Test("an archive with a download time in the future, after a clock was set back, is downloaded again")
    func future() async throws {
        let testServer = try GTFSTestServer()
        let later = VirtualClock(wall: try Town.time("06:55") + .seconds(86_400))
        try await testServer.settle(testServer.feed(clock: later))
        #expect(testServer.requestedPaths.count == 1)
        try await testServer.settle(testServer.feed())
        #expect(testServer.requestedPaths.count == 2)
        let origin = ArchiveOrigin(String(decoding: testServer.file("gtfs.town.zip.origin") ?? [], as: UTF8.self))
        #expect(origin?.checkedAt == (try Town.time("06:55")))
    }

    @Test("another archive replaces the old one, and its departures are shown")
    func replaced() async throws {
        let testServer = try GTFSTestServer()
        let feed = try testServer.feed()
        #expect(try await testServer.rows(feed) == ["1 Quay *08:11"])
        testServer.files.withLock { ($0.archive, $0.etag) = (GTFSFixture.departing("08:14:00").zip().bytes, "\"two\"") }
        try await testServer.pass(.seconds(7 * 86_400), feed)
        #expect(try await testServer.rows(feed) == ["1 Quay *08:14"])
        #expect(testServer.file("gtfs.town.zip") == testServer.files.withLock { $0.archive })
        #expect(try testServer.names() == ["gtfs.town.zip", "gtfs.town.zip.origin"])
    }

    @Test("near its end a download is tried daily; the end is logged once, and the new end once")
    func nearEnd() async throws {
        var fixture = GTFSFixture()
        fixture.files["feed_info.txt"] = "feed_publisher_name,feed_end_date\nTram,20260308\n"
        let testServer = try GTFSTestServer(fixture)
        let feed = try testServer.feed()
        _ = try await testServer.rows(feed)
        try await testServer.settle(feed)
        #expect(
            testServer.problems == [
                "- the timetable of Town ends on 2026-03-08: the operator has no newer one yet; checking daily"
            ])
        for count in 2...3 {
            try await testServer.pass(.seconds(86_400), feed)
            #expect(testServer.requestedPaths.count == count)
        }
        fixture.files["feed_info.txt"] = "feed_publisher_name,feed_end_date\nTram,20260608\n"
        let newer = fixture.zip().bytes
        testServer.files.withLock { ($0.archive, $0.etag) = (newer, "\"two\"") }
        try await testServer.pass(.seconds(86_400), feed)
        #expect(testServer.problems.count == 2)
        #expect(testServer.problems.last == "+ the timetable of Town is now valid until 2026-06-08")
    }

    /// Useless archives, and a part of their failure.
    private static let bad: [(name: String, bytes: [UInt8], part: String)] = [
        ("a page", Array("<!DOCTYPE html><html>Sign in</html>".utf8), "is not a zip"),
        ("nothing", [], "is an empty file"),
        (
            "without stop_times",
            {
                var fixture = GTFSFixture()
                fixture.files["stop_times.txt"] = nil
                return fixture.zip().bytes
            }(), "stop_times.txt: is not in"
        ),
        (
            "more calls of a trip than any limit",
            {
                var fixture = GTFSFixture()
                fixture.files["stop_times.txt"]? += (1...2_001).map { "\nlong,9:00:00,9:00:00,P,\($0),," }.joined()
                return fixture.zip().bytes
            }(), "has more than 2000 calls of one trip"
        ),
    ]

    @Test("a bad new archive leaves the old data; the failure is logged once, and its end once", arguments: bad.indices)
    func badUpdate(_ number: Int) async throws {
        let bad = Self.bad[number]
        let testServer = try GTFSTestServer()
        let feed = try testServer.feed()
        _ = try await testServer.rows(feed)
        let good = testServer.file("gtfs.town.zip")
        testServer.files.withLock { ($0.archive, $0.etag) = (bad.bytes, "\"two\"") }
        try await testServer.pass(.seconds(7 * 86_400), feed)
        #expect(try await testServer.rows(feed) == ["1 Quay *08:11"])
        #expect(testServer.file("gtfs.town.zip") == good)
        #expect(try testServer.names() == ["gtfs.town.zip", "gtfs.town.zip.origin"])
        let text = try #require(testServer.problems.first)
        #expect(text.hasPrefix("- the timetable of Town: \(testServer.server.url("/gtfs.zip"))"), "\(text)")
        #expect(text.contains(bad.part) && text.hasSuffix(". Using the previous timetable; retrying"), "\(text)")
        #expect(!text.contains(".part"), "a discarded file is not named")
        // No request minutes later; one hours later, without another log message.
        let requestCount = testServer.requestedPaths.count
        for _ in 0..<3 { try await testServer.pass(.seconds(120), feed) }
        #expect(testServer.requestedPaths.count == requestCount && testServer.problems.count == 1)
        try await testServer.pass(.seconds(6 * 3_600), feed)
        #expect(testServer.requestedPaths.count == requestCount + 1 && testServer.problems.count == 1)
        testServer.files.withLock {
            ($0.archive, $0.etag) = (GTFSFixture.departing("08:14:00").zip().bytes, "\"three\"")
        }
        try await testServer.pass(.seconds(6 * 3_600), feed)
        #expect(testServer.problems.count == 2)
        #expect(testServer.problems.last == "+ the timetable of Town is up to date again")
        #expect(try await testServer.rows(feed) == ["1 Quay *08:14"])
    }

    @Test("a bad first archive costs one download for all stops, not one per request")
    func badFirst() async throws {
        let testServer = try GTFSTestServer()
        testServer.files.withLock { $0.archive = Array("<html>".utf8) }
        let feed = try testServer.feed(stops: ["P", "Q"])
        for code in ["P", "Q", "R", "P"] {
            let failure = try await testServer.failure(feed, code)
            #expect(failure.kind == .unreadable && failure.detail.contains("is not a zip"), "\(failure.detail)")
        }
        #expect(testServer.requestedPaths.count == 1)
        #expect(try testServer.names().isEmpty)
        // A user has put it there manually.
        try RecordingFiles.write(GTFSFixture().zip().bytes, to: testServer.folder + "/gtfs.town.zip")
        #expect(try await testServer.rows(feed) == ["1 Quay *08:11"])
        #expect(testServer.requestedPaths.count == 1)
    }

    @Test("without an archive the download is retried soon, and the failure reported")
    func noNetwork() async throws {
        let testServer = try GTFSTestServer()
        testServer.files.withLock { $0.archiveSteps = [.close] }
        let feed = try testServer.feed()
        #expect(try await testServer.failure(feed).kind == .timedOut)
        let again = try await testServer.failure(feed)
        #expect(again.kind == .timedOut)
        #expect(testServer.requestedPaths.count <= 2)
        testServer.files.withLock { $0.archiveSteps = nil }
        testServer.clock.go(to: .seconds(21))
        #expect(try await testServer.rows(feed) == ["1 Quay *08:11"])
    }

    @Test("an unreadable stored archive is downloaded again, whatever the ETag")
    func unreadable() async throws {
        let testServer = try GTFSTestServer()
        try await testServer.settle(testServer.feed())
        try RecordingFiles.write(Array(GTFSFixture().zip().bytes.prefix(500)), to: testServer.folder + "/gtfs.town.zip")
        let feed = try testServer.feed()
        #expect(try await testServer.rows(feed) == ["1 Quay *08:11"])
        try await testServer.settle(feed)
        #expect(testServer.requestedPaths.count == 2)
        // The same while boardd runs.
        try RecordingFiles.write(Array(GTFSFixture().zip().bytes.prefix(500)), to: testServer.folder + "/gtfs.town.zip")
        try await testServer.pass(.seconds(61), feed)
        #expect(testServer.requestedPaths.count == 3)
        #expect(testServer.file("gtfs.town.zip") == testServer.files.withLock { $0.archive })
        #expect(testServer.problems.map { $0.prefix(2) } == ["- ", "+ "])
    }

    @Test("one pass covers all configured stops; another stop costs one more, and no network")
    func passes() async throws {
        let testServer = try GTFSTestServer()
        let five = ["C1", "P", "Q", "R", "C"]
        let feed = try testServer.feed(stops: five)
        try await withThrowingTaskGroup(of: Void.self) { group in
            for code in five { group.addTask { _ = try await testServer.rows(feed, code) } }
            try await group.waitForAll()
        }
        #expect(testServer.readings == 1)
        #expect(
            testServer.logEntries.first.map { "\($0)".contains("the timetable of Town was read for 5 stops in ") }
                == true)
        testServer.server.stop()
        _ = try await testServer.rows(feed, "C2")
        _ = try await testServer.rows(feed, "C2")
        #expect(testServer.readings == 2)
        #expect(try await testServer.rows(feed, "P") == ["1 Quay *08:11"])
    }

    @Test("a stop that is not in the archive is unknown, and costs one pass, not one per request")
    func unknown() async throws {
        let testServer = try GTFSTestServer()
        let feed = try testServer.feed(stops: ["P"])
        for _ in 0..<3 {
            let failure = try await testServer.failure(feed, "X9")
            #expect(failure.kind == .unknownStop)
            #expect(failure.detail == "the timetable of Town has no stop X9: check the code with boardd stops search")
        }
        #expect(testServer.readings == 1)
    }

    @Test("an archive of another URL than the configured one is not used")
    func otherURL() async throws {
        let testServer = try GTFSTestServer()
        _ = try await testServer.rows(testServer.feed())
        testServer.files.withLock { ($0.archive, $0.etag) = (GTFSFixture.departing("08:14:00").zip().bytes, "\"one\"") }
        #expect(
            try await testServer.rows(testServer.feed(timetable: testServer.server.url("/other.zip"))) == [
                "1 Quay *08:14"
            ])
        #expect(testServer.requestedPaths == ["/gtfs.zip", "/other.zip"])
        #expect(testServer.server.record.requests.last?.contains("If-None-Match") == false)
    }

    @Test("a local file is read in place; a replacement is read within a minute")
    func file() async throws {
        let testServer = try GTFSTestServer()
        let path = testServer.folder + "/mine.zip"
        let missing = try testServer.feed(timetable: path)
        #expect(
            try await testServer.failure(missing).detail
                == "the timetable of Town: \(path): cannot be opened (No such file or directory)")
        try RecordingFiles.write(GTFSFixture().zip().bytes, to: path)
        let feed = try testServer.feed(timetable: path)
        #expect(try await testServer.rows(feed) == ["1 Quay *08:11"])
        try RecordingFiles.write(GTFSFixture.departing("08:14:00").zip().bytes, to: path)
        try await testServer.pass(.seconds(61), feed)
        #expect(try await testServer.rows(feed) == ["1 Quay *08:14"])
        // A bad file is logged once and read once.
        try RecordingFiles.write(Array("<html>".utf8), to: path)
        for _ in 0..<2 {
            try await testServer.pass(.seconds(61), feed)
            #expect(testServer.problems.count == 1)
        }
        _ = unsafe unlink(path)
        try await testServer.pass(.seconds(61), feed)
        #expect(testServer.problems.count == 1)
        #expect(try await testServer.rows(feed) == ["1 Quay *08:14"])
        try RecordingFiles.write(GTFSFixture().zip().bytes, to: path)
        try await testServer.pass(.seconds(61), feed)
        #expect(testServer.problems.count == 2)
        #expect(testServer.requestedPaths.isEmpty)
        #expect(try testServer.names() == ["mine.zip"])
    }

    @Test("a cancelled request ends at once, and the download continues")
    func cancelled() async throws {
        let testServer = try GTFSTestServer()
        let archive = testServer.files.withLock { $0.archive }
        testServer.files.withLock { $0.archiveSteps = [.wait, .reply(200, body: archive)] }
        let feed = try testServer.feed()
        let request = Task { try await testServer.failure(feed).kind }
        #expect(await eventually { !testServer.requestedPaths.isEmpty })
        request.cancel()
        #expect(try await request.value == .cancelled)
        testServer.server.resume()
        #expect(try await testServer.rows(feed) == ["1 Quay *08:11"])
        #expect(testServer.requestedPaths.count == 1)
    }
}
