import BoardCore
import BoardIO
import BoardService
import BoardStore
import FoundationEssentials
import ServerTesting
import Testing
import Waiting

@testable import BoardControl

@Suite("The events of the page", .endsHangs)
struct EventTests {
    private func viewer(_ page: RunningPage) async throws -> RawClient {
        let client = try RawClient(port: page.port)
        try await client.send("GET /v1/events HTTP/1.1\r\nHost: 127.0.0.1:\(page.port)\r\n\r\n")
        return client
    }

    @Test("begin with the whole state, and continue with what changed alone")
    func changes() async throws {
        let page = try await RunningPage()
        let client = try await viewer(page)
        let first = try #require(try await client.text(until: "\n\n\r\n"))
        #expect(first.contains("content-type: text/event-stream"))
        #expect(first.contains("x-accel-buffering: no"))
        #expect(first.contains("event: state\ndata: {"))
        #expect(first.contains("Oxford Circus Station"))
        page.board.change { $0.display.rows[0] = "changed row" }
        let second = try #require(try await client.text(until: "\n\n\r\n"))
        #expect(second.contains("event: display\ndata: {") && second.contains(#""rows":["changed row",null]"#))
        #expect(second.contains(#""strips":[null]"#) && !second.contains("isResponding"))
        #expect(!second.contains("event: stop") && !second.contains("event: favourites"))
        page.board.change { state in
            state.stops[1].notice = "new notice"
            state.faults = BoardFaults()
            state.favourites = []
        }
        let third = try #require(try await client.text(until: "event: faults\ndata: {}"))
        #expect(third.contains("event: stop\ndata: {") && third.contains("new notice"))
        #expect(third.contains("event: favourites\ndata: []"))
        #expect(!third.contains("event: display"))
        page.board.change { $0.changes = FakeBoard.changes }
        #expect(try await client.text(until: "\n\n\r\n")?.contains("event: changes\ndata: [{") == true)
        page.board.virtualClock.advance(by: .seconds(1))
        page.board.change { $0.stops.removeLast() }
        #expect(try await client.text(until: "\n\n\r\n")?.contains("event: state\n") == true)
        page.board.virtualClock.advance(by: .seconds(1))
        page.board.change { $0.display.dots = DisplayDots(.oled, rows: [[true]]) }
        #expect(try await client.text(until: "\n\n\r\n")?.contains("event: state\n") == true)
    }

    /// The departure with another text in its JSON.
    private static func changed(
        _ departure: ReportedDeparture, _ change: (inout [String: Timestamp]) -> Void
    ) throws -> ReportedDeparture {
        let encoder = JSONEncoder()
        let text = String(decoding: try encoder.encode(departure), as: UTF8.self)
        var moments = ["madeAt": departure.departure.madeAt, "expiresAt": departure.departure.expiresAt]
        moments["expected"] = departure.departure.status.time
        let old = moments
        change(&moments)
        let new = moments.reduce(text) { text, moment in
            guard let before = old[moment.key] else { return text }
            return text.replacing("\"\(moment.key)\":\"\(before)\"", with: "\"\(moment.key)\":\"\(moment.value)\"")
        }
        return try JSONDecoder().decode(ReportedDeparture.self, from: Data(new.utf8))
    }

    @Test("have of the departures of a stop only what a response changed: numbers, moments, and what is new")
    func departures() async throws {
        let page = try await RunningPage()
        let client = try await viewer(page)
        _ = try await client.text(until: "\n\n\r\n")
        let all = FakeBoard.live.stops[0].departures
        let index = try #require(all.firstIndex { $0.departure.status.kind == .expected })
        let others = all.indices.filter { $0 != index }
        let moved = try Self.changed(all[index]) {
            $0["expected"] = $0["expected"].map { $0 + .seconds(60) }
            $0["madeAt"] = $0["madeAt"].map { $0 + .seconds(30) }
        }
        page.board.change { state in
            state.stops[0].departures = others.map { all[$0] } + [moved]
            state.stops[0].lastResponseAt = FakeBoard.moment + .seconds(30)
            state.stops[0].nextPollAt = FakeBoard.moment + .seconds(60)
        }
        let text = try #require(try await client.text(until: "\n\n\r\n"))
        let numbers = others.map { "\($0)," }.joined()
        #expect(text.contains("event: departures\ndata: {\"departures\":[\(numbers){\"expected\":"))
        #expect(text.contains("\"was\":\(index)}],\"lastResponseAt\":"))
        #expect(!text.contains("destination") && !text.contains("event: stop") && !text.contains("expiresAt"))
        page.board.change { $0.stops[0].departures = Array($0.stops[0].departures.dropFirst()) }
        #expect(try await client.text(until: "\n\n\r\n")?.contains("\"departures\":[1,") == true)
        page.board.change { state in
            state.stops[0].departures.append(all[others[0]])
        }
        #expect(try await client.text(until: "\n\n\r\n")?.contains("\"destination\":") == true)
        page.board.virtualClock.advance(by: .seconds(1))
        page.board.change { $0.stops[0].lastResponseAt = FakeBoard.moment + .seconds(90) }
        let confirmed = try #require(try await client.text(until: "\n\n\r\n"))
        #expect(confirmed.contains("event: departures") && !confirmed.contains("\"departures\":"))
    }

    @Test("begin with what changed since the page was loaded, and with the whole state where that is too long ago")
    func versions() async throws {
        let page = try await RunningPage()
        func version() async throws -> String {
            let html = try await page.request("GET", "/").text
            return try #require(html.firstMatch(of: /data-version="(\d+)"/).map { String($0.1) })
        }
        func first(after version: String) async throws -> String {
            let client = try RawClient(port: page.port)
            try await client.send("GET /v1/events?after=\(version) HTTP/1.1\r\nHost: 127.0.0.1:\(page.port)\r\n\r\n")
            page.board.change { $0.faults.display = "\($0.faults.display ?? "")+" }
            return try #require(try await client.text(until: "\n\n\r\n"))
        }
        let loaded = try await version()
        #expect(try await first(after: loaded).contains("event: faults\n"))
        page.board.virtualClock.advance(by: .seconds(1))
        #expect(try await first(after: loaded).contains("event: state\n"))
        #expect(try await first(after: "1").contains("event: state\n"))
        #expect(try await first(after: "soon").contains("event: state\n"))
    }

    @Test("are computed once a change, however many viewers there are")
    func viewers() async throws {
        let page = try await RunningPage()
        var clients: [RawClient] = []
        for _ in 0..<4 {
            clients.append(try await viewer(page))
            _ = try await clients.last?.text(until: "\n\n\r\n")
        }
        let before = page.board.calls.filter { $0 == "live" }.count
        page.board.change { $0.faults.display = "no response" }
        for client in clients { #expect(try await client.text(until: "no response") != nil) }
        #expect(page.board.calls.filter { $0 == "live" }.count == before + 1)
    }

    @Test("are awaited on the server's thread, and computed outside of it: that would delay all clients")
    func threads() async throws {
        let page = try await RunningPage()
        let clients = [try await viewer(page), try await viewer(page)]
        for client in clients { _ = try await client.text(until: "\n\n\r\n") }
        page.board.change { $0.faults.display = "no response" }
        for client in clients { #expect(try await client.text(until: "no response") != nil) }
        #expect(page.board.threads(of: "viewer") == ["control"])
        #expect(!page.board.threads(of: "live").contains("control"))
    }

    @Test("have the whole state where it becomes certain what the time is, and where its UTC offset changes")
    func certainty() async throws {
        let page = try await RunningPage()
        let client = try await viewer(page)
        _ = try await client.text(until: "\n\n\r\n")
        page.board.change { $0.timeSource = .disputed }
        let uncertain = try #require(try await client.text(until: "\n\n\r\n"))
        #expect(uncertain.contains("event: state\n") && uncertain.contains("\"timeSource\":\"disputed\""))
        page.board.change { $0.utcOffsetSeconds += 3_600 }
        #expect(try await client.text(until: "\n\n\r\n")?.contains("event: state\n") == true)
    }

    @Test("are none while only the time of the query changes")
    func time() async throws {
        let page = try await RunningPage()
        let client = try await viewer(page)
        _ = try await client.text(until: "\n\n\r\n")
        let later = FakeBoard.moment + .seconds(1)
        page.board.change { state in
            state.time = later
            for index in state.stops.indices { state.stops[index].time = later }
        }
        // Read, compared, and not sent: the next event is the first that is.
        #expect(await eventually { page.board.calls.filter { $0 == "live" }.count == 2 })
        page.board.change { $0.faults.display = "no response" }
        let next = try #require(try await client.text(until: "no response"))
        #expect(next.contains("event: faults") && !next.contains("event: stop"))
    }

    @Test("are at most four a second; the newest state is sent, and those between are not")
    func limit() async throws {
        let page = try await RunningPage()
        let client = try await viewer(page)
        _ = try await client.text(until: "\n\n\r\n")
        for number in 2...8 {
            page.board.change { $0.display.rows[0] = "change \(number)." }
            if number == 5 { #expect(await page.board.virtualClock.passSleep(of: .seconds(1))) }
            #expect(try await client.text(until: "change \(number).") != nil)
        }
        for number in 0..<200 { page.board.change { $0.display.rows[0] = "row \(number)." } }
        #expect(await page.board.virtualClock.passSleep(of: .seconds(1)))
        let text = try #require(try await client.text(until: "row 199."))
        #expect(text.split(separator: "event: display").count - 1 == 1)
    }

    @Test("go to eight viewers; the ninth gets an error that names polling")
    func ninth() async throws {
        let page = try await RunningPage()
        var viewers: [RawClient] = []
        for _ in 0..<8 {
            let client = try await viewer(page)
            #expect(try await client.head()?.status == 200)
            viewers.append(client)
        }
        let ninth = try await page.request("GET", "/v1/events")
        #expect(ninth.status == 503)
        #expect(ninth.text.contains("/v1/live"))
        #expect(try await page.request("GET", "/v1/live").status == 200)
        viewers.removeLast()
        #expect(
            await eventually {
                let client = try? await viewer(page)
                return (try? await client?.head()?.status) == 200
            })
    }

    @Test("end when their viewer may no longer look")
    func revoked() async throws {
        let page = try await RunningPage()
        let client = try await viewer(page)
        _ = try await client.text(until: "\n\n\r\n")
        page.set { $0.read = .paired }
        page.board.change { $0.display.rows[0] = "for paired devices" }
        #expect(try await client.text(until: "for paired devices") == nil)
    }

    @Test("end with the server")
    func end() async throws {
        let page = try await RunningPage()
        let client = try await viewer(page)
        #expect(try await client.head()?.status == 200)
        try await page.stop()
        try await client.drain()
    }
}

@Suite("The use of an endpoint by clients")
struct ClientUsageTests {
    private let one = Self.peer("192.168.1.5")
    private let other = Self.peer("192.168.1.6")

    private static func peer(_ address: String) -> Peer { IPAddress(address).map { .address($0) } ?? .process }

    private func usage(_ change: (inout ControlLimits) -> Void = { _ in }) -> ClientUsage {
        var limits = ControlLimits()
        limits.connectionsPerAddress = 2
        limits.rate = (perSecond: 1, burst: 3)
        change(&limits)
        return ClientUsage(limits)
    }

    @Test(
        "has a limit of connections for each address, and none for this machine", arguments: ["127.0.0.1", "::1", ""])
    func connections(here: String) {
        let usage = usage()
        #expect(usage.connect(one) && usage.connect(one))
        #expect(!usage.connect(one))
        #expect(usage.connect(other))
        usage.disconnect(one)
        #expect(usage.connect(one))
        #expect((0..<10).allSatisfy { _ in usage.connect(Self.peer(here)) })
    }

    @Test("has a limit of connections for all, also for this machine")
    func allConnections() {
        let usage = usage { $0.connections = 3 }
        #expect(usage.connect(one) && usage.connect(one) && usage.connect(.process))
        #expect(!usage.connect(other) && !usage.connect(.process))
        usage.disconnect(.process)
        #expect(usage.connect(other))
    }

    @Test("counts a /64 of IPv6, of which one machine may use each address, as two clients of IPv4")
    func networks() {
        let usage = usage()
        let peers = (1...5).map { Self.peer("2001:db8:1:2::\($0)") }
        #expect(peers.prefix(4).allSatisfy { usage.connect($0) })
        #expect(!usage.connect(peers[4]))
        #expect(peers.prefix(3).allSatisfy { usage.request(from: $0) == nil })
        #expect(usage.request(from: Self.peer("2001:db8:1:2:ffff::1")) == 1)
        #expect(usage.connect(Self.peer("2001:db8:1:3::1")))
    }

    @Test("has a limit of requests for each address, which a new connection does not reset")
    func requests() {
        let usage = usage()
        #expect(usage.connect(one))
        #expect((0..<3).allSatisfy { _ in usage.request(from: one) == nil })
        #expect(usage.request(from: one) == 1)
        usage.disconnect(one)
        #expect(usage.connect(one))
        #expect(usage.request(from: one) == 1)
        #expect(usage.request(from: other) == nil)
        #expect((0..<10).allSatisfy { _ in usage.request(from: .process) == nil })
    }

    @Test("has a limit of streams for each address and for all")
    func streams() {
        let usage = usage { ($0.streams, $0.streamsPerAddress) = (3, 2) }
        let third = Self.peer("192.168.1.7")
        #expect(usage.openStream(one) && usage.openStream(one))
        #expect(!usage.openStream(one))
        #expect(usage.openStream(other))
        #expect(!usage.openStream(third))
        usage.closeStream(one)
        #expect(usage.openStream(third))
    }
}
