import BoardIO
import Glibc
import Synchronization
import Testing
import Waiting

@testable import boardd

/// A control socket with one response to every request.
private final class ControlResponder: Sendable {
    let folder: TemporaryFolder
    private let descriptor: Int32
    private let received = Mutex<[String]>([])

    init(status: String, _ body: String) throws {
        folder = try TemporaryFolder()
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        var address = try #require(UnixAddress("\(folder.path)/control.sock"))
        try #require(address.bind(descriptor) == 0 && listen(descriptor, 4) == 0)
        let head = "HTTP/1.1 \(status)\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n"
        let bytes = Array("\(head)Connection: close\r\n\r\n\(body)".utf8)
        let descriptor = descriptor
        try DedicatedThread.start("responder") { [weak self] in
            while true {
                let client = accept(descriptor, nil, nil)
                guard client >= 0 else { return }
                var buffer = [UInt8](repeating: 0, count: 4_096)
                let count = unsafe recv(client, &buffer, buffer.count, 0)
                let line = String(decoding: buffer[..<max(0, count)], as: UTF8.self).prefix { !$0.isNewline }
                self?.received.withLock { $0.append(String(line)) }
                _ = unsafe Glibc.send(client, bytes, bytes.count, Int32(MSG_NOSIGNAL))
                close(client)
            }
        }
    }

    deinit {
        shutdown(descriptor, Int32(SHUT_RDWR))
        close(descriptor)
    }

    /// The first lines of the requests.
    var requests: [String] { received.withLock { $0 } }

    func run(_ arguments: [String]) async throws -> Program.Result {
        try await Program.run(["page"] + arguments, environment: folder.environment)
    }
}

@Suite("boardd page pair, list and remove", .endsHangs)
struct PageCommandTests {
    @Test("pair prints the digits alone on standard output, and until when they are accepted")
    func pair() async throws {
        let board = try ControlResponder(
            status: "201 Created", #"{"id":"a","expiresAt":"2026-11-24T12:04:30Z","code":"012345"}"#)
        let result = try await board.run(["pair"])
        #expect(result.status == 0)
        #expect(result.output == "012345\n")
        #expect(result.errors.contains("12:04"))
        #expect(board.requests == ["POST /v1/pairings HTTP/1.1"])
    }

    @Test("a board that sends no digits is an error")
    func noDigits() async throws {
        let board = try ControlResponder(status: "201 Created", #"{"id":"a","expiresAt":"2026-11-24T12:04:30Z"}"#)
        let result = try await board.run(["pair"])
        #expect(result.status == ExitStatus.protocolError)
        #expect(result.output.isEmpty && result.errors.contains("sent no digits"))
    }

    @Test("list prints a line for each device, or the same as JSON")
    func list() async throws {
        let devices = #"[{"name":"Sofa phone","pairedAt":"2026-11-02","lastUsedAt":"2026-11-24"}]"#
        let board = try ControlResponder(status: "200 OK", devices)
        #expect(try await board.run(["list"]).output == "Sofa phone  paired 2026-11-02  last used 2026-11-24\n")
        let json = try await board.run(["list", "--json"]).output
        #expect(json.filter { !$0.isNewline && $0 != " " }.contains(#""name":"Sofaphone","pairedAt":"2026-11-02""#))
        #expect(board.requests == ["GET /v1/devices HTTP/1.1", "GET /v1/devices HTTP/1.1"])
    }

    @Test("without a paired device, list names the command that pairs one")
    func emptyList() async throws {
        let result = try await ControlResponder(status: "200 OK", "[]").run(["list"])
        #expect(result.status == 0 && result.output.isEmpty)
        #expect(result.errors.contains("boardd page pair"))
    }

    @Test("remove sends the whole name, and reports what the board does")
    func remove() async throws {
        let board = try ControlResponder(status: "204 No Content", "")
        #expect(try await board.run(["remove", "Sofa phone/2"]).output == "Sofa phone/2 removed\n")
        #expect(board.requests == ["DELETE /v1/devices/Sofa%20phone%2F2 HTTP/1.1"])
        let error = #"{"error":{"kind":"not-found","message":"no device is named x","candidates":[],"faults":[]}}"#
        let result = try await ControlResponder(status: "404 Not Found", error).run(["remove", "x"])
        #expect(result.status == 1)
        #expect(result.errors == "no device is named x\n")
    }

    @Test("on and off need systemd and root, and the error names the way without")
    func withoutSystemd() async throws {
        guard unsafe access("/run/systemd/system", F_OK) != 0 else { return }
        for command in ["on", "off"] {
            let result = try await run("page", command)
            #expect(result.status == ExitStatus.temporaryFailure)
            #expect(
                result.errors.contains("systemd does not run here") && result.errors.contains("--page 127.0.0.1:8480"))
        }
    }
}
