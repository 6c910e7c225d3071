import BoardControl
import BoardService
import ServerTesting
import Testing
import Waiting

@Suite("A process with a control socket", .endsHangs)
struct ProcessTests {
    @Test("that runs out of descriptors only delays connections")
    func descriptors() async throws {
        let probe = try Probe(descriptors: 16)
        try #require(await probe.logs(": listening"))
        var clients: [RawClient] = []
        // Each is accepted while there are descriptors; the others wait in the queue.
        for _ in 0..<14 { clients.append(try RawClient(probe.path)) }
        #expect(await probe.logs("control socket \(probe.path): cannot accept connections"))
        // A connection that was accepted before still gets a response.
        let first = try #require(clients.first)
        try await first.send("GET /v1/favourites HTTP/1.1\r\n\r\n")
        #expect(try await first.response()?.status == 200)
        clients.removeAll()
        #expect(try await RemoteBoardService(path: probe.path, timeout: Patience.endless).favourites().isEmpty)
        #expect(await probe.logs("control socket \(probe.path): accepting connections again"))
        let lines = probe.output.split(separator: "\n")
        #expect(zip(lines, lines.dropFirst()).allSatisfy { $0 != $1 }, "no line is repeated: \(probe.output)")
    }

    @Test("that ends with running actions ignores their results, however late")
    func lateActions() async throws {
        let probe = try Probe(["end"])
        try #require(await probe.logs(": listening"))
        var clients: [RawClient] = []
        for _ in 0..<12 {
            let client = try await RawClient.sending("GET /v1/favourites HTTP/1.1\r\n\r\n", to: probe.path)
            clients.append(client)
        }
        #expect(await probe.logs("every action is over"))
        #expect(!probe.output.contains("EventLoop"), "\(probe.output)")
    }

    @Test("does not wake without connections")
    func idle() async throws {
        let probe = try Probe(descriptors: 256)
        try #require(await probe.logs(": listening"))
        let client = RemoteBoardService(path: probe.path, timeout: Patience.endless)
        for _ in 0..<3 { #expect(try await client.favourites().isEmpty) }
        // The end of the last connection may cause a few wake-ups; a timer would cause them for ever.
        var isAsleep = false
        for _ in 0..<100 where !isAsleep {
            let before = try #require(try probe.sleeps(ofThread: "control"))
            // A thread that does not wake makes no event to wait for.
            try await Task.sleep(for: .seconds(3))
            isAsleep = try probe.sleeps(ofThread: "control") == before
        }
        #expect(isAsleep)
    }
}
