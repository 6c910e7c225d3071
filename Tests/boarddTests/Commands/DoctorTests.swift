import BoardCore
import BoardDisplays
import BoardService
import Foundation
import Testing
import Waiting

@testable import BoardStore
@testable import boardd

@Suite("boardd doctor", .endsHangs)
struct DoctorTests {
    private static let stop = StopID(feed: FeedName("tfl"), code: "1")
    private static let now = Timestamp(seconds: 1_790_000_000)

    /// The bus of the pin header with these devices.
    private static func buses(_ devices: [UInt8]) -> [I2CBusScan] {
        [
            I2CBusScan(
                path: "/dev/i2c-1", name: nil, isHeader: true,
                devices: .success(devices.map { I2CBusScan.Device(address: $0) }))
        ]
    }

    /// A machine on which everything is good.
    private func machine() throws -> Diagnosis {
        var configuration = Configuration()
        configuration.entries = [.stop(Favourite(stop: Self.stop))]
        let response = FeedResponse(stop: Stop(id: Self.stop, zone: .utc), departures: [])
        return Diagnosis(
            configuration: .success(configuration),
            buses: Self.buses([0x27]),
            gpio: GPIOScan(chips: ["chip"], header: .success(.init(chip: "chip", consumers: [:]))),
            board: .failure(ServiceError(.noDaemon, "boardd is not running")),
            responses: [("TfL", .success(response))], isClockSynchronised: true, zone: .utc, now: Self.now,
            program: "boardd 1.2.3",
            service: ["LoadState": "loaded", "ActiveState": "active", "UnitFileState": "enabled"],
            page: .init("LoadState=loaded\nActiveState=active\nListen=[::]:8480 (Stream)\n"),
            addresses: { ["http://boardpi.local:\($0)"] },
            lists: DirectoryResult(found: [
                DirectoryEdition(feed: Self.stop.feed, stops: 9, lines: 1, completed: Self.now - .seconds(60), bytes: 1)
            ]), listedFeeds: [Self.stop.feed], folder: "/var",
            freeSpace: 5_000_000_000)
    }

    @Test("a machine on which everything is good has a line for each subject, and exit status 0")
    func good() throws {
        let facts = try machine().facts
        #expect(facts.allSatisfy { $0.verdict == .good }, "\(facts.table)")
        #expect(facts.status == 0)
        for subject in [
            "files", "favourites", "display", "button", "network", "clock", "time zone", "service", "page", "stop list",
            "space",
        ] {
            #expect(facts.contains { $0.subject == subject }, "\(subject)")
        }
    }

    @Test(
        "without [display] the display is the only one that responds; of several, the usual address of a backpack",
        arguments: [
            (
                [0x27, 0x68], .good,
                "found by itself: hd44780 at 0x27 on /dev/i2c-1; its size is unknown, so 16x2 of it are"
            ),
            ([0x3C], .good, "found by itself: ssd1306 at 0x3c on /dev/i2c-1"),
            (
                [0x27, 0x3C], .unknown,
                "several displays can be on /dev/i2c-1 (hd44780 at 0x27; ssd1306 at 0x3c): boardd hardware scan prints the lines "
                    + "for boardd.toml that choose one; until then it is the one at 0x27"
            ),
            ([0x38, 0x3C], .fault, "several displays can be on /dev/i2c-1 (ssd1306 at 0x3c; hd44780 at 0x38): boardd"),
            ([0x76], .fault, "none responds on the bus of the pin header"),
        ] as [([UInt8], Fact.Verdict, String)])
    func found(addresses: [UInt8], verdict: Fact.Verdict, text: String) throws {
        var machine = try machine()
        machine.buses = Self.buses(addresses)
        let fact = try #require(machine.facts.first { $0.subject == "display" })
        #expect(fact.verdict == verdict && fact.text.hasPrefix(text), "\(fact)")
    }

    @Test("a hub without a display, a button, a bus and GPIO has no fault")
    func hub() throws {
        let folder = try TemporaryFolder([
            "boardd.toml": """
            [display]
            driver = "none"
            [fleet]
            broker = "mqtts://broker.local:8883"
            patience = "0s"
            """
        ])
        var option = ConfigurationOption()
        option.file = "\(folder.path)/boardd.toml"
        var machine = try machine()
        machine.configuration = .success(try option.load())
        (machine.buses, machine.responses, machine.listedFeeds) = ([], [], [])
        machine.gpio = GPIOScan(chips: [], header: .failure(DeviceError("this machine has no /dev/gpiochip*")))
        #expect(machine.facts.status == 0, "\(machine.facts.table)")
    }

    @Test(
        "a page that is on has its addresses, one that is off the command, and one that is not installed no line",
        arguments: [
            ("loaded\nActiveState=active", "http://boardpi.local:80"),
            ("loaded\nActiveState=inactive", "off: sudo boardd page on serves it in this network"),
            ("not-found\nActiveState=inactive", nil),
        ] as [(String, String?)])
    func page(state: String, text: String?) throws {
        var machine = try machine()
        machine.page = .init("LoadState=\(state)\nListen=[::]:80 (Stream)\n")
        let fact = machine.facts.first { $0.subject == "page" }
        #expect(fact?.text == text)
        #expect(machine.facts.status == 0)
    }

    /// A change of the machine, and what is printed about it.
    private struct Case: Sendable {
        let words: String
        let status: Int32
        let change: @Sendable (inout Diagnosis) throws -> Void
    }

    private static let cases: [Case] = [
        Case(words: "no favourites yet: sudo boardd setup", status: 1) { $0.configuration = .success(Configuration()) },
        Case(words: "it cannot listen at port 80", status: 1) {
            $0.page = .init("LoadState=loaded\nActiveState=failed\nListen=[::]:80 (Stream)\n")
        },
        Case(words: "dtparam=i2c_arm=on", status: 1) { $0.buses = [] },
        Case(words: "boardd hardware scan", status: 1) {
            $0.buses = buses([0x68])
        },
        Case(words: "another `line` in boardd.toml", status: 1) {
            $0.gpio = GPIOScan(chips: ["c"], header: .success(.init(chip: "c", consumers: [17: "spi"])))
        },
        Case(words: "no route", status: 2) {
            $0.responses = [("TfL", .failure(FeedError(.noNetwork, detail: "no route")))]
        },
        Case(words: "key wrong", status: 1) {
            $0.responses = [("TfL", .failure(FeedError(.keyRejected, detail: "key wrong")))]
        },
        Case(words: "zone missing", status: 1) {
            $0.responses = [("TfL", .failure(FeedError(.noZone, detail: "zone missing")))]
        },
        Case(words: "timedatectl set-ntp true", status: 2) { $0.isClockSynchronised = false },
        Case(words: "this machine's is like none of them", status: 1) {
            let other = FeedResponse(stop: Stop(id: Self.stop, zone: try Zone(posix: "XXX-5")), departures: [])
            ($0.responses, $0.zone) = ($0.responses + [("NS", .success(other))], try Zone(posix: "XXX+5"))
        },
        Case(words: "systemctl enable --now boardd", status: 1) { $0.service["ActiveState"] = "inactive" },
        Case(words: "systemctl enable boardd", status: 1) { $0.service["UnitFileState"] = "disabled" },
        Case(words: "journalctl -u boardd", status: 1) { $0.service["ActiveState"] = "failed" },
        Case(words: "sudo boardd stops update tfl", status: 2) { $0.lists = DirectoryResult(found: []) },
        Case(words: "40 days old", status: 1) { machine in
            machine.lists = DirectoryResult(found: [
                DirectoryEdition(feed: stop.feed, stops: 9, lines: 1, completed: now - .seconds(40 * 86_400), bytes: 1)
            ])
        },
        Case(words: "too little for a new timetable", status: 1) {
            $0.freeSpace = 1_000_000
        },
        Case(words: "chmod 600", status: 1) { machine in
            guard case .success(var configuration) = machine.configuration else { return }
            configuration.warnings = [SourceError(file: "keys.env", message: "chmod 600 keys.env")]
            machine.configuration = .success(configuration)
        },
        Case(words: "boardd.toml: bad", status: 1) { machine in
            guard case .success(let configuration) = machine.configuration else { return }
            machine.configuration = .failure(
                ConfigurationError(faults: [SourceError(file: "boardd.toml", message: "bad")], partial: configuration))
        },
    ]

    @Test("each fault of a machine is one line with what to do, and decides the exit status", arguments: cases.indices)
    func fault(index: Int) throws {
        let example = Self.cases[index]
        var machine = try machine()
        try example.change(&machine)
        let bad = machine.facts.filter { $0.verdict != .good }
        #expect(bad.count == 1, "\(machine.facts.table)")
        #expect(bad.first?.text.contains(example.words) == true, "\(bad.table)")
        #expect(machine.facts.status == example.status)
    }

    @Test("the machine's zone counts only where the clocks at the stops differ")
    func zones() throws {
        let (east, west) = (try Zone(posix: "XXX-5"), try Zone(posix: "XXX+5"))
        #expect(Fact.zone(.utc, of: [east, east], at: Self.now)?.text == "that of the stops")
        #expect(Fact.zone(.utc, of: [east, .utc], at: Self.now)?.verdict == .good)
        #expect(Fact.zone(.utc, of: [east, west], at: Self.now)?.verdict == .fault)
        #expect(Fact.zone(.utc, of: [], at: Self.now) == nil)
    }

    @Test("as a process it examines the files, the operator and the key, and prints no key")
    func process() async throws {
        let board = try InstalledBoard(favourites: "[[stop]]\nid = \"tfl:490000001A\"\n")
        try board.folder.write("TFL_APP_KEY=hunter2hunter2\n", to: "etc/keys.env")
        try board.makeDirectory()
        let doctor = try await board.run("doctor")
        // Without the hardware of a board.
        #expect(doctor.status == 1, "\(doctor.errors)")
        let lines = doctor.output.split(separator: "\n")
        #expect(lines.contains { $0.hasPrefix("good") && $0.contains("network") && $0.contains("2 departures") })
        #expect(lines.contains { $0.hasPrefix("good") && $0.contains("keys") && $0.contains("TFL_APP_KEY is set") })
        #expect(lines.contains { $0.hasPrefix("good") && $0.contains("stop list") }, "\(doctor.output)")
        let json = try await board.run("doctor", "--json")
        #expect(json.status == 1, "\(json.errors)")
        let facts = try #require(try JSONSerialization.jsonObject(with: Data(json.output.utf8)) as? [[String: String]])
        #expect(
            facts.contains(["subject": "network", "text": "TfL: 2 departures", "verdict": "good"]), "\(json.output)")
        #expect(facts.count == lines.count && facts.contains { $0["verdict"] == "fault" })
        #expect(!(doctor.output + json.output).contains("hunter2"))
    }

    @Test("check reports that there are no favourites, or no display")
    func check() async throws {
        let board = try InstalledBoard()
        let empty = try await board.run("check")
        #expect(empty.status == 0 && empty.output.contains("no favourites yet"), "\(empty.output)")
        let json = try await board.run("check", "--json")
        #expect(json.status == 0 && json.output.contains("\"verdict\" : \"remark\""), "\(json.output)")
        try board.folder.write("[display]\ndriver = \"none\"\n", to: "etc/boardd.toml")
        #expect(try await board.run("check").output.contains("display: none is configured"))
    }
}
