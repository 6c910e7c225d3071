import BoardCore
import CCurl
import LoopbackServer
import Testing
import Waiting

@testable import BoardFeeds

@Suite("HTTP over libcurl, against a server on loopback", .endsHangs)
struct CurlTransportTests {
    private let transport = CurlTransport(userAgent: "boardd/0 (+https://example.org)", clock: VirtualClock())

    private func request(
        _ server: LoopbackServer, _ path: String = "/", limit: Int = 100_000, timeout: Duration = Patience.endless
    ) throws -> HTTPRequest {
        HTTPRequest(
            try #require(HTTPURL(server.url(path))), secrets: [("app_key", Secret("s3cret&key"))], limit: limit,
            timeout: timeout)
    }

    private func failure(_ request: HTTPRequest) async -> HTTPError? {
        await #expect(throws: HTTPError.self) { _ = try await transport.get(request) }
    }

    @Test("status, headers, date and body arrive as sent, and the server receives the request as made")
    func plain() async throws {
        let server = try LoopbackServer { _ in
            [.reply(200, ["Date: Mon, 02 Mar 2026 08:00:01 GMT", "X-Odd:  two  "], text: "[]")]
        }
        defer { server.stop() }
        let (response, body) = try await transport.get(request(server, "/StopPoint/1?a=b"))
        #expect(response.status == 200)
        #expect(response["x-ODD"] == "two")
        #expect(response.date == Timestamp(rfc3339: "2026-03-02T08:00:01Z"))
        #expect(body == Array("[]".utf8))
        let head = try #require(server.record.requests.first)
        #expect(head.hasPrefix("GET /StopPoint/1?a=b&app_key=s3cret%26key HTTP/1.1\r\n"))
        #expect(head.contains("User-Agent: boardd/0 (+https://example.org)\r\n"))
        #expect(head.contains("gzip"))
    }

    @Test("any status is a response, with its body", arguments: [204, 301, 400, 401, 403, 404, 429, 500, 503])
    func statuses(status: Int) async throws {
        let server = try LoopbackServer { _ in
            [.reply(status, ["Location: https://example.org/elsewhere"], text: status == 204 ? "" : "why")]
        }
        defer { server.stop() }
        let (response, body) = try await transport.get(request(server))
        #expect(response.status == status)
        #expect(body == Array((status == 204 ? "" : "why").utf8))
        #expect(server.record.requests.count == 1)
    }

    @Test("a slow body in parts and a chunked body arrive completely")
    func pieces() async throws {
        let server = try LoopbackServer { head in
            if head.contains("/slow") {
                return [.send(LoopbackServer.Step.head(200, ["Content-Length: 6"])), .send("abc"), .wait, .send("def")]
            }
            return [
                .send(LoopbackServer.Step.head(200, ["Transfer-Encoding: chunked"])), .send("3\r\nabc\r\n"),
                .send("3\r\ndef\r\n0\r\n\r\n"),
            ]
        }
        defer { server.stop() }
        async let slow = transport.get(request(server, "/slow"))
        let chunked = try await transport.get(request(server, "/chunked")).body
        server.resume()
        #expect(chunked == Array("abcdef".utf8))
        #expect(try await slow.body == Array("abcdef".utf8))
    }

    @Test("all polls share one connection")
    func keepAlive() async throws {
        let server = try LoopbackServer { _ in [.reply(text: "[]")] }
        defer { server.stop() }
        for _ in 0..<5 { _ = try await transport.get(request(server)) }
        #expect(server.record.requests.count == 5)
        #expect(server.record.connections == 1)
    }

    @Test("the number of simultaneous transfers is limited, and queued transfers run later")
    func concurrency() async throws {
        let server = try LoopbackServer { _ in [.wait, .reply(text: "[]")] }
        defer { server.stop() }
        let transport = CurlTransport(userAgent: "test", clock: VirtualClock(), concurrency: 2)
        let request = try request(server)
        try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 0..<8 { group.addTask { try await transport.get(request).response.status } }
            #expect(await eventually { server.record.atOnce == 2 })
            server.resume()
            for try await status in group { #expect(status == 200) }
        }
        #expect(server.record.requests.count == 8)
        #expect(server.record.mostAtOnce == 2)
    }

    @Test("gzip is decoded")
    func gzip() async throws {
        let packed = try Fixtures.own("arrivals_bus.json.gz")
        let server = try LoopbackServer { _ in [.reply(200, ["Content-Encoding: gzip"], body: packed)] }
        defer { server.stop() }
        #expect(try await transport.get(request(server)).body == Fixtures.own("arrivals_bus.json"))
    }

    @Test("invalid gzip is a failure; truncated gzip yields only the bytes before the cut")
    func brokenGzip() async throws {
        let packed = try Fixtures.own("arrivals_bus.json.gz")
        let whole = try Fixtures.own("arrivals_bus.json")
        let server = try LoopbackServer { head in
            let body = head.contains("/cut") ? Array(packed.prefix(packed.count / 2)) : Array("no gzip".utf8)
            return [.reply(200, ["Content-Encoding: gzip"], body: body)]
        }
        defer { server.stop() }
        #expect(await failure(try request(server, "/none"))?.kind == .unusable)
        // libcurl 7.88 ignores the missing end; the text is then truncated, which its decoder detects.
        let cut = try request(server, "/cut")
        do throws(HTTPError) {
            let body = try await transport.get(cut).body
            #expect(body.count < whole.count && whole.starts(with: body))
        } catch {
            #expect(error.kind == .unusable)
        }
    }

    @Test("a body that exceeds the limit when decompressed is cut off there")
    func bomb() async throws {
        let bomb = try Fixtures.own("bomb.json.gz")
        let server = try LoopbackServer { _ in [.reply(200, ["Content-Encoding: gzip"], body: bomb)] }
        defer { server.stop() }
        let taken = CollectedBody()
        var kind: HTTPError.Kind?
        let request = try request(server)
        do throws(HTTPError) {
            _ = try await transport.get(request, body: taken.append)
        } catch {
            kind = error.kind
        }
        #expect(kind == .unusable)
        #expect(taken.bytes.count <= 100_000)
    }

    @Test("a body of 50 MB costs neither memory nor time, with or without a Content-Length")
    func fiftyMegabytes() async throws {
        let piece = [UInt8](repeating: 0x20, count: 50_000)
        let server = try LoopbackServer { head in
            let length = head.contains("/sized") ? ["Content-Length: 50000000"] : []
            return [.send(LoopbackServer.Step.head(200, length)), .flood(piece, times: 1_000), .close]
        }
        defer { server.stop() }
        for (path, isStarted) in [("/sized", false), ("/chunked", true)] {
            let taken = CollectedBody()
            let request = try request(server, path)
            let failure = await #expect(throws: HTTPError.self) {
                _ = try await transport.get(request, body: taken.append)
            }
            #expect(failure?.kind == .unusable)
            #expect(failure?.response?.status == 200)
            #expect(taken.bytes.isEmpty == !isStarted)
        }
        // Unread socket buffers take some megabytes.
        #expect(server.record.bytesSent < 25_000_000)
    }

    @Test("a server that accepts a connection and never responds times out")
    func silence() async throws {
        let server = try LoopbackServer { _ in [.wait] }
        defer { server.stop() }
        #expect(await failure(try request(server, timeout: .milliseconds(50)))?.kind == .timedOut)
    }

    @Test("a stalled body times out long before the request's own time-out")
    func stalled() async throws {
        let server = try LoopbackServer { _ in
            [.send(LoopbackServer.Step.head(200, ["Content-Length: 1000000"])), .send("PK"), .wait]
        }
        defer { server.stop() }
        let url = try #require(HTTPURL(server.url()))
        let request = HTTPRequest(url, limit: 1_000_000, timeout: .seconds(40), stalledAfter: .seconds(1))
        let stalled = try #require(await failure(request))
        #expect(stalled.kind == .timedOut)
        #expect(stalled.detail.contains("too slow"), "\(stalled)")
    }

    @Test("an address that accepts no connection times out, and is not reported as unresolved")
    func unconnected() async throws {
        let host = try UnresponsiveHost()
        defer { host.stop() }
        let url = try #require(HTTPURL("http://127.0.0.1:\(host.port)/"))
        let request = HTTPRequest(url, limit: 1, connectTimeout: .milliseconds(50), timeout: .seconds(20))
        let unresponsive = try #require(await failure(request))
        #expect(unresponsive.kind == .timedOut)
        // libcurl's message has the time: the connection time-out ended it, not that of the whole request.
        let waited = unresponsive.detail.split(separator: " after ").last?.split(separator: " ").first.flatMap {
            Int($0)
        }
        #expect(try #require(waited, "\(unresponsive)") < 20_000)
        #expect(FeedError(unresponsive).kind == .timedOut)
    }

    @Test("a time-out before the name is resolved is reported as unresolved")
    func unresolved() throws {
        // A transfer that never got as far as an address; name servers cannot be blocked for one process.
        let handle = try #require(CurlHandle())
        defer { handle.free() }
        let kind = unsafe HTTPError.Kind(CURLE_OPERATION_TIMEDOUT, of: handle.easy)
        #expect(kind == .noNetwork)
        let url = try #require(HTTPURL("https://api.tfl.gov.uk/"))
        #expect(FeedError(HTTPError(kind, of: url, detail: "")).kind == .noNetwork)
    }

    @Test("a rejected connection, a closed one, a short body and a response that is not HTTP are distinguished")
    func broken() async throws {
        let server = try LoopbackServer { head in
            if head.contains("/closed") { return [.close] }
            if head.contains("/short") {
                return [.send(LoopbackServer.Step.head(200, ["Content-Length: 10"])), .send("four"), .close]
            }
            return [.send("SSH-2.0-OpenSSH\r\n\r\n"), .close]
        }
        defer { server.stop() }
        #expect(await failure(try request(server, "/closed"))?.kind == .truncated)
        let short = await failure(try request(server, "/short"))
        #expect(short?.kind == .truncated)
        #expect(short?.response?.status == 200)
        #expect(await failure(try request(server, "/ssh"))?.kind == .truncated)

        let gone = try LoopbackServer { _ in [] }
        gone.stop()
        let rejected = try #require(await failure(try request(gone)))
        #expect(rejected.kind == .timedOut)
        #expect(FeedError(rejected).kind == .timedOut)
    }

    @Test("a cancelled task ends its transfer at once, running or queued, and the next request works")
    func cancellation() async throws {
        let server = try LoopbackServer { head in head.contains("/hang") ? [.wait] : [.reply(text: "[]")] }
        defer { server.stop() }
        let transport = CurlTransport(userAgent: "test", clock: VirtualClock(), concurrency: 1)
        let hanging = try request(server, "/hang", timeout: Patience.endless)
        let tasks = (0..<3).map { _ in
            Task { () -> HTTPError.Kind? in
                do throws(HTTPError) {
                    _ = try await transport.get(hanging)
                    return nil
                } catch {
                    return error.kind
                }
            }
        }
        #expect(await eventually { !server.record.requests.isEmpty })
        for task in tasks { task.cancel() }
        for task in tasks { #expect(await task.value == .cancelled) }
        #expect(try await transport.get(request(server)).response.status == 200)
    }

    @Test(
        "http to another host than loopback fails without a request",
        arguments: [
            "http://192.0.2.1/", "http://api.tfl.gov.uk/", "http://127.1/", "http://127.0.0.1.example.org/",
            "http://[2001:db8::1]/",
        ])
    func plainHTTP(address: String) async throws {
        let url = try #require(HTTPURL(address))
        #expect(await failure(HTTPRequest(url, limit: 1))?.kind == .unusable)
    }

    @Test("a body sink that throws ends the transfer")
    func thrower() async throws {
        struct Enough: Error {}
        let server = try LoopbackServer { _ in [.reply(text: "[]")] }
        defer { server.stop() }
        var kind: HTTPError.Kind?
        let request = try request(server)
        do throws(HTTPError) {
            _ = try await transport.get(request) { _ in throw Enough() }
        } catch {
            kind = error.kind
        }
        #expect(kind == .unusable)
    }

    @Test("no failure, request or response prints the key")
    func secrecy() async throws {
        let server = try LoopbackServer { head in head.contains("/closed") ? [.close] : [.wait] }
        defer { server.stop() }
        var printed = ""
        for path in ["/closed", "/hang"] {
            let request = try request(server, path, timeout: .milliseconds(50))
            dump(request, to: &printed)
            print(request, await failure(request) as Any, to: &printed)
            dump(await failure(request), to: &printed)
        }
        #expect(!printed.contains("s3cret"))
        #expect(printed.contains("/closed"))
    }
}
