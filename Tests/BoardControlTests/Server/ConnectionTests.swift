import BoardControl
import ServerTesting
import Testing
import Waiting

@Suite("A connection to the control socket", .endsHangs)
struct ConnectionTests {
    @Test("stays open for the next request")
    func keepAlive() async throws {
        let served = try await RunningServer()
        let client = try RawClient(served.path)
        for _ in 0..<3 {
            try await client.send("GET /v1/favourites HTTP/1.1\r\n\r\n")
            #expect(try await client.response()?.status == 200)
        }
    }

    @Test("without requests closes after the idle time")
    func idle() async throws {
        let served = try await RunningServer { $0.idle = .milliseconds(100) }
        let idle = try RawClient(served.path)
        #expect(try await idle.drain() == 0)
        // On a busy machine a client may send its request after the idle time.
        var used = idle
        try await until {
            guard let client = try? RawClient(served.path) else { return false }
            used = client
            _ = try? await used.send("GET /v1/favourites HTTP/1.1\r\n\r\n")
            return (try? await used.response()?.status) == 200
        }
        #expect(try await used.drain() == 0)
    }

    @Test("responds to pipelined requests in their order")
    func pipelined() async throws {
        let served = try await RunningServer()
        let client = try RawClient(served.path)
        let body = "{\"gesture\": \"hold\"}"
        try await client.send(
            "GET /v1/favourites HTTP/1.1\r\n\r\nGET /v1/nothing HTTP/1.1\r\n\r\nPOST /v1/press HTTP/1.1\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                + "GET /v1/directory HTTP/1.1\r\n\r\nrubbish\r\n\r\n")
        for status in [200, 404, 204, 200, 400] { #expect(try await client.response()?.status == status) }
        #expect(try await client.response() == nil)
        #expect(served.board.calls == ["favourites", "press hold 1", "directory"])
    }

    @Test("accepts a chunked body, and sends 100 to a client that expects it")
    func chunks() async throws {
        let served = try await RunningServer()
        let client = try RawClient(served.path)
        try await client.send(
            "POST /v1/press HTTP/1.1\r\nContent-Type: application/json; charset=utf-8\r\nTransfer-Encoding: chunked\r\n"
                + "Expect: 100-continue\r\n\r\n")
        #expect(try await client.response()?.status == 100)
        try await client.send("9\r\n{\"gesture\r\nc\r\n\": \"double\"}\r\n0\r\nTrailer: x\r\n\r\n")
        #expect(try await client.response()?.status == 204)
        #expect(served.board.calls == ["press double 1"])
    }

    @Test("that the client has half-closed still delivers the response")
    func halfClose() async throws {
        let board = FakeBoard(isSlow: true)
        let served = try await RunningServer(board)
        let client = try await RawClient.sending("POST /v1/refresh HTTP/1.1\r\n\r\n", to: served.path)
        client.closeWriting()
        try await until { board.calls.contains("refresh") }
        await served.servesOthers()
        board.resume()
        #expect(try await client.response()?.status == 204)
        #expect(try await client.response() == nil)
    }

    @Test("with HTTP/1.0 closes after the response")
    func oldVersion() async throws {
        let served = try await RunningServer()
        let client = try await RawClient.sending("GET /v1/favourites HTTP/1.0\r\n\r\n", to: served.path)
        let response = try #require(try await client.response())
        #expect(response.status == 200)
        #expect(response.header("connection") == "close")
        #expect(try await client.response() == nil)
    }

    @Test("with an upgrade request gets a normal response, and closes")
    func upgrade() async throws {
        let served = try await RunningServer()
        let client = try await RawClient.sending(
            "GET /v1/favourites HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n", to: served.path)
        #expect(try await client.response()?.status == 200)
        #expect(try await client.response() == nil)
    }

    @Test("beyond the limit gets 503 and is closed; the others continue")
    func full() async throws {
        let served = try await RunningServer { $0.connections = 3 }
        var clients: [RawClient] = []
        for _ in 0..<3 {
            let client = try await RawClient.sending("GET /v1/favourites HTTP/1.1\r\n\r\n", to: served.path)
            #expect(try await client.response()?.status == 200)
            clients.append(client)
        }
        let more = try RawClient(served.path)
        let rejected = try #require(try await more.response())
        #expect(rejected.status == 503)
        #expect(
            rejected.text
                == #"{"error":{"candidates":[],"faults":[],"kind":"unavailable","message":"too many connections are open already; try again later"}}"#
        )
        #expect(try await more.response() == nil)
        for client in clients {
            try await client.send("GET /v1/favourites HTTP/1.1\r\n\r\n")
            #expect(try await client.response()?.status == 200)
        }
        clients.removeAll()
        try await until { (try? await served.client.favourites()) != nil }
    }

    @Test("with a slow action delays no other")
    func slowAction() async throws {
        let board = FakeBoard(isSlow: true)
        let served = try await RunningServer(board)
        let slow = try (0..<8).map { _ in try RawClient(served.path) }
        for client in slow { try await client.send("POST /v1/refresh HTTP/1.1\r\n\r\n") }
        try await until { board.calls.filter { $0 == "refresh" }.count == 8 }
        await served.servesOthers()
        board.resume()
        for client in slow { #expect(try await client.response()?.status == 204) }
    }

    @Test("with events has a comment whenever there was none for a while, and closes when its client sends no more")
    func quietEvents() async throws {
        let served = try await RunningServer { $0.keepAlive = .milliseconds(20) }
        let client = try await RawClient.sending("GET /v1/events HTTP/1.1\r\n\r\n", to: served.path)
        let comment = "3\r\n:\n\n\r\n"
        #expect(try await client.text(until: comment + comment) != nil)
        client.closeWriting()
        try await client.drain()
    }

    @Test("whose action does not end gets 503")
    func endlessAction() async throws {
        let served = try await RunningServer(FakeBoard(isSlow: true)) { $0.action = .milliseconds(50) }
        let response = try await request(served, "POST", "/v1/refresh")
        #expect(response.status == 503)
        try await until { served.board.calls.contains("refresh cancelled") }
    }
}
