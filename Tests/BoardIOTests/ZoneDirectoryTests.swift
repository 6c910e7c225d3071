import BoardCore
import FoundationEssentials
import Testing

@testable import BoardIO

@Suite("Time zone files of the machine")
final class ZoneDirectoryTests {
    /// A zone file of version 1 that is one hour ahead of UTC for ever.
    private let hourAhead: [UInt8] = {
        let counts: [UInt8] = [0, 0, 0, 0, 1, 4].flatMap { [0, 0, 0, $0] }
        return Array("TZif".utf8) + [UInt8](repeating: 0, count: 16) + counts + [0, 0, 0x0E, 0x10, 0, 0]
            + Array("CET\0".utf8)
    }()
    private let noon = Timestamp(seconds: 43_200)

    private let root: URL
    private let directory: ZoneDirectory

    /// A folder that holds the zones "Test/Hour" and "Test/Broken", and no UTC.
    init() throws {
        root = FileManager.default.temporaryDirectory.appending(path: "boardd-zones-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: root.appending(path: "Test"), withIntermediateDirectories: true)
        try Data(hourAhead).write(to: root.appending(path: "Test/Hour"))
        try Data(hourAhead.dropLast()).write(to: root.appending(path: "Test/Broken"))
        directory = ZoneDirectory(path: root.path, machineFile: root.appending(path: "Test/Hour").path)
    }

    deinit {
        try? FileManager.default.removeItem(at: root)
    }

    @Test("a zone is found by its name")
    func named() throws {
        #expect(try directory.zone(named: "Test/Hour").offset(at: noon) == .seconds(3_600))
    }

    @Test(
        "a name that leaves the folder is rejected before any file is opened",
        arguments: [
            "", "/etc/passwd", "../Hour", "Test/../../etc/passwd", "Test//Hour", "Test/", ".", "a b", "Hour\0", "Öst",
        ])
    func badNames(_ name: String) throws {
        let error = PlainError("\"\(name)\" is not a time zone name; write one such as \"Europe/London\"")
        #expect(throws: error) { try directory.zone(named: name) }
    }

    @Test(
        "an unknown zone is an error with its name and what to install",
        arguments: ["Test/Huor", "Test", "Test/Hour/x"])
    func unknown(_ name: String) throws {
        let error = PlainError("no time zone \"\(name)\", and no zones at all in \(directory.path): apt install tzdata")
        #expect(throws: error) { try directory.zone(named: name) }
    }

    @Test("a damaged file is reported as damaged, and is not taken for UTC")
    func damaged() throws {
        let error = PlainError(
            "\(directory.path)/Test/Broken: time zone file ends too early; apt install --reinstall tzdata")
        #expect(throws: error) { try directory.zone(named: "Test/Broken") }
    }

    @Test("the machine's zone is that of TZ, by name, path or rule, else that of its file, else UTC")
    func machine() throws {
        var directory = directory
        let hour = Duration.seconds(3_600)
        #expect(try directory.machineZone(tz: nil).offset(at: noon) == hour)
        #expect(try directory.machineZone(tz: "").offset(at: noon) == .zero)
        #expect(try directory.machineZone(tz: "Test/Hour").offset(at: noon) == hour)
        #expect(try directory.machineZone(tz: ":Test/Hour").offset(at: noon) == hour)
        #expect(try directory.machineZone(tz: ":" + directory.machineFile).offset(at: noon) == hour)
        #expect(try directory.machineZone(tz: "EST5EDT,M3.2.0,M11.1.0").offset(at: noon) == hour * -5)
        #expect(throws: PlainError.self) { try directory.machineZone(tz: "Test/Huor") }
        directory.machineFile += "-absent"
        #expect(try directory.machineZone(tz: nil) == .utc)
    }
}
