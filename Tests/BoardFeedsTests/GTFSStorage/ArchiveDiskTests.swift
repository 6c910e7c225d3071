import BoardCore
import BoardIO
import Glibc
import LoopbackServer
import Synchronization
import TestOperators
import Testing
import Waiting

@testable import BoardFeeds

@Suite("GTFS archives on disk", .endsHangs)
struct ArchiveDiskTests {
    private func part(_ folder: String) throws -> PartFile? {
        try PartFile(folder + "/a.zip.part", mode: 0o644, feed: "gtfs.town")
    }

    @Test("of two concurrent downloads one waits, and uses the other's archive")
    func two() async throws {
        let testServer = try GTFSTestServer()
        let archive = testServer.files.withLock { $0.archive }
        testServer.files.withLock { $0.archiveSteps = [.wait, .reply(200, body: archive)] }
        let (first, second) = (try testServer.feed(), try testServer.feed())
        let download = Task { try await testServer.rows(first) }
        #expect(await eventually { !testServer.requestedPaths.isEmpty })
        let failure = try await testServer.failure(second)
        #expect(failure.kind == .rateLimited(retryAfter: .seconds(30)))
        #expect(
            failure.detail
                == "\(testServer.folder)/gtfs.town.zip.part: another process is downloading the timetable of Town")
        testServer.server.resume()
        #expect(try await download.value == ["1 Quay *08:11"])
        #expect(try await testServer.rows(second) == ["1 Quay *08:11"])
        #expect(testServer.requestedPaths.count == 1)
    }

    @Test("an interrupted download is overwritten")
    func leftOver() async throws {
        let testServer = try GTFSTestServer()
        try RecordingFiles.write([UInt8](repeating: 7, count: 100_000), to: testServer.folder + "/gtfs.town.zip.part")
        #expect(try await testServer.rows(testServer.feed()) == ["1 Quay *08:11"])
        #expect(testServer.file("gtfs.town.zip") == testServer.files.withLock { $0.archive })
    }

    @Test("a process that waited for the lock never writes to the stored archive")
    func renamed() throws {
        let folder = try Fixtures.temporaryFolder()
        let first = try #require(try part(folder))
        try first.write([1, 2, 3].span)
        #expect(try part(folder) == nil)
        try first.move(to: folder + "/a.zip")
        let second = try #require(try part(folder))
        try second.write([4].span)
        // The name no longer belongs to the first file.
        first.discard()
        #expect(try RecordingFiles.read(folder + "/a.zip") == [1, 2, 3])
        #expect(try RecordingFiles.read(folder + "/a.zip.part") == [4])
        second.discard()
        #expect(throws: FileError.self) { try RecordingFiles.read(folder + "/a.zip.part") }
    }

    @Test("many threads that write and replace concurrently leave complete archives only")
    func crowd() async throws {
        let folder = try Fixtures.temporaryFolder()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in UInt8(1)...8 {
                group.addTask {
                    for _ in 0..<60 {
                        guard let file = try part(folder) else { continue }
                        try file.write([UInt8](repeating: number, count: 5_000).span)
                        try file.move(to: folder + "/a.zip")
                        let seen = try RecordingFiles.read(folder + "/a.zip")
                        #expect(seen.count == 5_000 && Set(seen).count == 1)
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    @Test("an unwritable or missing folder is reported, with what to do")
    func unwritable() async throws {
        let testServer = try GTFSTestServer()
        let absent = testServer.folder + "/absent"
        let failure = try await testServer.failure(testServer.feed(folder: absent))
        #expect(failure.kind == .unreadable)
        #expect(
            failure.detail == "Town: the timetable cannot be stored: \(absent)/gtfs.town.zip.part: cannot be written: "
                + "No such file or directory. There is no such folder: sudo systemctl start boardd makes it")
        #expect(testServer.requestedPaths.isEmpty, "no download that cannot be stored")
        for (code, advice) in [
            (EACCES, "Permission denied. Run it as a user with write permission: "),
            (ENOSPC, "No space left on device. Free disk space there, then: "),
            (EIO, "Input/output error. Fix that, then: "),
        ] {
            #expect(
                PlainError(archive: "/var/lib/boardd/gtfs.town.zip.part", of: "gtfs.town", code: code).description
                    == "/var/lib/boardd/gtfs.town.zip.part: cannot be written: \(advice)"
                    + "sudo boardd stops update gtfs.town")
        }
    }

    @Test("an unwritable leftover, such as root's, is removed by the owner of the folder")
    func foreign() throws {
        let folder = try Fixtures.temporaryFolder()
        try RecordingFiles.write([7, 7], to: folder + "/a.zip.part", mode: 0o444)
        let file = try #require(try part(folder))
        try file.write([1].span)
        #expect(try RecordingFiles.read(folder + "/a.zip.part") == [1])
    }

    @Test("a disk failure ends the download, is reported with what to do, and leaves the old archive")
    func full() async throws {
        let testServer = try GTFSTestServer()
        let feed = try testServer.feed()
        _ = try await testServer.rows(feed)
        let part = testServer.folder + "/gtfs.town.zip.part"
        try #require(unsafe symlink("/dev/full", part) == 0)
        // A symbolic link is not followed.
        testServer.files.withLock { $0.etag = "\"two\"" }
        try await testServer.pass(.seconds(7 * 86_400), feed)
        #expect(testServer.problems.count == 1)
        #expect(
            testServer.problems.first?.contains("cannot be stored: \(part): cannot be written: ") == true,
            "\(testServer.problems)")
        #expect(testServer.problems.first?.contains("sudo boardd stops update gtfs.town") == true)
        #expect(try await testServer.rows(feed) == ["1 Quay *08:11"])
        _ = unsafe unlink(part)
        try await testServer.pass(.seconds(6 * 3_600), feed)
        #expect(testServer.problems.count == 2)
    }
}
