import BoardCore
import BoardIO
import Glibc
import LoopbackServer
import Synchronization
import Testing
import Waiting

@testable import BoardFeeds

@Suite("Recording and replaying HTTP", .endsHangs)
struct RecordingTests {
    private func exchange(_ at: String, _ url: String = "http://127.0.0.1/a", status: Int = 200, body: String) -> String
    {
        "GET \(url)\nat: 2026-03-02T\(at)Z\nstatus: \(status)\nDate: Mon, 02 Mar 2026 \(at) GMT\n\n\(body)"
    }

    private func folder(_ files: [String]) throws -> String {
        let folder = try Fixtures.temporaryFolder()
        for (number, file) in files.enumerated() {
            try RecordingFiles.write(Array(file.utf8), to: folder + "/" + RecordingFiles.name(number + 1))
        }
        return folder
    }

    private func request(_ url: String = "http://127.0.0.1/a", limit: Int = 1_000) throws -> HTTPRequest {
        HTTPRequest(try #require(HTTPURL(url)), limit: limit)
    }

    @Test("a response is recorded without the key, the cookie or the coding, and replayed byte for byte")
    func roundTrip() async throws {
        let packed = try Fixtures.own("arrivals_bus.json.gz")
        let server = try LoopbackServer { head in
            if head.contains("/why") { return [.reply(403, ["X-Text: k3y!"], text: "no /why?app_key=k3y for you")] }
            return [
                .reply(
                    200, ["Date: Mon, 02 Mar 2026 08:00:30 GMT", "Set-Cookie: a=b", "Content-Encoding: gzip"],
                    body: packed)
            ]
        }
        defer { server.stop() }
        let folder = try Fixtures.temporaryFolder() + "/new"
        let curl = CurlTransport(
            userAgent: "test", clock: VirtualClock(wall: Timestamp(microseconds: 1_772_438_431_250_000)))
        let recording = try RecordingTransport(wrapping: curl, directory: folder)
        func request(_ path: String) throws -> HTTPRequest {
            HTTPRequest(try #require(HTTPURL(server.url(path))), secrets: [("app_key", Secret("k3y"))], limit: 100_000)
        }
        let first = try await recording.get(request("/x?a=1"))
        _ = try await recording.get(request("/why"))
        let names = try RecordingFiles.names(in: folder)
        #expect(names == ["00001.http", "00002.http"])
        let files = try names.map { String(decoding: try RecordingFiles.read(folder + "/" + $0), as: UTF8.self) }
        #expect(
            files[0].hasPrefix(
                """
                GET http://127.0.0.1:\(server.port)/x?a=1
                at: 2026-03-02T08:00:31.250Z
                status: 200
                Date: Mon, 02 Mar 2026 08:00:30 GMT


                """))
        #expect(!files.joined().contains("k3y"))
        #expect(!files.joined().contains("Cookie"))
        #expect(files[1].hasSuffix("no /why?app_key=*** for you"))

        let replay = try ReplayTransport(directory: folder, clock: VirtualClock())
        let again = try await replay.get(request("/x?a=1"))
        #expect(again.body == first.body)
        #expect(again.response.date == first.response.date)
        #expect(try await replay.get(request("/why")).response.status == 403)

        // A second recording continues the numbers of the first.
        _ = try await RecordingTransport(wrapping: curl, directory: folder).get(request("/x?a=1"))
        #expect(try RecordingFiles.names(in: folder).last == "00003.http")
    }

    @Test("a response with as many headers as allowed can be replayed, whatever they contain")
    func largestHead() async throws {
        let line = Array("X-Odd: ".utf8) + [UInt8](repeating: 0xFF, count: 247) + Array("\r\n".utf8)
        let lines = (HTTPResponse.headerLimit - 256) / line.count
        let server = try LoopbackServer { _ in
            [
                .send(Array("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n".utf8)),
                .send((0..<lines).flatMap { _ in line }), .send("\r\n[]"), .close,
            ]
        }
        defer { server.stop() }
        let folder = try Fixtures.temporaryFolder()
        let curl = CurlTransport(userAgent: "test", clock: VirtualClock())
        let request = try request(server.url("/"))
        _ = try await RecordingTransport(wrapping: curl, directory: folder).get(request)
        let replay = try ReplayTransport(directory: folder, clock: VirtualClock())
        let (response, body) = try await replay.get(request)
        #expect(response.headers.count == lines)
        #expect(body == Array("[]".utf8))
    }

    @Test("a failed write is reported and does not affect the response")
    func fullDisk() async throws {
        let folder = try Fixtures.temporaryFolder() + "/gone"
        let reported = Mutex<[String]>([])
        let recording = try RecordingTransport(
            wrapping: CannedTransport { _ in (200, Array("[]".utf8)) }, directory: folder
        ) { failure in reported.withLock { $0.append("\(failure)") } }
        try #require(folderIsRemoved(folder))
        #expect(try await recording.get(request()).body == Array("[]".utf8))
        #expect(reported.withLock { $0 }.count == 1)
    }

    @Test("a replay runs at its own speed, with the responses of each moment, including errors, and restarts")
    func laps() async throws {
        let folder = try folder([
            exchange("08:00:00", body: "first"), exchange("08:00:01", "http://127.0.0.1/b", body: "other"),
            exchange("08:00:30", status: 500, body: "sorry"), exchange("08:01:00", body: "last"),
        ])
        let start = Timestamp(seconds: 1_900_000_000)
        let clock = VirtualClock(wall: start)
        let replay = try ReplayTransport(directory: folder, clock: clock)
        let first = try #require(Timestamp(rfc3339: "2026-03-02T08:00:00Z"))
        var reported: [String] = []
        for seconds in [0, 29, 30, 59, 60, 89, 90, 119, 120] {
            clock.go(to: .seconds(seconds))
            let result = try await replay.get(request())
            reported.append("\(result.response.status) \(String(decoding: result.body, as: UTF8.self))")
            #expect(replay.shift == start - first + .seconds(seconds < 90 ? 0 : 90))
        }
        #expect(
            reported == [
                "200 first", "200 first", "500 sorry", "500 sorry", "200 last", "200 last", "200 first", "200 first",
                "500 sorry",
            ])
        clock.go(to: .zero)
        let early = try await replay.get(request("http://127.0.0.1/b"))
        #expect(String(decoding: early.body, as: UTF8.self) == "other", "the first poll a second later has it")
    }

    @Test("the replay follows a wall clock that is set; small deviations are ignored")
    func clockSet() throws {
        let folder = try folder([exchange("08:00:00", body: "")])
        let clock = VirtualClock(wall: Timestamp(seconds: 1_000))
        let replay = try ReplayTransport(directory: folder, clock: clock)
        let before = replay.shift
        clock.set(Timestamp(seconds: 1_001))
        #expect(replay.shift == before)
        clock.set(Timestamp(seconds: 5_000))
        #expect(replay.shift == before + .seconds(4_000))
    }

    @Test("a URL that was not recorded is a failure with some recorded ones")
    func unknown() async throws {
        let replay = try ReplayTransport(directory: folder([exchange("08:00:00", body: "")]), clock: VirtualClock())
        let request = try request("http://127.0.0.1/c")
        let error = await #expect(throws: HTTPError.self) { try await replay.get(request) }
        #expect(error?.kind == .unusable)
        #expect(error?.description.contains("http://127.0.0.1/a") == true)
    }

    @Test(
        "a damaged recording is reported with file and line",
        arguments: [
            ("", 1, "the file ends"), ("PUT x\n", 1, "GET address"), ("GET /relative\n", 1, "GET address"),
            ("GET http://127.0.0.1/\nstatus: 200\n", 2, "at: …"),
            ("GET http://127.0.0.1/\nat: noon\n", 2, "a time such as"),
            ("GET http://127.0.0.1/\nat: 2026-03-02T08:00:00Z\nstatus: fine\n", 3, "a status such as"),
            ("GET http://127.0.0.1/\nat: 2026-03-02T08:00:00Z\nstatus: 200\nDate\n\n", 4, "Name: value"),
            ("GET http://127.0.0.1/\nat: 2026-03-02T08:00:00Z\nstatus: 200\nDate: x\n", 5, "the file ends"),
        ])
    func damaged(file: String, line: Int, message: String) throws {
        let folder = try folder([exchange("08:00:00", body: ""), file])
        let error = try #require(throws: FileError.self) {
            try ReplayTransport(directory: folder, clock: VirtualClock())
        }
        #expect(error.kind == .recording)
        #expect(error.description.hasPrefix(folder + "/00002.http:\(line): "))
        #expect(error.description.contains(message))
    }

    @Test("a missing or empty folder is a failure of its own")
    func noRecording() throws {
        let empty = try Fixtures.temporaryFolder()
        for folder in [empty, empty + "/none"] {
            let error = try #require(throws: FileError.self) {
                try ReplayTransport(directory: folder, clock: VirtualClock())
            }
            #expect(error.kind == .recording)
        }
    }

    @Test(
        "a temporary file is written before the old one is replaced, without following a link or reusing a leftover file"
    )
    func link() throws {
        let folder = try Fixtures.temporaryFolder()
        try RecordingFiles.write([1], to: folder + "/other")
        try #require(unsafe symlink(folder + "/other", folder + "/file.part") == 0)
        try RecordingFiles.write([2], to: folder + "/file")
        #expect(try RecordingFiles.read(folder + "/other") == [1])
        try RecordingFiles.write([3, 3], to: folder + "/file.part")
        try RecordingFiles.write([4], to: folder + "/file")
        #expect(try RecordingFiles.read(folder + "/file") == [4])
        #expect(RecordingFiles.isAbsent(folder + "/file.part"))
    }
}

/// Removes an empty folder.
private func folderIsRemoved(_ path: String) -> Bool { unsafe rmdir(path) == 0 }
