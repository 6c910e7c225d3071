import BoardControl
import BoardCore
import BoardService
import BoardStore
import FoundationEssentials
import Glibc
import ServerTesting
import Testing
import Waiting

@testable import boardd

@Suite("Set-up by a phone that is broken or hostile", .endsHangs)
struct HostileSetupTests {
    /// A fresh board with what its own layer contains.
    private func fresh() throws -> InstalledBoard {
        let board = try InstalledBoard()
        try board.folder.write("", to: "etc/boardd.toml")
        try board.folder.write("", to: "etc/favourites.toml")
        return board
    }

    private func files(_ board: InstalledBoard) -> [String: String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: "\(board.stateFolder)/settings")) ?? []
        return Dictionary(uniqueKeysWithValues: names.map { ($0, board.folder.read("st/settings/\($0)")) })
    }

    /// Sends a request over the control socket.
    private func put(_ board: InstalledBoard, _ path: String, _ body: String) async throws -> RawResponse? {
        let client = try RawClient(board.socket)
        try await client.send(
            "PUT \(path) HTTP/1.1\r\nHost: board\r\nContent-Type: application/json\r\nContent-Length: \(body.utf8.count)\r\n\r\n\(body)"
        )
        return try await client.response()
    }

    private static func table(_ table: String, _ values: String) -> (path: String, body: String) {
        ("/v1/settings/\(table)", "{\"tables\": [{\(values)}]}")
    }

    private static func key(_ value: String, name: String = "TFL_APP_KEY") -> (path: String, body: String) {
        ("/v1/keys/\(name)", "{\"value\": \(value)}")
    }

    private static let letters = String(repeating: "x", count: 1_000)
    private static func nested(_ depth: Int) -> String {
        String(repeating: "[", count: depth) + String(repeating: "]", count: depth)
    }

    /// Each request, its status, and a part of the sentence.
    private static let requests: [(request: (path: String, body: String), status: Int, sentence: String)] = [
        (table("board", "\"name\": \"\(letters)\""), 422, "name"),
        (table("board", "\"name\": \"\(letters)\(letters)\(letters)\""), 422, "2000 bytes"),
        (table("board", "\"name\": \"a\\u0000b\""), 422, ""), (table("board", "\"name\": \"a\\u001bb\""), 422, ""),
        (table("board", "\"name\": \"a\\nb\""), 422, ""), (table("board", "\"name\": \"a\\u2028b\""), 422, ""),
        (table("board", "\"name\": \"a\\u0085b\""), 422, ""), (table("board", "\"name\": \"a\\ud800b\""), 400, ""),
        (table("board", "\"name\": null"), 400, "must be a text, a whole number"),
        (table("board", "\"na\\nme\": \"x\""), 422, ""),
        (table("light", "\"wake\": 9223372036854775808"), 400, "must be a text, a whole number"),
        (table("light", "\"wake\": -9223372036854775808"), 422, "wake"), (table("light", "\"wake\": 1e300"), 400, ""),
        (table("light", "\"wake\": 1.5"), 400, "whole number"), (table("light", "\"wake\": {\"a\": 1}"), 400, ""),
        (table("language", "\"code\": \(nested(20))"), 422, ""),
        (table("language", "\"code\": \(nested(250))"), 422, ""),
        (table("language", "\"code\": \(nested(500))"), 422, ""),
        (table("language", "\"code\": \(nested(8_000))"), 400, ""),
        (table("language", "\"code\": \(nested(32_000))"), 400, ""),
        (table("language", "\"code\": \(String(repeating: "[", count: 60_000))"), 400, ""),
        (
            ("/v1/settings/quiet", "{\"tables\": [\(Array(repeating: "{}", count: 10_000).joined(separator: ","))]}"),
            400, "there may be 28, not 10000"
        ),
        (
            (
                "/v1/settings/quiet",
                "{\"tables\": [\(Array(repeating: "{\"from\": \"1:00\", \"to\": \"2:00\"}", count: 1_000).joined(separator: ","))]}"
            ), 400, "there may be 28, not 1000"
        ),
        (
            ("/v1/settings/quiet", "{\"tables\": [\(Array(repeating: "{}", count: 28).joined(separator: ","))]}"), 422,
            "from"
        ),
        (("/v1/settings/light", "{\"tables\": [{}, {}]}"), 400, "there may be 1, not 2"),
        (("/v1/settings/light", "{\"tables\": {}}"), 400, "tables"), (("/v1/settings/light", "[]"), 400, "object"),
        (("/v1/settings/light", "{\"tables\": [], \"x\": 1}"), 400, "x"),
        (table("abbreviations", (0..<5_000).map { "\"k\($0)\": \"v\"" }.joined(separator: ",")), 422, ""),
        (table("feed.gtfs.lyon", "\"city\": \"999999999\""), 422, "no number"),
        (table("feed.gtfs.lyon", "\"city\": \"../437\""), 422, "no number"),
        (table("feed.gtfs.lyon", "\"city\": 437"), 422, "city"),
        (table("feed.gtfs.lyon", "\"timetable\": \"https://evil.example/a.zip\""), 422, "cannot be set"),
        (table("feed.gtfs.\(String(repeating: "a", count: 33))", "\"city\": \"437\""), 404, "cannot be set by phone"),
        (table("feed.gtfs..", "\"city\": \"437\""), 404, ""),
        (table("feed.gtfs.%22a%22", "\"city\": \"437\""), 404, ""),
        (table("feed.gtfs.a%0Ab", "\"city\": \"437\""), 404, ""),
        (table("..%2Fpage", "\"change\": \"network\""), 404, ""),
        (table("../../etc/boardd", "\"change\": \"network\""), 404, ""),
        (table("%70age", "\"change\": \"network\""), 404, ""),
        (table("page%00", "\"change\": \"network\""), 400, ""),
        (table("light%5D%0A%5Bpage", "\"change\": \"network\""), 404, ""),
        (table("'light'", "\"wake\": \"40s\""), 404, ""), (table(letters, ""), 404, ""),
        (key("\"a\\nb\""), 422, "printable ASCII"), (key("\"\""), 422, "printable ASCII"),
        (key("\"a\\u0000\""), 422, ""),
        (key("\"\(letters)k\""), 422, "at most 1000"),
        (key("\"\(String(repeating: "k", count: 60_000))\""), 422, "at most 1000"),
        (key("1"), 400, "must be a text"), (key("\(nested(8_000))"), 400, ""),
        (key("\"x\"", name: "PATH"), 404, "no feed"),
        (key("\"x\"", name: "TFL_APP_KEY%0ARAIL_TOKEN"), 404, "no feed"),
        (key("\"x\"", name: "..%2F..%2Fpasswd"), 404, "no feed"),
    ]

    @Test func `what cannot be set gets a sentence, and nothing is written`() async throws {
        let board = try fresh()
        let daemon = try await board.start()
        _ = try await board.client.setTable("language", to: [["code": .text("de")]])
        _ = try await board.client.setKey("TFL_APP_KEY", to: "held")
        let before = files(board)
        #expect(before.count == 2)
        for (request, status, sentence) in Self.requests {
            let response = try await put(board, request.path, request.body)
            let place: Comment =
                "\(request.path.prefix(60)) \(request.body.prefix(60)): \(response?.status ?? 0) \(response?.text.prefix(300) ?? "")"
            #expect(response?.status == status && response?.text.contains(sentence) == true, place)
            #expect((20..<3_000).contains(response?.text.utf8.count ?? 0), place)
            #expect(files(board) == before, place)
        }
        try await board.end(daemon)
    }

    @Test func `of two phones at once both changes are made, in one whole file`() async throws {
        let board = try fresh()
        let daemon = try await board.start()
        try await withThrowingTaskGroup { group in
            for number in 0..<12 {
                group.addTask { [self] in
                    let (table, key, value) =
                        number % 2 == 0 ? ("language", "code", "de") : ("light", "wake", "\(20 + number)s")
                    let response = try await put(
                        board, "/v1/settings/\(table)", "{\"tables\": [{\"\(key)\": \"\(value)\"}]}")
                    #expect(response?.status == 200, "\(response?.text ?? "")")
                }
            }
            try await group.waitForAll()
        }
        let state = try await board.client.setup()
        #expect(state.tables.map(\.name).sorted() == ["language", "light"])
        let lines = board.folder.read("st/settings/settings.toml").split(separator: "\n")
        #expect(lines.filter { $0.hasPrefix("[") }.sorted() == ["[language]", "[light]"] && lines.last == "# end")
        try await board.end(daemon)
    }

    @Test func `a file that cannot be written is named, and the old settings hold`() async throws {
        let board = try fresh()
        let daemon = try await board.start()
        _ = try await board.client.setTable("language", to: [["code": .text("de")]])
        // A folder in its place, to which root cannot write either.
        try FileManager.default.createDirectory(
            atPath: "\(board.stateFolder)/settings/settings.toml.1", withIntermediateDirectories: true)
        let response = try await put(board, "/v1/settings/language", "{\"tables\": [{\"code\": \"fr\"}]}")
        #expect(
            response?.status == 500 && response?.text.contains("not a regular file") == true, "\(response?.text ?? "")")
        #expect(files(board)["settings.toml"]?.contains("\"de\"") == true)
        #expect(try await board.client.setup().tables.map(\.values) == [[["code": .text("de")]]])
        try await board.end(daemon)
    }
}
