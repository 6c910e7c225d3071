import BoardCore
import BoardIO
import BoardService
import BoardStore
import FoundationEssentials
import Glibc
import ServerTesting
import Synchronization
import Testing
import Waiting

@testable import BoardControl

/// A value that several threads use.
final class Shared<Value: Sendable>: Sendable {
    private let value: Mutex<Value>

    init(_ value: Value) { self.value = Mutex(value) }

    func withLock<Result: Sendable>(_ body: @Sendable (inout Value) -> Result) -> Result {
        value.withLock { body(&$0) }
    }
}

/// A page on a free port of 127.0.0.1, served while a test runs.
final class RunningPage: Sendable {
    let board = FakeBoard()
    /// 2026-05-04T12:00:00Z at the start.
    let clock = VirtualClock(wall: Timestamp(seconds: 1_777_896_000))
    let pairing: PairingService
    let setup = FakeSetup()
    let port: UInt16
    let folder: String
    /// What the display had to show.
    let shown: Shared<[PairingService.Event]>
    private let options: Shared<PageOptions>
    private let server: ControlServer
    private let task: Task<Void, any Error>

    /// - Parameters:
    ///   - isServed: whether the clients of the test are served.
    ///   - early: runs while the socket listens and nothing is accepted yet.
    init(
        language: Language = .english, _ change: (inout PageOptions) -> Void = { _ in },
        isServed: @escaping @Sendable (IPAddress) -> Bool = { _ in true },
        early: (_ port: UInt16) async throws -> Void = { _ in }
    ) async throws {
        var initial = PageOptions()
        change(&initial)
        let options = Shared(initial)
        self.options = options
        folder = "/tmp/boardd-\(UUID().uuidString.prefix(13))"
        try FileManager.default.createDirectory(atPath: folder + "/page", withIntermediateDirectories: true)
        for (name, text) in [
            "index.html": "<html lang={{language}}>{{board}}{{page}}<i data-version=\"{{version}}\">{{live}}",
            "page.css": "body {}",
            "secret": "not for others",
        ] {
            try Data(text.utf8).write(to: URL(filePath: "\(folder)/page/\(name)"))
        }
        let shown = Shared<[PairingService.Event]>([])
        self.shown = shown
        let clock = clock
        pairing = PairingService(folder: folder, clock: clock, log: { _ in }) { event in
            shown.withLock { $0.append(event) }
        }
        let (descriptor, port) = try listenOnLoopback()
        self.port = port
        try await early(port)
        let page = Page(
            board: board, pairing: pairing, setup: setup, folder: folder + "/page", hostName: "boardpi", port: port,
            version: "1.2.3"
        ) { Page.Settings(options.withLock { $0 }, language: language) }
        let (events, sender) = AsyncStream.makeStream(of: ControlServerEvent.self)
        var limits = Page.limits
        // On a busy machine a comment would come before an event, and a connection would end before its next request.
        (limits.keepAlive, limits.idle) = (Patience.endless, Patience.endless)
        (limits.request, limits.action, limits.response) = (Patience.endless, Patience.endless, Patience.endless)
        let server = ControlServer([
            page.endpoint(descriptor: descriptor, name: "page", limits: limits, isServed: isServed)
        ]) {
            sender.yield($0)
        }
        self.server = server
        task = Task {
            defer { close(descriptor) }
            try await server.run()
        }
        for await event in events {
            if case .listening = event { break }
        }
    }

    deinit {
        task.cancel()
        try? FileManager.default.removeItem(atPath: folder)
    }

    func set(_ change: @Sendable (inout PageOptions) -> Void) { options.withLock { change(&$0) } }

    func stop() async throws {
        server.shutDown()
        try await task.value
    }

    /// The digits that the display shows.
    var digits: String? {
        shown.withLock { shown in
            if case .started(let code, _) = shown.last { code } else { nil }
        }
    }

    /// Sends a request as a browser does that opened the board's address.
    func request(
        _ method: String, _ target: String, headers: [String] = [], host: String? = nil, body: String? = nil
    ) async throws -> RawResponse {
        let client = try RawClient(port: port)
        var lines = ["\(method) \(target) HTTP/1.1", "Host: \(host ?? "127.0.0.1:\(port)")", "Connection: close"]
        lines += headers
        if let body { lines += ["Content-Type: application/json", "Content-Length: \(body.utf8.count)"] }
        try await client.send(lines.joined(separator: "\r\n") + "\r\n\r\n" + (body ?? ""))
        return try #require(try await client.response(), "\(method) \(target)")
    }

    /// Pairs a device, and returns its header.
    func paired(_ name: String = "Sofa") async throws -> String {
        try Self.authorization(in: try await pairing(name))
    }

    /// Pairs a device, and returns the response with its token.
    func pairing(_ name: String = "Sofa", headers: [String] = [], host: String? = nil) async throws -> RawResponse {
        let id = try Self.field("id", of: try await request("POST", "/v1/pairings", headers: headers, host: host))
        let body = #"{"code":"\#(try #require(digits))","name":"\#(name)"}"#
        return try await request("POST", "/v1/pairings/\(id)", headers: headers, host: host, body: body)
    }

    static func authorization(in response: RawResponse) throws -> String {
        "Authorization: Bearer \(try field("token", of: response))"
    }

    /// The header with the cookie that a response sets.
    static func cookie(in response: RawResponse) throws -> String {
        let pair = try #require(response.header("set-cookie")?.split(separator: ";").first, "\(response.head)")
        return "Cookie: \(pair)"
    }

    /// Asks for a new token as the board's own page does.
    func session(_ headers: [String]) async throws -> RawResponse {
        try await request("POST", "/v1/session", headers: headers + ["Origin: http://127.0.0.1:\(port)"])
    }

    /// The value that an error names.
    static func invalid(in response: RawResponse) throws -> InvalidValue? {
        try JSONDecoder().decode(ErrorResponse.self, from: Data(response.body)).error.value
    }

    static func field(_ name: String, of response: RawResponse) throws -> String {
        let object = try JSONDecoder().decode([String: String].self, from: Data(response.body))
        return try #require(object[name], "\(response.text)")
    }
}
