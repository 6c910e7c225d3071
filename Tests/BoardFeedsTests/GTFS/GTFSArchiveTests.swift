import BoardCore
import TestOperators
import Testing

@testable import BoardFeeds

@Suite("GTFS archives")
struct GTFSArchiveTests {
    private static let header = "trip_id,stop_id,stop_sequence,departure_time\n"

    /// The failure of opening or reading an archive.
    private func failure(_ bytes: [UInt8]) -> TableError? {
        #expect(throws: TableError.self) {
            _ = try TimetableReader.read(GTFSFixture.archive(bytes), stops: ["P"], zone: GTFSFixture.newYork)
        }
    }

    /// The archive with another stop_times.txt.
    private func archive(_ member: HandMadeZip.Member) -> [UInt8] {
        var zip = GTFSFixture().zip()
        zip.members.removeAll { $0.name == "stop_times.txt" }
        zip.members.append(member)
        return zip.bytes
    }

    @Test(
        "the tables are found in the root or in a folder, among files of file managers and others",
        arguments: ["", "gtfs/", "a/b/", "a\\", "../", "/srv/", "a\\..\\"])
    func folders(_ folder: String) throws {
        var zip = GTFSFixture().zip(in: folder)
        zip.members.insert(.init("__MACOSX/\(folder)._stops.txt", "rubbish"), at: 0)
        zip.members.insert(.init("__MACOSX/\(folder)stops.txt", "rubbish"), at: 0)
        zip.members.append(.init("\(folder)examples/stops.txt", "stop_id\nX\n"))
        zip.members.append(.init("empty/", []))
        let (timetable, _) = try TimetableReader.read(
            GTFSFixture.archive(zip.bytes), stops: ["P"], zone: GTFSFixture.newYork)
        #expect(timetable.trips.map(\.id) == ["a", "b"])
    }

    @Test("two timetables in one archive are rejected, with their folders")
    func twoTimetables() {
        let found = failure(
            HandMadeZip(members: GTFSFixture().zip(in: "bus/").members + GTFSFixture().zip(in: "rail/").members).bytes)
        #expect(found?.kind == .unreadable)
        #expect(found?.detail.contains("(bus, rail)") == true)
    }

    @Test("the failure of an archive without tables names the missing file and the existing ones")
    func rubbish() {
        let found = failure(HandMadeZip(members: [.init("__MACOSX/stops.txt", "x"), .init("read me", "x")]).bytes)
        #expect(found?.kind == .unreadable)
        #expect(found?.file == "agency.txt")
        #expect(found?.detail.hasSuffix("which has read me") == true)
    }

    @Test("a file that is not a zip: no bytes, HTML, a folder, no file")
    func noZip() throws {
        #expect(failure([])?.kind == .unreadable)
        #expect(failure(Array("<html>Not found</html>".utf8))?.kind == .unreadable)
        #expect(failure([0x50, 0x4B, 0x05, 0x06])?.kind == .unreadable)
        let folder = try Fixtures.temporaryFolder()
        #expect(#expect(throws: TableError.self) { try GTFSArchive(path: folder) }?.kind == .unreadable)
        #expect(#expect(throws: TableError.self) { try GTFSArchive(path: folder + "/none") }?.kind == .unreadable)
    }

    @Test("a zip truncated anywhere is rejected")
    func cut() {
        let whole = GTFSFixture().zip().bytes
        for count in stride(from: 0, to: whole.count, by: 37) {
            let found = failure(Array(whole.prefix(count)))
            #expect(found?.kind == .unreadable, "\(count) bytes")
            let tail = failure(Array(whole.suffix(count)))
            #expect(tail?.kind == .unreadable, "the last \(count) bytes")
        }
    }

    @Test("a zip with a wrong byte gives a timetable or a typed failure")
    func anyByte() throws {
        let whole = GTFSFixture().zip().bytes
        var failures = 0
        for place in stride(from: 0, to: whole.count, by: 11) {
            var bytes = whole
            bytes[place] ^= 0xFF
            do {
                _ = try TimetableReader.read(GTFSFixture.archive(bytes), stops: ["P"], zone: GTFSFixture.newYork)
            } catch is TableError { failures += 1 }
        }
        #expect(failures > 20)
    }

    @Test("a wrong checksum is damage")
    func wrongChecksum() {
        let text = GTFSFixture().files["stop_times.txt"] ?? ""
        let found = failure(archive(.init("stop_times.txt", Array(text.utf8), crc: 1)))
        #expect(found?.kind == .unreadable)
        #expect(found?.file == "stop_times.txt")
    }

    @Test("an encrypted table, or one with an unknown compression, is unreadable")
    func unreadable() {
        let bytes = [UInt8](repeating: 7, count: 100)
        #expect(failure(archive(.init("stop_times.txt", bytes, flags: 1)))?.kind == .unreadable)
        #expect(failure(archive(.init("stop_times.txt", bytes, method: 97, size: 500)))?.kind == .unreadable)
    }

    @Test("a zip bomb is rejected by its declared size, before reading")
    func declaredBomb() {
        let bytes = HandMadeZip.deflated(thousands: 1)
        let found = failure(archive(.init("stop_times.txt", bytes, method: 8, size: 4_000_000_000)))
        #expect(found?.kind == .unreadable)
        #expect(found?.detail.contains("a zip bomb") == true)
    }

    @Test("a table that declares more packed bytes than its archive has is rejected")
    func liedRatio() {
        let bytes = HandMadeZip.deflated(thousands: 10_000)
        let found = failure(archive(.init("stop_times.txt", bytes, method: 8, size: 10_000_000, packed: 5_000_000)))
        #expect(found?.kind == .unreadable)
        #expect(found?.detail.contains("its tables have 500") == true, "\(String(describing: found))")
        #expect(found?.file.hasSuffix("/gtfs.zip") == true)
        // The same for the sum of two tables.
        var zip = GTFSFixture().zip()
        let half = UInt32(zip.bytes.count * 6 / 10)
        for place in zip.members.indices where zip.members[place].name.hasPrefix("stop") {
            zip.members[place].packed = half
        }
        #expect(failure(zip.bytes)?.kind == .unreadable)
    }

    @Test("a zip bomb that declares a small size is rejected when it exceeds it, or as damaged")
    func secretBomb() {
        let bytes = HandMadeZip.deflated(thousands: 50_000)
        let found = failure(archive(.init("stop_times.txt", bytes, method: 8, size: 1_000)))
        #expect(found?.kind == .unreadable)
    }

    @Test(
        "an endless deflated row is rejected after some megabytes, the first or another",
        arguments: ["", Self.header, Self.header + "a,P,1,08:00:00\n"])
    func endlessRow(_ begin: String) {
        let bytes = HandMadeZip.deflated(begin, thousands: 20_000)
        let found = failure(
            archive(.init("stop_times.txt", bytes, method: 8, size: 20_000_161 + UInt32(begin.utf8.count))))
        #expect(found?.kind == .unreadable, "\(String(describing: found))")
        #expect(found?.line == begin.filter { $0 == "\n" }.count + 1)
    }

    @Test("an archive with a table twice is rejected, in any case of the names")
    func twice() {
        for name in ["stops.txt", "Stops.TXT"] {
            var zip = GTFSFixture().zip()
            zip.members.append(.init(name, GTFSFixture().files["stops.txt"] ?? ""))
            let found = failure(zip.bytes)
            #expect(found?.kind == .unreadable)
            #expect(found?.detail.hasPrefix("has stops.txt twice") == true, "\(String(describing: found))")
        }
        // Other duplicate files do not matter, nor those of an unused folder.
        var zip = GTFSFixture().zip()
        zip.members += [
            .init("notes.txt", ""), .init("notes.txt", ""), .init("old/stops.txt", ""), .init("old/stops.txt", ""),
            .init("__MACOSX/stops.txt", ""),
        ]
        #expect(throws: Never.self) { _ = try GTFSFixture.archive(zip.bytes) }
    }

    @Test("an oversized central directory is rejected before memory is allocated")
    func endlessList() {
        var bytes = GTFSFixture().zip().bytes
        // The entry count in the end record.
        bytes[bytes.count - 12] = 0xFF
        bytes[bytes.count - 11] = 0xFF
        #expect(failure(bytes)?.kind == .unreadable)
        let many = HandMadeZip(members: (0...GTFSArchive.maximumMembers).map { .init("\($0)", "") })
        #expect(failure(many.bytes)?.kind == .unreadable)
    }
}
