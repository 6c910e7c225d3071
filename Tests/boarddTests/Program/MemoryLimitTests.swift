import FoundationEssentials
import Glibc
import LoopbackServer
import Testing
import Waiting

@testable import boardd

@Suite("Memory of boardd, as a process, with the worst responses", .serialized, .endsHangs)
struct MemoryLimitTests {
    /// In kB: `MemoryMax=` of the unit, which ends the daemon. What it takes is a figure of docs/reliability.md.
    private static let most = 200_000
    /// The program's address space in this test, in kB: unbounded growth ends the program, not the machine.
    private static let space = 6_000_000

    /// The worst responses. Each is as large as its request and the decoder allow. They are not compressed: what counts is the
    /// memory that the bytes expand to.
    enum Shape: CaseIterable, CustomTestStringConvertible {
        case rows, empties, texts

        var testDescription: String { "\(self)" }
    }

    @Test(
        "the worst responses of all feeds at once stay within the memory that the unit allows",
        arguments: Shape.allCases)
    func daemon(_ shape: Shape) async throws {
        let bodies = LargestResponses(shape)
        let server = try LoopbackServer { head in [.reply(200, [], body: bodies.body(of: head))] }
        defer { server.stop() }
        let folder = try TemporaryFolder(Self.files(server))
        let program = try Program(
            shell: "ulimit -v \(Self.space); exec \"$0\" \"$@\"",
            ["run", "--config", "\(folder.path)/boardd.toml", "--simulate"], environment: folder.environment)
        #expect(await eventually { program.poll() != nil || bodies.wanted.allSatisfy(server.hasRequest) })
        await Self.waitUntilIdle(program)
        try #require(program.poll() == nil, "\(program.errors)")
        let peak = try #require(Self.peak(program))
        #expect(peak <= Self.most, "\(peak) kB")
        #expect(await program.terminate() == 0, "\(program.errors)")
    }

    private static func files(_ server: LoopbackServer) -> [String: String] {
        let url = server.url()
        return [
            "boardd.toml": """
            [feed.tfl]
            url = "\(url)"
            [feed.rail]
            board_url = "\(url)/rail"
            [feed.motis]
            url = "\(url)"
            [feed.lametro]
            url = "\(url)"
            [feed.trips]
            url = "\(url)"
            [feed.siri.json]
            url = "\(url)/siri-json"
            [feed.siri.xml]
            url = "\(url)/siri-xml"
            """,
            "keys.env": "RDM_BOARD_KEY=\(String(repeating: "k", count: 48))\n",
            "favourites.toml": [
                "tfl:490008660N", "tfl:HUBKGX", "rail:RDG", "motis:xx-Vale_mill:1", "lametro:30005", "trips:scd",
                "siri.json:S1",
                "siri.xml:S1",
            ].map { "[[stop]]\nid = \"\($0)\"\n" }.joined(),
        ]
    }

    /// Waits until the program has been nearly idle for 400 turns of ``Patience``, two seconds on an idle machine.
    private static func waitUntilIdle(_ program: Program) async {
        var last = -1
        var quietTurns = 0
        _ = await eventually {
            let used = ticks(program)
            // An idle board draws its clock: a tick or two a second (of 10 ms each).
            if used > last + 3 { (last, quietTurns) = (used, 0) } else { quietTurns += 1 }
            return quietTurns > 400 || program.poll() != nil
        }
    }

    /// The processor time that a process has used, in ticks (proc(5), fields 14 and 15).
    private static func ticks(_ program: Program) -> Int {
        let fields =
            KernelFile.read("/proc/\(program.pid)/stat").split(separator: ")").last?.split(separator: " ") ?? []
        return fields.count > 12 ? (Int(fields[11]) ?? 0) + (Int(fields[12]) ?? 0) : 0
    }

    /// The most memory that a process has had, in kB.
    private static func peak(_ program: Program) -> Int? {
        KernelFile.read("/proc/\(program.pid)/status").split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
            .flatMap { $0.split(separator: " ").dropLast().last }.flatMap { Int($0.split(separator: "\t").last ?? $0) }
    }
}

extension LoopbackServer {
    fileprivate func hasRequest(_ path: String) -> Bool { requests.contains { $0.contains(path) } }
}

/// The worst responses of one kind, by request.
private struct LargestResponses {
    /// The largest number of values of a JSON document, less some for its frame, and the largest size of a response.
    private static let values = 199_000
    private static let large = 1_990_000
    private static let small = 990_000

    private let byPath: [(path: String, body: [UInt8])]

    /// The daemon's requests in any case.
    var wanted: [String] { byPath.map(\.path) }

    init(_ shape: MemoryLimitTests.Shape) {
        let time = Date(timeIntervalSinceNow: 600).formatted(.iso8601)
        let departs = Int(Date.now.timeIntervalSince1970 + 86_400) * 1_000
        func json(
            _ opening: String, _ row: (Int) -> String, _ closing: String, values: Int, bytes: Int = Self.large
        ) -> [UInt8] {
            var body = Array(opening.utf8)
            let text = String(repeating: "x", count: bytes - opening.utf8.count - closing.utf8.count - 500)
            switch shape {
            case .texts: body += row(0).replacing("{\"", with: "{\"note\":\"\(text)\",\"", maxReplacements: 1).utf8
            case .empties: for place in 0..<Self.values { body += (place == 0 ? "{}" : ",{}").utf8 }
            case .rows:
                for place in 0..<Self.values / values {
                    let next = (place == 0 ? "" : ",") + row(place)
                    guard body.count + next.utf8.count + closing.utf8.count <= bytes else { break }
                    body += next.utf8
                }
            }
            return body + closing.utf8
        }
        let visits = "{\"Siri\":{\"ServiceDelivery\":{\"StopMonitoringDelivery\":[{\"MonitoredStopVisit\":["
        func visit(_ index: Int) -> String {
            "{\"LineRef\":\"\(index)\",\"MonitoredCall\":{\"ExpectedDepartureTime\":\"\(time)\"}}"
        }
        var xml = Array("<Siri><ServiceDelivery><StopMonitoringDelivery>".utf8)
        let end = "</StopMonitoringDelivery></ServiceDelivery></Siri>"
        var index = 0
        while xml.count < Self.large - 200 {
            switch shape {
            case .rows: xml += "<MonitoredStopVisit><LineRef>\(index)</LineRef><a\(index)/></MonitoredStopVisit>".utf8
            case .empties: xml += "<MonitoredStopVisit/>".utf8
            case .texts: xml += "<b a\(index)=\"\" b\(index)=\"\" c\(index)=\"\"/>".utf8
            }
            index += 1
        }
        xml += end.utf8
        func trip(_ index: Int) -> String {
            "{\"id\":\"\(index)\",\"departure_at\":\(departs),\"destination\":{\"city\":\"A\"},"
                + "\"departure\":{\"city\":\"B\",\"airport_code\":\"\(1_000 + index % 9_000)\"},\"currency\":\"GBP\",\"price\":1}"
        }
        byPath = [
            ("/siri-json", json(visits, visit, "]}]}}}", values: 7)), ("/siri-xml", xml),
            ("/trips/scd", json("[", trip, "]", values: 19)),
            (
                "/rail/",
                json(
                    "{\"generatedAt\":\"\(time)\",\"crs\":\"RDG\",\"trainServices\":[",
                    { "{\"std\":\"\(10 + $0 / 60 % 14):\(10 + $0 % 50)\",\"serviceID\":\"\($0)\"}" }, "]}", values: 5)
            ),
            (
                "/stoptimes?",
                json(
                    "{\"stopTimes\":[", { "{\"place\":{\"departure\":\"\(time)\"},\"routeShortName\":\"\($0)\"}" },
                    "],\"nextPageCursor\":\"a\"}", values: 7)
            ),
            (
                "/predictions/",
                json(
                    "{\"items\":[", { "{\"route_id\":\"\($0)\",\"run_id\":\"\($0)\",\"seconds\":600}" }, "]}",
                    values: 7,
                    bytes: Self.small)
            ),
            (
                "/StopPoint/HUBKGX ",
                json("{\"naptanId\":\"HUBKGX\",\"children\":[", { "{\"naptanId\":\"940G\($0)\"}" }, "]}", values: 40)
            ),
            (
                "/Arrivals",
                json(
                    "[", { "{\"lineId\":\"\($0)\",\"expectedArrival\":\"\(time)\"}" }, "]", values: 5, bytes: Self.small
                )
            ),
        ]
    }

    /// The response to a request; to any other, a list of a thousand rows.
    func body(of head: String) -> [UInt8] {
        byPath.first { head.contains($0.path) }?.body
            ?? Array(("[" + (0..<1_000).map { "{\"id\":\"\($0)\"}" }.joined(separator: ",") + "]").utf8)
    }
}
