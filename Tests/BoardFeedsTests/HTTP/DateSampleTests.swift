import BoardCore
import LoopbackServer
import Synchronization
import Testing
import Waiting

@testable import BoardFeeds

@Suite("The Date of a response, against a server on loopback", .endsHangs)
struct DateSampleTests {
    private static let date = "Date: Mon, 02 Mar 2026 08:00:01 GMT"

    private let clock = VirtualClock()

    private func head(_ status: Int = 200, _ headers: String...) -> LoopbackServer.Step {
        .send(LoopbackServer.Step.head(status, headers))
    }

    /// Fetches a response, and the reported samples of the server's clock.
    ///
    /// - Parameter body: receives each part of the body.
    private func samples(
        _ server: LoopbackServer, body: @escaping @Sendable () -> Void = {}
    ) async throws -> [DateSample] {
        let samples = Mutex<[DateSample]>([])
        let transport = DateSamplingTransport(wrapping: CurlTransport(userAgent: "test", clock: clock)) { sample in
            samples.withLock { $0.append(sample) }
        }
        let request = HTTPRequest(try #require(HTTPURL(server.url())), limit: 100_000, timeout: .seconds(50))
        do throws(HTTPError) {
            _ = try await transport.get(request) { _ in body() }
        } catch {
            #expect(error.kind == .truncated)
        }
        return samples.withLock { $0 }
    }

    @Test("is paired with the arrival of its header line, not of the last byte")
    func drip() async throws {
        let server = try LoopbackServer { _ in
            [head(200, Self.date, "Content-Length: 2"), .send("a"), .wait, .send("b")]
        }
        defer { server.stop() }
        clock.go(to: .seconds(100))
        let reported = try await samples(server) { [clock] in
            clock.go(to: .seconds(120))
            server.resume()
        }
        let sample = try #require(reported.first)
        #expect(sample.date == Timestamp(rfc3339: "2026-03-02T08:00:01Z"))
        #expect(sample.received == Instant(microseconds: 100_000_000))
        #expect(sample.host == "127.0.0.1:\(server.port)")
    }

    @Test("contains the duration of the request until then")
    func slow() async throws {
        let server = try LoopbackServer { [clock] _ in
            clock.go(to: .seconds(4))
            return [.reply(200, [Self.date], text: "[]")]
        }
        defer { server.stop() }
        let sample = try #require(try await samples(server).first)
        #expect(sample.received - sample.requested == .seconds(4))
    }

    @Test("is reported for an error status, and for a truncated body")
    func failures() async throws {
        for status in [200, 503] {
            let server = try LoopbackServer { _ in
                [head(status, Self.date, "Content-Length: 9"), .send("short"), .close]
            }
            defer { server.stop() }
            #expect(try await samples(server).count == 1)
        }
    }

    @Test("is that of the response itself: an interim response and a trailer are ignored")
    func interim() async throws {
        let server = try LoopbackServer { _ in
            [
                head(103, "Date: Mon, 02 Mar 2020 08:00:01 GMT"), head(200, Self.date, "Transfer-Encoding: chunked"),
                .send("2\r\n[]\r\n0\r\nDate: Mon, 02 Mar 2020 08:00:01 GMT\r\n\r\n"),
            ]
        }
        defer { server.stop() }
        #expect(try await samples(server).map(\.date) == [#require(Timestamp(rfc3339: "2026-03-02T08:00:01Z"))])
        let bare = try LoopbackServer { _ in
            [
                head(103, Self.date), head(200, "Transfer-Encoding: chunked"),
                .send("2\r\n[]\r\n0\r\n\(Self.date)\r\n\r\n"),
            ]
        }
        defer { bare.stop() }
        #expect(try await samples(bare).isEmpty)
    }

    @Test(
        "is read after a header that continues on a second line, and after one without a name",
        arguments: [" b", ": b"])
    func afterOddLine(_ line: String) async throws {
        let server = try LoopbackServer { _ in [.reply(200, ["X-Note: a", line, Self.date], text: "[]")] }
        defer { server.stop() }
        #expect(try await samples(server).count == 1)
    }

    @Test(
        "is ignored if a cache on the way sent a response of some age",
        arguments: ["1", "86400", "?"])
    func cached(age: String) async throws {
        let server = try LoopbackServer { _ in [.reply(200, [Self.date, "Age: \(age)"], text: "[]")] }
        defer { server.stop() }
        #expect(try await samples(server).isEmpty)
        let fresh = try LoopbackServer { _ in [.reply(200, [Self.date, "Age: 0"], text: "[]")] }
        defer { fresh.stop() }
        #expect(try await samples(fresh).count == 1)
    }

    @Test("is ignored if a server on loopback has this machine's clock, also after a slow body")
    func ownClock() async throws {
        let server = try LoopbackServer { _ in
            [head(200, Self.date, "Content-Length: 2"), .send("a"), .wait, .send("b")]
        }
        defer { server.stop() }
        let date = try #require(Timestamp(rfc3339: "2026-03-02T08:00:01Z"))
        clock.set(date + .milliseconds(900))
        let own = try await samples(server) { [clock] in
            clock.go(to: .seconds(30))
            server.resume()
        }
        #expect(own.isEmpty)
        clock.set(date + .seconds(3))
        #expect(try await samples(server) { server.resume() }.count == 1)
    }

    @Test("is ignored if it is malformed")
    func none() async throws {
        let server = try LoopbackServer { _ in [.reply(200, ["Date: yesterday"], text: "[]")] }
        defer { server.stop() }
        #expect(try await samples(server).isEmpty)
    }
}
