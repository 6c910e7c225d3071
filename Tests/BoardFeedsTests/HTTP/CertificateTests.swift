import BoardCore
import Foundation
import LoopbackServer
import Testing
import Waiting

@testable import BoardFeeds

@Suite("TLS over loopback, with certificates made for the test", .endsHangs)
struct CertificateTests {
    @Test(
        "an untrusted certificate is rejected, a trusted one is accepted, and the failure for an expired one names the date"
    )
    func certificates() async throws {
        guard let shop = try CertificateShop() else { return }
        defer { shop.close() }
        #expect(await kind(try shop.serve("good"), trusting: nil) == .tls(byDate: false))
        #expect(await kind(try shop.serve("good"), trusting: shop.path("good.pem")) == nil)
        #expect(await kind(try shop.serve("expired"), trusting: shop.path("expired.pem")) == .tls(byDate: true))
        #expect(await kind(try shop.serve("future"), trusting: shop.path("future.pem")) == .tls(byDate: true))
    }

    @Test("a trusted certificate of another host is rejected")
    func otherHost() async throws {
        guard let shop = try CertificateShop() else { return }
        defer { shop.close() }
        #expect(await kind(try shop.serve("other"), trusting: shop.path("other.pem")) == .tls(byDate: false))
    }

    @Test("for the board an invalid date is a clock problem, everything else a certificate problem")
    func meaning() throws {
        let url = try #require(HTTPURL("https://localhost"))
        #expect(FeedError(HTTPError(.tls(byDate: true), of: url, detail: "")).kind == .certificateDate)
        #expect(FeedError(HTTPError(.tls(byDate: false), of: url, detail: "")).kind == .certificate)
    }

    private func kind(_ port: Int, trusting file: String?) async -> HTTPError.Kind? {
        let transport = CurlTransport(userAgent: "test", clock: VirtualClock(), certificates: file)
        guard let url = HTTPURL("https://127.0.0.1:\(port)/") else { return .unusable }
        var kind: HTTPError.Kind?
        // The server needs a moment before it listens.
        _ = await eventually { () -> Bool in
            do throws(HTTPError) {
                _ = try await transport.get(HTTPRequest(url, limit: 1_000_000))
                kind = nil
            } catch {
                kind = error.kind
            }
            return kind != .timedOut
        }
        return kind
    }
}

/// Makes certificates with openssl and serves with them.
private final class CertificateShop {
    private let folder: String
    private var servers: [Process] = []
    private var port = 0

    /// A folder with four certificates; nil with a printed notice without openssl.
    init?() throws {
        folder = try Fixtures.temporaryFolder()
        guard FileManager.default.isExecutableFile(atPath: Self.openssl) else {
            print("SKIPPED: no \(Self.openssl), so no certificate to test with")
            return nil
        }
        let configuration = """
            [ca]
            default_ca = test
            [test]
            database = index.txt
            new_certs_dir = .
            default_md = sha256
            rand_serial = yes
            policy = any
            unique_subject = no
            x509_extensions = names
            [any]
            commonName = supplied
            [names]
            subjectAltName = IP:127.0.0.1
            basicConstraints = critical,CA:TRUE
            [other]
            subjectAltName = DNS:other.example, IP:127.0.0.2
            basicConstraints = critical,CA:TRUE
            """
        try configuration.write(toFile: path("ca.cnf"), atomically: true, encoding: .utf8)
        try "".write(toFile: path("index.txt"), atomically: true, encoding: .utf8)
        try run(
            "req", "-new", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout", "key.pem",
            "-subj", "/CN=boardd test", "-out", "request.pem")
        try make("good", from: "20200101000000Z", to: "20900101000000Z")
        try make("expired", from: "20200101000000Z", to: "20200102000000Z")
        try make("future", from: "20890101000000Z", to: "20900101000000Z")
        try make("other", from: "20200101000000Z", to: "20900101000000Z", names: "other")
    }

    private static let openssl = "/usr/bin/openssl"

    func path(_ name: String) -> String { folder + "/" + name }

    /// Serves with a certificate; returns the port.
    func serve(_ name: String) throws -> Int {
        let free = try LoopbackServer { _ in [] }
        port = Int(free.port)
        free.stop()
        servers.append(
            try start(
                "s_server", "-accept", "127.0.0.1:\(port)", "-cert", name + ".pem", "-key", "key.pem", "-www", "-quiet")
        )
        return port
    }

    func close() {
        // They inherit the blocked signals of the thread that started them, so SIGTERM would stay pending.
        for server in servers {
            kill(server.processIdentifier, SIGKILL)
            // Foundation keeps what it stores about a process until its end is noticed.
            server.waitUntilExit()
        }
        try? FileManager.default.removeItem(atPath: folder)
    }

    private func make(_ name: String, from start: String, to end: String, names: String = "names") throws {
        try run(
            "ca", "-config", "ca.cnf", "-selfsign", "-batch", "-notext", "-keyfile", "key.pem", "-in", "request.pem",
            "-startdate", start, "-enddate", end, "-extensions", names, "-out", name + ".pem")
    }

    private func run(_ arguments: String...) throws {
        let process = try start(arguments)
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "openssl \(arguments)")
    }

    private func start(_ arguments: String...) throws -> Process { try start(arguments) }

    private func start(_ arguments: [String]) throws -> Process {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: Self.openssl)
        process.arguments = arguments
        process.currentDirectoryURL = URL(fileURLWithPath: folder)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        return process
    }
}
