import ArgumentParser
import BoardCore
import BoardIO
import FoundationEssentials
import LoopbackServer
import Testing
import Waiting

@testable import boardd

@Suite("boardd check --online, against a server on this machine", .endsHangs)
struct CheckOnlineTests {
    /// TfL's entry of a pole with two lines.
    private static let pole = #"""
        {"naptanId":"490099901X","stopType":"NaptanPublicBusCoachTram","commonName":"Larch Street",
         "lines":[{"id":"73","name":"73"},{"id":"n109","name":"N109"}]}
        """#

    /// Runs the command with these favourites; returns its output and its exit status.
    private func check(
        _ favourites: String, on zone: String = "Europe/London",
        responding respond: @escaping @Sendable (String) -> [LoopbackServer.Step]
    ) async throws -> (lines: [String], status: Int32, requests: [String], folder: String) {
        let server = try LoopbackServer(respond)
        defer { server.stop() }
        let folder = "/tmp/boardd-check-\(UInt64.random(in: 0 ... .max))"
        let files = FileManager.default
        try files.createDirectory(atPath: folder, withIntermediateDirectories: true)
        defer { try? files.removeItem(atPath: folder) }
        try Data("[feed.tfl]\nurl = \"\(server.url())\"\n".utf8).write(to: URL(filePath: folder + "/boardd.toml"))
        try Data(favourites.utf8).write(to: URL(filePath: folder + "/favourites.toml"))
        let command = try CheckCommand.parse(["--online", "--config", folder + "/boardd.toml"])
        var lines: [String] = []
        let status = await command.check(on: try ZoneDirectory().machineZone(tz: zone)) {
            if $0.subject != "files" { lines.append($0.line) }
        }
        let requests = server.record.requests.map { String($0.split(separator: " ")[1]) }
        return (lines, status, requests, folder)
    }

    private func favourite(_ code: String, lines: String? = nil) -> String {
        "[[stop]]\nid = \"tfl:\(code)\"\n" + (lines.map { "lines = \($0)\n" } ?? "")
    }

    @Test("an existing stop and lines that call there are good; each favourite costs one request")
    func good() async throws {
        let result = try await check(favourite("490099901X", lines: #"["73", "N109"]"#)) { _ in
            [.reply(text: Self.pole)]
        }
        #expect(result.lines == ["tfl:490099901X: good, Larch Street"])
        #expect(result.status == 0)
        #expect(result.requests == ["/StopPoint/490099901X"])
    }

    @Test("a machine in another zone than its stops is no fault")
    func zone() async throws {
        let result = try await check(favourite("490099901X"), on: "America/New_York") { _ in [.reply(text: Self.pole)] }
        #expect(result.lines.count == 1 && result.status == 0, "\(result.lines)")
    }

    @Test("a line name from an operator moves no terminal's cursor")
    func escapes() async throws {
        let pole = Self.pole.replacing("\"N109\"", with: "\"N\\u001b[2J\\u2028\\n9\"")
        let result = try await check(favourite("490099901X", lines: #"["37"]"#)) { _ in [.reply(text: pole)] }
        let line = try #require(result.lines.first)
        #expect(result.lines.count == 1)
        #expect(line.contains("Lines there: 73, N"))
        #expect(!line.unicodeScalars.contains { $0.properties.generalCategory == .control || $0 == "\u{2028}" })
    }

    @Test("a line that does not call there is a fault that names the file and the lines that do")
    func line() async throws {
        let result = try await check(favourite("490099901X", lines: #"["73", "37"]"#)) { _ in [.reply(text: Self.pole)]
        }
        #expect(
            result.lines == [
                "\(result.folder)/favourites.toml:2:6: tfl:490099901X: line \"37\" does not call there; correct `lines`."
                    + " Lines there: 73, N109"
            ])
        #expect(result.status == 1)
    }

    @Test("a direction that no departure has is a remark with the directions and destinations there are")
    func directions() async throws {
        let predictions = [("outbound", "Quay"), ("inbound", "Mill Park"), ("inbound", "Dock")].enumerated().map {
            #"{"vehicleId":"ZZ\#($0)","lineId":"73","modeName":"bus","direction":"\#($1.0)","destinationName":"\#($1.1)","#
                + #""timeToStation":60}"#
        }
        func result(_ directions: String, _ predictions: [String]) async throws -> (line: String?, status: Int32) {
            let result = try await check(favourite("490099901X") + "directions = \(directions)\n") { head in
                let isStop = head.contains("/StopPoint/490099901X ") || head.contains("/StopPoint/490099901X?")
                return [
                    .reply(
                        text: isStop
                            ? Self.pole
                            : head.contains("/Arrivals") ? "[\(predictions.joined(separator: ","))]" : "[]")
                ]
            }
            let place = "\(result.folder)/favourites.toml:2:6: "
            return (result.lines.first?.replacing(place, with: ""), result.status)
        }
        let good = try await result(#"["Outbound", "mill park"]"#, predictions)
        #expect(good == ("tfl:490099901X: good, Larch Street", 0))
        let unknown = try await result(#"["westbound", "Quay"]"#, predictions)
        #expect(
            unknown.line == "tfl:490099901X: no departure is in the direction or to the destination \"westbound\" now. "
                + "There are: inbound, outbound, Dock, Mill Park, Quay")
        #expect(unknown.status == 0)
        #expect(try await result(#"["westbound"]"#, []) == ("tfl:490099901X: good, Larch Street", 0))
    }

    @Test("an address that does not exist is a fault at its place in the file")
    func address() async throws {
        let server = try LoopbackServer { _ in [.reply(404, text: "gone")] }
        defer { server.stop() }
        let folder = try TemporaryFolder([
            "boardd.toml": "[feed.gtfs.town]\ntimetable = \"\(server.url("/gtfs.zip"))\"\n", "st": "",
        ])
        let check = try await run(
            "check", "--online", "--json", "--config", "\(folder.path)/boardd.toml",
            environment: ["STATE_DIRECTORY": folder.path])
        #expect(check.status == 1, "\(check.errors)")
        let facts = try JSONDecoder().decode([[String: String]].self, from: Data(check.output.utf8))
        let fault = facts.first { $0["verdict"] == "fault" }
        #expect(fault?["subject"] == "\(folder.path)/boardd.toml:2:13: gtfs.town", "\(check.output)")
    }

    @Test("a stop unknown to TfL is a fault that names the file; the others are checked all the same")
    func unknownStop() async throws {
        let result = try await check(favourite("1a2b") + favourite("490099901X")) { head in
            head.contains("1a2b")
                ? [.reply(404, text: #"{"message":"The following stop point is\nnot recognised: 1a2b"}"#)]
                : [.reply(text: Self.pole)]
        }
        #expect(
            result.lines == [
                "\(result.folder)/favourites.toml:2:6: tfl:1a2b: TfL: no such stop; correct `id`",
                "tfl:490099901X: good, Larch Street",
            ])
        #expect(result.status == 1)
    }

    @Test("a rejected key is a fault; no response, a server error and HTML are not, and mean: not checked")
    func inconclusive() async throws {
        for (status, body, exit, words) in [
            (403, "", 1, "TFL_APP_KEY"), (503, "", 2, "not checked: http://127.0.0.1"),
            (429, "", 2, "too many requests"), (200, "<html>", 2, "found HTML"),
        ] as [(Int, String, Int32, String)] {
            let result = try await check(favourite("490099901X")) { _ in [.reply(status, text: body)] }
            #expect(result.status == exit, "\(status)")
            #expect(result.lines.count == 1)
            #expect(result.lines.first?.contains(words) == true, "\(result.lines)")
        }
        let closed = try await check(favourite("490099901X")) { _ in [.close] }
        #expect(closed.status == 2)
    }

    @Test("a fault takes precedence over a stop that was not checked")
    func both() async throws {
        let result = try await check(favourite("1a2b") + favourite("490099901X")) { head in
            [.reply(head.contains("1a2b") ? 404 : 500, text: "")]
        }
        #expect(result.status == 1)
    }

    @Test("lines that cannot be checked, since the operator lists none, are not a fault")
    func noLines() async throws {
        let result = try await check(favourite("490099901X", lines: #"["73"]"#)) { _ in
            [.reply(text: #"{"naptanId":"490099901X"}"#)]
        }
        #expect(result.lines == ["tfl:490099901X: not checked: line \"73\": TfL lists no lines there"])
        #expect(result.status == 2)
    }
}
