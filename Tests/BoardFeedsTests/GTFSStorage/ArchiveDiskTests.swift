import BoardCore
import Glibc
import LoopbackServer
import Synchronization
import Testing
import Waiting

@testable import BoardFeeds

@Suite("A city's archive on the disk", .endsHangs)
struct ArchiveDiskTests {
    private func part(_ folder: String) throws -> PartFile? {
        try PartFile.make(folder + "/a.zip.part", mode: 0o644, feed: "gtfs.town")
    }

    @Test("of two that take an archive at once one waits, and finds what the other has taken")
    func two() async throws {
        let hall = try GTFSTestServer()
        let archive = hall.files.withLock { $0.archive }
        hall.files.withLock { $0.instead = [.wait, .reply(200, body: archive)] }
        let (first, second) = (try hall.feed(), try hall.feed())
        let taking = Task { try await hall.rows(first) }
        #expect(await eventually { !hall.asked.isEmpty })
        let failure = try await hall.failure(second)
        #expect(failure.kind == .rateLimited(retryAfter: .seconds(30)))
        #expect(
            failure.detail == "\(hall.folder)/gtfs.town.zip.part: another process is downloading the timetable of Town")
        #expect(failure.requests == 0)
        hall.server.goOn()
        #expect(try await taking.value == ["1 Quay *08:11"])
        #expect(try await hall.rows(second) == ["1 Quay *08:11"])
        #expect(hall.asked.count == 1)
    }

    @Test("what an interrupted taking left is overwritten")
    func leftOver() async throws {
        let hall = try GTFSTestServer()
        try RecordingFiles.write([UInt8](repeating: 7, count: 100_000), to: hall.folder + "/gtfs.town.zip.part")
        #expect(try await hall.rows(hall.feed()) == ["1 Quay *08:11"])
        #expect(hall.kept("gtfs.town.zip") == hall.files.withLock { $0.archive })
    }

    @Test("who waited for the lock never writes into the archive that has become the live one")
    func renamed() throws {
        let folder = try Fixtures.temporaryFolder()
        let first = try #require(try part(folder))
        try first.write([1, 2, 3].span)
        #expect(try part(folder) == nil)
        try first.move(to: folder + "/a.zip")
        let second = try #require(try part(folder))
        try second.write([4].span)
        // What the first does now concerns a name that is not its own any more.
        first.discard()
        #expect(try RecordingFiles.read(folder + "/a.zip") == [1, 2, 3])
        #expect(try RecordingFiles.read(folder + "/a.zip.part") == [4])
        second.discard()
        #expect(throws: RecordingFailure.self) { try RecordingFiles.read(folder + "/a.zip.part") }
    }

    @Test("many threads that take and replace at once leave whole archives only")
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

    @Test("a folder in which nobody may write is said, with what to do, and so is one that is not there")
    func refused() async throws {
        let hall = try GTFSTestServer()
        let absent = hall.folder + "/absent"
        let failure = try await hall.failure(hall.feed(folder: absent))
        #expect(failure.kind == .unreadable)
        #expect(
            failure.detail == "Town: the timetable cannot be stored: \(absent)/gtfs.town.zip.part: cannot be written: "
                + "No such file or directory. There is no such folder: sudo systemctl start boardd makes it")
        #expect(hall.asked.isEmpty, "nothing is taken that cannot be kept")
        for (code, advice) in [
            (EACCES, "Permission denied. Run it as a user with write permission: "),
            (ENOSPC, "No space left on device. Free disk space there, then: "),
            (EIO, "Input/output error. Fix that, then: "),
        ] {
            #expect(
                ArchiveStoreFailure("/var/lib/boardd/gtfs.town.zip.part", of: "gtfs.town", code: code).description
                    == "/var/lib/boardd/gtfs.town.zip.part: cannot be written: \(advice)"
                    + "sudo boardd stops update gtfs.town")
        }
    }

    @Test("a leftover that may not be written, as root's is, is taken away by whoever owns the folder")
    func foreign() throws {
        let folder = try Fixtures.temporaryFolder()
        try RecordingFiles.write([7, 7], to: folder + "/a.zip.part", mode: 0o444)
        let file = try #require(try part(folder))
        try file.write([1].span)
        #expect(try RecordingFiles.read(folder + "/a.zip.part") == [1])
    }

    @Test("trouble with the disk ends the taking, is said with what to do, and leaves the old archive")
    func full() async throws {
        let hall = try GTFSTestServer()
        let feed = try hall.feed()
        _ = try await hall.rows(feed)
        let part = hall.folder + "/gtfs.town.zip.part"
        try #require(unsafe symlink("/dev/full", part) == 0)
        // A name that leads elsewhere is not followed.
        hall.files.withLock { $0.etag = "\"two\"" }
        try await hall.pass(.seconds(7 * 86_400), feed)
        #expect(hall.troubles.count == 1)
        #expect(
            hall.troubles.first?.contains("cannot be stored: \(part): cannot be written: ") == true, "\(hall.troubles)")
        #expect(hall.troubles.first?.contains("sudo boardd stops update gtfs.town") == true)
        #expect(try await hall.rows(feed) == ["1 Quay *08:11"])
        _ = unsafe unlink(part)
        try await hall.pass(.seconds(6 * 3_600), feed)
        #expect(hall.troubles.count == 2)
    }
}
