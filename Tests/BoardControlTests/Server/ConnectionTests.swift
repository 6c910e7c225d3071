import BoardControl
import Testing
import Waiting

@Suite("A connection to the control socket", .endsHangs)
struct ConnectionTests {
    @Test("is kept for the next request")
    func keepAlive() async throws {
        let served = try await Served()
        let client = try RawClient(served.path)
        for _ in 0..<3 {
            try await client.send("GET /v1/favourites HTTP/1.1\r\n\r\n")
            #expect(try await client.answer()?.status == 200)
        }
    }

    @Test("on which nothing is asked ends by itself")
    func idle() async throws {
        let served = try await Served { $0.idle = .milliseconds(100) }
        let silent = try RawClient(served.path)
        #expect(try await silent.drain() == 0)
        let used = try RawClient(served.path)
        try await used.send("GET /v1/favourites HTTP/1.1\r\n\r\n")
        #expect(try await used.answer()?.status == 200)
        #expect(try await used.drain() == 0)
    }

    @Test("answers requests that come in one go, in their order")
    func pipelined() async throws {
        let served = try await Served()
        let client = try RawClient(served.path)
        let body = "{\"gesture\": \"hold\"}"
        try await client.send(
            "GET /v1/favourites HTTP/1.1\r\n\r\nGET /v1/nothing HTTP/1.1\r\n\r\nPOST /v1/press HTTP/1.1\r\n"
                + "Content-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
                + "GET /v1/directory HTTP/1.1\r\n\r\nrubbish\r\n\r\n")
        for status in [200, 404, 204, 200, 400] { #expect(try await client.answer()?.status == status) }
        #expect(try await client.answer() == nil)
        #expect(served.board.calls == ["favourites", "press hold 0", "directory"])
    }

    @Test("takes a body in chunks, and says 100 to a client that waits for it")
    func chunks() async throws {
        let served = try await Served()
        let client = try RawClient(served.path)
        try await client.send(
            "POST /v1/press HTTP/1.1\r\nContent-Type: application/json; charset=utf-8\r\nTransfer-Encoding: chunked\r\n"
                + "Expect: 100-continue\r\n\r\n")
        #expect(try await client.answer()?.status == 100)
        try await client.send("9\r\n{\"gesture\r\nc\r\n\": \"double\"}\r\n0\r\nTrailer: x\r\n\r\n")
        #expect(try await client.answer()?.status == 204)
        #expect(served.board.calls == ["press double 0"])
    }

    @Test("that the client has closed on its side still brings the answer")
    func halfClose() async throws {
        let board = FakeBoard(isSlow: true)
        let served = try await Served(board)
        let client = try RawClient(served.path)
        try await client.send("POST /v1/refresh HTTP/1.1\r\n\r\n")
        client.closeWriting()
        try await until { board.calls.contains("refresh") }
        await served.answersOthers()
        board.goOn()
        #expect(try await client.answer()?.status == 204)
        #expect(try await client.answer() == nil)
    }

    @Test("of HTTP/1.0 ends with the answer")
    func oldVersion() async throws {
        let served = try await Served()
        let client = try RawClient(served.path)
        try await client.send("GET /v1/favourites HTTP/1.0\r\n\r\n")
        let answer = try #require(try await client.answer())
        #expect(answer.status == 200)
        #expect(answer.header("connection") == "close")
        #expect(try await client.answer() == nil)
    }

    @Test("that asks for an upgrade gets the answer without one, and ends")
    func upgrade() async throws {
        let served = try await Served()
        let client = try RawClient(served.path)
        try await client.send("GET /v1/favourites HTTP/1.1\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n")
        #expect(try await client.answer()?.status == 200)
        #expect(try await client.answer() == nil)
    }

    @Test("one too many is told so and closed; the others go on")
    func full() async throws {
        let served = try await Served { $0.connections = 3 }
        var clients: [RawClient] = []
        for _ in 0..<3 {
            let client = try RawClient(served.path)
            try await client.send("GET /v1/favourites HTTP/1.1\r\n\r\n")
            #expect(try await client.answer()?.status == 200)
            clients.append(client)
        }
        let more = try RawClient(served.path)
        let refusal = try #require(try await more.answer())
        #expect(refusal.status == 503)
        #expect(
            refusal.text == #"{"error":{"candidates":[],"message":"3 connections are open already; try again later"}}"#)
        #expect(try await more.answer() == nil)
        for client in clients {
            try await client.send("GET /v1/favourites HTTP/1.1\r\n\r\n")
            #expect(try await client.answer()?.status == 200)
        }
        clients.removeAll()
        try await until { (try? await served.client.favourites()) != nil }
    }

    @Test("whose action is slow holds up nobody else")
    func slowAction() async throws {
        let board = FakeBoard(isSlow: true)
        let served = try await Served(board)
        let slow = try (0..<8).map { _ in try RawClient(served.path) }
        for client in slow { try await client.send("POST /v1/refresh HTTP/1.1\r\n\r\n") }
        try await until { board.calls.filter { $0 == "refresh" }.count == 8 }
        await served.answersOthers()
        board.goOn()
        for client in slow { #expect(try await client.answer()?.status == 204) }
    }

    @Test("whose action does not end is told so")
    func endlessAction() async throws {
        let served = try await Served(FakeBoard(isSlow: true)) { $0.action = .milliseconds(50) }
        let answer = try await ask(served, "POST", "/v1/refresh")
        #expect(answer.status == 503)
        try await until { served.board.calls.contains("refresh cancelled") }
    }
}
