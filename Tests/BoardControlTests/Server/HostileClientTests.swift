import BoardControl
import ServerTesting
import Testing
import Waiting

@Suite("A client that is broken or hostile", .endsHangs)
struct HostileClientTests {
    /// A server with short limits.
    private func impatient() async throws -> RunningServer {
        try await RunningServer { limits in
            limits.request = .milliseconds(400)
            limits.response = .milliseconds(400)
            limits.linger = .milliseconds(400)
        }
    }

    @Test(
        "that never finishes its request gets 408 and is disconnected",
        arguments: [
            "G", "GET /v1/fav", "GET /v1/favourites HTTP/1.1\r\n",
            "GET /v1/favourites HTTP/1.1\r\nHost: x\r\nX-Long: aaa",
            "POST /v1/press HTTP/1.1\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{\"gest",
            "POST /v1/press HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"ges\r\n", "\r\n\r\n\r\n",
        ])
    func unfinished(start: String) async throws {
        let served = try await impatient()
        let client = try await RawClient.sending(start, to: served.path)
        await served.servesOthers()
        #expect(try await client.response()?.status == 408)
        #expect(try await client.response() == nil)
    }

    @Test("that trickles is disconnected too, however steadily")
    func drip() async throws {
        let served = try await RunningServer { limits in
            (limits.request, limits.linger) = (.milliseconds(400), .milliseconds(400))
            // The time ends the request, however many bytes come in it.
            limits.headers = .max
        }
        let client = try await RawClient.sending("GET / HTTP/1.1\r\nX: ", to: served.path)
        let dripping = Task {
            // Each byte comes after a response to another client.
            for _ in 0..<20_000 {
                guard try await client.send("a") else { return true }
                await served.servesOthers()
            }
            return false
        }
        #expect(try await client.response()?.status == 408)
        #expect(try await dripping.value, "the connection ends")
    }

    @Test(
        "that sends 10 MB gets 413 before the server has read everything",
        arguments: [
            "Content-Length: 10000000\r\n", "Content-Length: 10000000\r\nExpect: 100-continue\r\n",
            "Transfer-Encoding: chunked\r\n",
        ])
    func longBody(header: String) async throws {
        let served = try await RunningServer()
        let client = try await RawClient.sending(
            "POST /v1/press HTTP/1.1\r\nContent-Type: application/json\r\n\(header)\r\n", to: served.path)
        let part = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000)
        let sending = Task {
            for _ in 0..<100 {
                let piece = header.contains("chunked") ? Array("186A0\r\n".utf8) + part + Array("\r\n".utf8) : part
                guard try await client.send(piece) else { return }
            }
        }
        await served.servesOthers()
        #expect(try await client.response()?.status == 413)
        try await sending.value
        #expect(served.board.calls.allSatisfy { $0 == "favourites" })
    }

    @Test("that sends 10 MB of headers gets 431", arguments: ["one", "many"])
    func longHeaders(how: String) async throws {
        let line = "X: " + (how == "one" ? String(repeating: "a", count: 10_000_000) : "a") + "\r\n"
        let headers = String(repeating: line, count: how == "one" ? 1 : 1_700_000)
        let served = try await RunningServer()
        let client = try RawClient(served.path)
        let sending = Task { try await client.send("GET /v1/favourites HTTP/1.1\r\n" + headers + "\r\n\r\n") }
        await served.servesOthers()
        #expect(try await client.response()?.status == 431)
        _ = try await sending.value
    }

    @Test("that sends a request line of 10 MB gets 431")
    func longAddress() async throws {
        let served = try await RunningServer()
        let client = try RawClient(served.path)
        let sending = Task { try await client.send("GET /" + String(repeating: "a", count: 10_000_000)) }
        await served.servesOthers()
        #expect(try await client.response()?.status == 431)
        _ = try await sending.value
    }

    @Test(
        "that does not speak HTTP/1 gets an error response",
        arguments: [
            ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n", [400, 505]), ("GET /v1/state HTTP/3.7\r\n\r\n", [400, 505]),
            ("\u{16}\u{3}\u{1}\u{2}\0\u{1}\0", [400]), ("hello\r\n\r\n", [400]),
            ("GET /v1/state HTTP/1.1\r\nContent-Length: -5\r\n\r\n", [400]),
            ("GET /v1/state HTTP/1.1\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\n", [400]),
            ("GET /v1/state HTTP/1.1\r\nContent-Length: 99999999999999999999\r\n\r\n", [400]),
            ("POST /v1/press HTTP/1.1\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n", [400]),
        ])
    func noise(text: String, statuses: [Int]) async throws {
        let served = try await RunningServer()
        let client = try await RawClient.sending(text, to: served.path)
        await served.servesOthers()
        let response = try #require(try await client.response())
        #expect(statuses.contains(response.status))
        #expect(response.text.hasPrefix("{\"error\":"))
        #expect(try await client.response() == nil)
    }

    @Test("that sends noise, of any seed, ends the connection and nothing else", arguments: 0..<40)
    func randomNoise(seed: Int) async throws {
        let served = try await RunningServer()
        let client = try RawClient(served.path)
        var state = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 &+ 1
        let bytes = (0..<4_096).map { _ -> UInt8 in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 40)
        }
        try await client.send(bytes)
        client.closeWriting()
        try await client.drain()
        await served.servesOthers()
    }

    @Test("that never reads its responses is disconnected, and few of them are buffered")
    func neverReads() async throws {
        let served = try await impatient()
        let client = try RawClient(served.path)
        let request = Array("GET /v1/stops?query=oxford&limit=100 HTTP/1.1\r\n\r\n".utf8)
        let all = Array(repeating: request, count: 20_000).flatMap { $0 }
        #expect(try await client.send(all) == false, "the server closes while requests are still being sent")
        await served.servesOthers()
        // A socket buffers some hundred kB, a response has 30.
        #expect(served.board.calls.count < 200)
    }

    @Test("that disconnects in the middle affects no other", arguments: [0, 1, 10, 40, 80])
    func goesAway(count: Int) async throws {
        let served = try await RunningServer()
        let request = Array(
            "GET /v1/stops?query=oxford&limit=100 HTTP/1.1\r\nHost: localhost\r\nX: \(count)\r\n\r\n".utf8)
        // Fewer than may be connected: one counts until its action has ended.
        for _ in 0..<ControlLimits().connections / 2 {
            let client = try RawClient(served.path)
            try await client.send(Array(request.prefix(count)))
        }
        await served.servesOthers()
    }

    @Test("that disconnects before its response has its action cancelled")
    func cancels() async throws {
        let board = FakeBoard(isSlow: true)
        let served = try await RunningServer(board)
        do {
            let client = try RawClient(served.path)
            try await client.send("POST /v1/refresh HTTP/1.1\r\n\r\n")
            try await until { board.calls.contains("refresh") }
        }
        try await until { board.calls.contains("refresh cancelled") }
        await served.servesOthers()
    }

    @Test("that disconnects right after its request leaves no connection behind")
    func disconnectsAtOnce() async throws {
        let served = try await RunningServer(FakeBoard(isSlow: true)) { $0.connections = 2 }
        for _ in 0..<50 { try await RawClient(served.path).send("POST /v1/refresh HTTP/1.1\r\n\r\n") }
        try await until { (try? await served.client.favourites()) != nil }
    }

    @Test("that disconnects again and again has no more actions running than connections are allowed")
    func abandons() async throws {
        let board = FakeBoard(isSlow: true, isDeaf: true)
        let served = try await RunningServer(board) { $0.connections = 4 }
        for count in 1...4 {
            do {
                let client = try RawClient(served.path)
                try await client.send("POST /v1/refresh HTTP/1.1\r\n\r\n")
                try await until { board.calls.count { $0 == "refresh" } == count }
            }
            try await until { board.calls.count { $0 == "refresh abandoned" } == count }
        }
        #expect(try await RawClient(served.path).response()?.status == 503)
        board.resume()
        try await until { (try? await served.client.favourites()) != nil }
    }

    @Test("with a hundred connections at once gets a response or an error on each")
    func hundred() async throws {
        let served = try await RunningServer { $0.connections = 16 }
        let statuses = try await withThrowingTaskGroup(of: Int?.self) { group in
            for _ in 0..<100 {
                group.addTask {
                    let client = try await RawClient.sending(
                        "GET /v1/favourites HTTP/1.1\r\nConnection: close\r\n\r\n", to: served.path)
                    return try await client.response()?.status
                }
            }
            return try await group.reduce(into: [Int: Int]()) { $0[$1 ?? 0, default: 0] += 1 }
        }
        #expect(Set(statuses.keys).isSubset(of: [0, 200, 503]))
        #expect((statuses[200] ?? 0) >= 16)
        await served.servesOthers()
    }
}
