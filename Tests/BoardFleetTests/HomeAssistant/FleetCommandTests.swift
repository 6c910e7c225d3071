import BoardCore
import BoardService
import Testing

@testable import BoardFleet

@Suite("Commands of the broker")
struct FleetCommandTests {
    @Test(
        "what Home Assistant's button, select and notify entities send is a command",
        arguments: [
            (FleetCommand.Name.press, "short", FleetCommand.press(.short, .first)),
            (.press, "PRESS", .press(.short, .first)), (.press, "long-hold", .press(.longHold, .first)),
            (.refresh, "PRESS", .refresh), (.refresh, "", .refresh),
            (.page, "All stops", .page("All stops")), (.light, "off", .light(.off)),
            (.press, #"{"gesture": "hold", "number": 2}"#, .press(.hold, ButtonID(number: 2))),
            (.page, #"{"page": "tfl:1"}"#, .page("tfl:1")), (.light, #"{"light": "auto"}"#, .light(.auto)),
            (.refresh, #"{"sender": "a later version"}"#, .refresh),
        ])
    func commands(name: FleetCommand.Name, payload: String, command: FleetCommand) throws {
        #expect(try FleetCommand(name, payload: Array(payload.utf8)) == command)
    }

    @Test("a message is plain text or JSON, in one printable line")
    func message() throws {
        let plain = try FleetCommand(.message, payload: Array("Dinner\u{1b}\nis ready".utf8))
        #expect(plain == .message(try BoardMessage("Dinner is ready")))
        // As Home Assistant's template writes it.
        let json = try FleetCommand(.message, payload: Array(#"{"text": "5 \u003c 6 {\"a\": 1}", "seconds": 90}"#.utf8))
        #expect(json == .message(try BoardMessage(#"5 < 6 {"a": 1}"#, seconds: 90)))
    }

    @Test(
        "a bad payload is a sentence",
        arguments: [
            (FleetCommand.Name.press, "kick", "\"kick\" is not a gesture; write short, hold, long-hold or double"),
            (.press, "{}", "\"\" is not a gesture"), (.press, #"{"gesture": "short", "number": 0}"#, "counted from 1"),
            (.press, #"{"gesture": 1}"#, "not a JSON object of texts and whole numbers: gesture"),
            (.press, "{", "not a JSON object"), (.refresh, "now", "must be empty or PRESS"),
            (.page, "", "page is empty"),
            (.page, "{}", "page is empty"), (.light, "ON", "\"ON\" is not a mode of the light; write auto, on or off"),
            (.message, "", "text is empty"), (.message, #"{"text": "a", "seconds": 9999}"#, "from 1 to 3600"),
            (.message, String(repeating: "x", count: 201), "text has 201 characters"),
            (.message, String(repeating: "x", count: 65_536), "the payload has 65536 bytes"),
            (.light, "\u{1b}[2J\(String(repeating: "x", count: 500))", "…\" is not a mode"),
        ])
    func bad(name: FleetCommand.Name, payload: String, words: String) {
        let error = #expect(throws: PlainError.self) { try FleetCommand(name, payload: Array(payload.utf8)) }
        let text = error?.description ?? ""
        #expect(text.hasPrefix("command \(name.rawValue): ") && text.contains(words), "\(text)")
        #expect(text.count < 250 && text == text.asPrintedLine)
    }

    @Test("bytes that are no text are a sentence")
    func noText() {
        for name in FleetCommand.Name.allCases {
            #expect(throws: PlainError.self) { try FleetCommand(name, payload: [0xff, 0x00, 0xc3]) }
        }
    }

    @Test("each page of the announcement is a page that the board finds again")
    func pages() throws {
        let pages = [("overview", "All stops"), ("tfl:1", "High St"), ("tfl:2", "High St"), ("address", "Address")].map
        {
            PageReport(id: $0.0, title: $0.1, screens: 1)
        }
        let board = BoardPages(pages)
        #expect(board.names == ["All stops", "High St (tfl:1)", "High St (tfl:2)"])
        #expect(try board.names.map { try board.stop(called: $0)?.code } == [nil, "1", "2"])
        #expect(try board.stop(called: "tfl:2")?.code == "2" && board.stop(called: "ALL STOPS") == nil)
        #expect(board.name(of: "address") == nil && board.name(of: "overview") == "All stops")
        #expect(throws: ServiceError.self) { try board.stop(called: "address") }
        let error = #expect(throws: ServiceError.self) { try board.stop(called: "high st") }
        #expect(error?.kind == .invalid && error?.candidates.map(\.id) == ["tfl:1", "tfl:2"])
    }
}
