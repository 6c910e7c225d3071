import BoardCore
import BoardIO
import Synchronization
import Testing
import Waiting

@testable import BoardDisplays

@Suite("The client of LCDd", .endsHangs)
struct LCDdTests {
    private let size = DisplaySize(columns: 20, rows: 4)
    private let start = Instant(microseconds: 0)

    private func display(
        _ server: ServerAddress, size: DisplaySize? = nil, resync: Duration? = nil, limit: Duration = Patience.endless
    ) -> ReconnectingDisplay<LCDdLink> {
        ReconnectingDisplay(LCDdLink(server: server, size: size ?? self.size, limit: limit), resync: resync)
    }

    private func frame(_ rows: [String], isLit: Bool = true) -> Frame {
        Frame(columns: 20, rows: rows + Array(repeating: "", count: 4 - rows.count), isLit: isLit)
    }

    private func fault(_ report: DisplayReport) -> String {
        guard case .absent(let fault) = report.health else { return "" }
        return fault.description
    }

    private func texts(_ lines: [[UInt8]]) -> [String] { lines.map { String(decoding: $0, as: UTF8.self) } }

    @Test("adds a screen with a text for each row, then sends the rows and the light")
    func connects() throws {
        let server = try FakeLCDd()
        var display = display(server.address)
        #expect(display.show(frame(["Oxford St N   12:04"]), at: start).health == .shown)
        let blank = String(repeating: " ", count: 20)
        #expect(
            texts(server.received) == [
                "hello", "client_set -name boardd", "screen_add board", "screen_set board -priority foreground",
                "screen_set board -heartbeat off", "widget_add board row1 string", "widget_add board row2 string",
                "widget_add board row3 string", "widget_add board row4 string",
                "widget_set board row1 1 1 \"Oxford St N   12:04 \"", "widget_set board row2 1 2 \"\(blank)\"",
                "widget_set board row3 1 3 \"\(blank)\"", "widget_set board row4 1 4 \"\(blank)\"",
                "screen_set board -backlight on",
            ])
    }

    @Test("sends only what changed, and everything again at a re-synchronisation")
    func changes() throws {
        let server = try FakeLCDd()
        var display = display(server.address, resync: .seconds(60))
        _ = display.show(frame(["a", "b"]), at: start)
        let first = server.received.count
        _ = display.show(frame(["a", "b"]), at: start)
        #expect(server.received.count == first)
        _ = display.show(frame(["a", "c"], isLit: false), at: start)
        #expect(
            texts(Array(server.received.dropFirst(first))) == [
                "widget_set board row2 1 2 \"c\(String(repeating: " ", count: 19))\"",
                "screen_set board -backlight off",
            ])
        let second = server.received.count
        _ = display.show(frame(["a", "c"], isLit: false), at: start + .seconds(60))
        #expect(server.received.count == second + 5)
    }

    @Test("no text ends its argument or its line: quotes and backslashes are escaped, all else is printable ISO 8859-1")
    func injection() {
        func sent(_ text: String) -> String {
            String(LCDdCommand.quoted(Array(text)).map { Character(Unicode.Scalar($0)) })
        }
        #expect(sent("a\"\nscreen_del x") == "\"a\\\" screen_del x\"")
        #expect(sent("\\\" {x}") == "\"\\\\\\\" {x}\"")
        #expect(sent("Zürich é’№\u{A0}→█▁") == "\"Zürich é'N >#_\"")
        #expect(sent("q\u{301}\u{1B}\u{7F}\u{85}駅\r\n") == "\"q???? \"")
        for code in UInt32(0)...0x2FF {
            guard let scalar = Unicode.Scalar(code) else { continue }
            let bytes = LCDdCommand.quoted([Character(scalar)]).dropFirst().dropLast()
            #expect(bytes.allSatisfy { (0x20...0x7E).contains($0) || $0 >= 0xA1 && $0 != 0xAD }, "\(code)")
            #expect(bytes.count == 1 || Array(bytes) == [0x5C, 0x22] || Array(bytes) == [0x5C, 0x5C], "\(code)")
        }
    }

    @Test("a server that does not listen is reported with what to do, and tried again")
    func absent() throws {
        let address = try FakeLCDd().address
        var display = display(address)
        let report = display.show(frame([]), at: start)
        #expect(fault(report) == "LCDd does not listen at \(address): start it, or set [display] server to its address")
        #expect(report.callAgainAt == start + .milliseconds(100))
    }

    @Test("a display of another size is reported with the size to set")
    func otherSize() throws {
        let server = try FakeLCDd()
        var display = display(server.address, size: DisplaySize(columns: 16, rows: 2))
        let report = display.show(Frame(blank: DisplaySize(columns: 16, rows: 2)), at: start)
        #expect(
            fault(report) == "the display of LCDd at \(server.address) is 20x4, but [display] size is 16x2: "
                + "set size = \"20x4\"")
        #expect(texts(server.received) == ["hello"])
    }

    @Test("a display that no board fits is reported without a size to set")
    func unusableSize() throws {
        let server = try FakeLCDd { _ in Array(FakeLCDd.greeting.replacing("wid 20", with: "wid 8").utf8) }
        var display = display(server.address)
        #expect(
            fault(display.show(frame([]), at: start))
                == "the display of LCDd at \(server.address) is 8x4, but a board needs 16x1 to 40x8: use another display"
        )
    }

    @Test("an address that no socket takes is reported with what to set")
    func wrongAddress() {
        var display = display(ServerAddress(host: ":::::", port: 13_666))
        #expect(
            fault(display.show(frame([]), at: start))
                == "[:::::]:13666 is not an address to connect to: set [display] server to LCDd's IP address and port")
    }

    @Test(
        "another server, a rejected command, an endless line and a closed connection are reported",
        arguments: [
            (
                "hello", "SSH-2.0-OpenSSH\n",
                "unexpected reply from the server at %: \"SSH-2.0-OpenSSH\". Check that it is LCDd 0.5 or newer"
            ),
            (
                "screen_add board", "huh? Too many screens\u{1B}\n",
                "unexpected reply from the server at %: \"huh? Too many screens \". Check that it is LCDd 0.5 or newer"
            ),
            ("hello", String(repeating: "x", count: 5_000), "the server at % is not LCDd: set [display] server"),
            ("screen_set board -backlight on", nil, "LCDd at % closed the connection: check that it is running"),
        ] as [(String, String?, String)])
    func strangeReplies(line: String, reply: String?, expected: String) throws {
        let server = try FakeLCDd { $0 == line ? reply.map { Array($0.utf8) } : FakeLCDd.respond(to: $0) }
        var display = display(server.address)
        let report = display.show(frame([]), at: start)
        #expect(fault(report) == expected.replacing("%", with: "\(server.address)"))
    }

    @Test("a server that sends without an end delays a call, but not for ever")
    func flood() throws {
        // More than a call can read.
        let notices = Array(String(repeating: "key Enter\n", count: 2_000_000).utf8)
        let server = try FakeLCDd { line in
            (line.hasPrefix("widget_set board row1") ? notices : []) + (FakeLCDd.respond(to: line) ?? [])
        }
        var display = display(server.address, limit: .milliseconds(50))
        let report = display.show(frame([]), at: start)
        #expect(fault(report) == "LCDd at \(server.address) does not respond: restart it, and check the network to it")
    }

    @Test("the end of LCDd is found without a change to send")
    func end() async throws {
        let server = try FakeLCDd()
        var display = display(server.address)
        #expect(display.show(frame(["a"]), at: start).health == .shown)
        server.send(Array("ignore board\n".utf8))
        #expect(display.show(frame(["a"]), at: start).health == .shown)
        server.end()
        var report = DisplayReport(.shown)
        let isFound = await eventually {
            report = display.show(frame(["a"]), at: start)
            return report.health != .shown
        }
        #expect(isFound)
        #expect(fault(report).hasPrefix("LCDd at \(server.address) closed the connection"))
    }

    @Test(
        "after a connection that was closed, and after a request without a response, the display connects again and sends everything",
        arguments: [nil, ""])
    func reconnects(reply: String?) async throws {
        // Fails at the first change of the light.
        let hasFailed = Mutex(false)
        let server = try FakeLCDd { line in
            guard line == "screen_set board -backlight off" else { return FakeLCDd.respond(to: line) }
            return hasFailed.withLock { hasFailed in
                defer { hasFailed = true }
                return hasFailed ? FakeLCDd.respond(to: line) : reply.map { Array($0.utf8) }
            }
        }
        var display = display(server.address, limit: reply == nil ? Patience.endless : .milliseconds(300))
        #expect(display.show(frame(["a"]), at: start).health == .shown)
        let failed = display.show(frame(["b"], isLit: false), at: start)
        #expect(fault(failed).contains(reply == nil ? "closed the connection" : "does not respond"))
        let before = server.received.count
        let pause = try #require(failed.callAgainAt)
        #expect(display.show(frame(["c"], isLit: false), at: pause - .milliseconds(1)).health != .shown)
        #expect(server.received.count == before)
        var now = pause
        let isBack = await eventually {
            let report = display.show(frame(["c"], isLit: false), at: now)
            now = report.callAgainAt ?? now
            return report.health == .shown
        }
        #expect(isBack)
        let sent = texts(server.received.suffix(14))
        #expect(sent.first == "hello" && sent.last == "screen_set board -backlight off")
        #expect(sent.contains { $0.hasPrefix("widget_set board row1 1 1 \"c ") })
    }
}
