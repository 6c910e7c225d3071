import BoardCore
import Testing

@testable import BoardFeeds

@Suite("Decoding operators' JSON")
struct JSONDocumentTests {
    /// The interpretation of the member "v" of each element.
    private func values<Value>(_ json: String, _ take: (JSONRow) -> Value?) throws(FormatError) -> [Value?] {
        try JSONDocument(Array(json.utf8)).list().map { $0.row.flatMap(take) }
    }

    private func fault(_ bytes: [UInt8]) -> String? {
        do throws(FormatError) {
            _ = try JSONDocument(bytes).list()
            return nil
        } catch {
            return error.description
        }
    }

    private static let tastes =
        #"[{},{"v":null},{"v":""},{"v":"null"},{"v":"  "},{"v":{"a":1}},{"v":[2]},{"v":" a\n"},{"v":12},{"v":"12"},{"v":-1.5},{"v":true}]"#

    @Test("absent, null, an empty text, blanks and the word null all mean no value; numbers may be quoted")
    func values() throws {
        #expect(
            try values(Self.tastes) { $0.text("v") }
                == [nil, nil, nil, nil, nil, nil, nil, "a", "12", "12", "-1.5", "true"])
        #expect(
            try values(Self.tastes) { $0.integer("v") } == [nil, nil, nil, nil, nil, nil, nil, nil, 12, 12, nil, nil])
        #expect(
            try values(Self.tastes) { $0.number("v") } == [nil, nil, nil, nil, nil, nil, nil, nil, 12, nil, -1.5, nil])
    }

    @Test("a boolean may be quoted or a number; other values are not true, and an absent one is nil")
    func truths() throws {
        let json =
            #"[{"v":true},{"v":false},{"v":"True"},{"v":"false"},{"v":1},{"v":0},{"v":"?"},{"v":null},{"v":""},{"v":[]},{}]"#
        #expect(
            try values(json) { $0.truth("v") } == [true, false, true, false, true, false, false, nil, nil, nil, nil])
    }

    @Test("an integer may have a fraction or an exponent; one too large is nil, without a trap")
    func numbers() throws {
        let json =
            #"[{"v":1.0},{"v":12e1},{"v":-0},{"v":1.25},{"v":9223372036854775807},{"v":9223372036854775808},{"v":1e400},{"v":-1E-400}]"#
        #expect(try values(json) { $0.integer("v") } == [1, 120, 0, nil, .max, nil, nil, 0])
        #expect(
            try values(json) { $0.number("v") }.map { $0 != nil } == [true, true, true, true, true, true, false, true])
    }

    @Test("invalid dates are nil")
    func times() throws {
        let json =
            #"[{"v":"2026-03-02T08:00:00.1234567Z"},{"v":"0001-01-01T00:00:00"},{"v":9},{"v":null},{"v":"2026-03-02T08:00:00\u005a"}]"#
        let second = Timestamp(seconds: 1_772_438_400)
        #expect(try values(json) { $0.time("v") } == [second + .microseconds(123_456), nil, nil, nil, second])
    }

    @Test("a malformed row costs only itself")
    func lossy() throws {
        let json = #"[{"v":"a"}, null, 17, "row", [], {"v":"b"}]"#
        #expect(try values(json) { $0.text("v") } == ["a", nil, nil, nil, nil, "b"])
        let rows = try JSONDocument(Array(json.utf8)).list().rows { $0.text("v") }
        #expect(rows.good == ["a", "b"])
        #expect(rows.bad == 4)
    }

    @Test("the valid texts and numbers of a list are read; without a list there are none")
    func lists() throws {
        let row = try JSONDocument(Array(#"{"t":["a",null,"",2,{}],"n":[1,"2",null,"x"],"o":7}"#.utf8)).row()
        #expect(row.texts("t") == ["a", "2"])
        #expect(row.integers("n") == [1, 2])
        #expect(row.texts("o").isEmpty && row.integers("none").isEmpty)
        #expect(row.rows("t") { $0.text("a") }.isEmpty)
    }

    @Test("of members with the same name the last one counts, and a name may have escapes")
    func names() throws {
        let json = #"{"v":1,"w":{"v":5},"v":2,"vv":3,"\u0076":4,"":6,"é":7}"#
        let row = try JSONDocument(Array(json.utf8)).row()
        #expect(row.integer("v") == 4)
        #expect(row.row("w")?.integer("v") == 5)
        #expect(row.integer("") == 6)
        #expect(row.integer("é") == 7)
        #expect(row["x"] == nil)
        #expect(row.row("v") == nil)
    }

    @Test(
        "escapes are resolved; half a surrogate pair becomes a replacement character",
        arguments: [
            (#"a\"\\\/\u00e9\ud83d\ude8c"#, "a\"\\/é🚌"), (#"1\b\f\n\r\t2"#, "1\u{8}\u{C}\n\r\t2"), (#"\u0041"#, "A"),
            (#"a\u0000b"#, "a\u{0}b"), (#"x\ud83d"#, "x\u{FFFD}"), (#"\ud83dx"#, "\u{FFFD}x"), (#"\ude8c"#, "\u{FFFD}"),
            (#"\ud83d\u0041"#, "\u{FFFD}A"), (#"\ud83d\ud83d\ude8c"#, "\u{FFFD}🚌"),
            ("Zoë 駅 🚌", "Zoë 駅 🚌"), ("a\u{7F}b", "a\u{7F}b"),
        ])
    func escapes(written: String, meant: String) throws {
        #expect(try values("[{\"v\":\"\(written)\"}]") { $0.text("v") } == [meant])
    }

    @Test(
        "all that RFC 8259 allows is read",
        arguments: [
            "[]", "{}", " [ ] ", "\u{FEFF}[ {\"v\":\"a\"} ]\r\n", "[\t1\n,\r2 ]", "[0]", "[-0]", "[0.5]", "[-12.5e+10]",
            "[1E5]", "[0e1]", "[1e-2]", "[true,false,null]", "[[],[[]],{}]", #"{"a":{"b":[1,{"c":null}]}}"#,
            #"["\u0000"]"#, "[\"\u{2028}\"]", #"["\\"]"#, "[1e9999]", "[" + String(repeating: "9", count: 500) + "]",
            String(repeating: "[", count: 128) + String(repeating: "]", count: 128),
        ])
    func allowed(json: String) throws {
        _ = try JSONDocument(Array(json.utf8))
    }

    @Test(
        "all that it does not allow is a fault, wherever it occurs",
        arguments: [
            "[1,]", "[,1]", "[1,,2]", "[1 2]", "[1", "[", "[}", "[1}", "[]]", "[][]", "[1]x", "[] //", "[1:2]",
            #"{"a":1,}"#,
            #"{,"a":1}"#, #"{"a"}"#, #"{"a":}"#, #"{"a" 1}"#, #"{"a":1 "b":2}"#, #"{"a":1,"b"#, "{a:1}", "{1:1}",
            "{'a':1}",
            "{null:1}", "{\"a\":1", "{]", "['a']", "[01]", "[-]", "[-01]", "[+1]", "[.5]", "[1.]", "[-.5]", "[1.e5]",
            "[1e]",
            "[1e+]", "[0x1]", "[1_000]", "[NaN]", "[Infinity]", "[-Infinity]", "[nul]", "[nulL]", "[True]",
            "[truefalse]",
            "[tru", "[undefined]", #"["a]"#, #"["\"]"#, #"["\x41"]"#, #"["\u12"]"#, #"["\u12G4"]"#, #"["\u"#,
            #"["\U0041"]"#,
            #"["\'"]"#, "[\"a\nb\"]", "[\"a\tb\"]", "[\"a\u{0}b\"]", "[\"a\u{1F}b\"]", "[\u{0}]", "[\u{A0}1]",
            "[\u{FEFF}]",
            "\u{FEFF}\u{FEFF}[]", "[1]\u{0}", "[\u{C}1]", "[/*1*/]",
        ])
    func forbidden(json: String) {
        #expect(fault(Array(json.utf8)) != nil)
    }

    @Test(
        "invalid UTF-8 is a fault, in texts, names and elsewhere",
        arguments: [
            [0xFF], [0x80], [0xC3], [0xC0, 0xAF], [0xE0, 0x80, 0xAF], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
            [0xF0, 0x9F, 0x9A], [0xE2, 0x82],
        ] as [[UInt8]])
    func invalid(bytes: [UInt8]) {
        let texts = [Array("[\"a".utf8) + bytes + Array("b\"]".utf8), Array("[1,".utf8) + bytes + Array("]".utf8)]
        for text in texts + [Array("{\"".utf8) + bytes + Array("\":1}".utf8)] {
            #expect(fault(text)?.contains("malformed JSON after") == true)
        }
    }

    @Test(
        "a text that is not JSON is a fault with a description",
        arguments: [
            ("", "empty"), (" \n", "empty"), ("<!DOCTYPE html>", "HTML"), ("\u{FEFF}<xml/>", "HTML"),
            ("\u{1F}\u{8B}", "compressed"), ("Service unavailable", "\"Service unavailable\""), ("17", "\"17\""),
            ("[", "truncated after 1"), ("[{\"v\":", "truncated after 6"), ("[\"a\\u00", "truncated after 7"),
            ("[tr", "truncated after 3"), ("[-", "truncated after 2"), ("[{}]x", "malformed JSON after 4"),
            ("[{]}", "malformed JSON after 2"), ("[{} {}]", "malformed JSON after 4"),
            ("[trie]", "malformed JSON after 3"),
            ("[01]", "malformed JSON after 2"), ("{\"message\":\"sorry\"}", "unexpected structure"),
        ])
    func broken(json: String, message: String) {
        #expect(fault(Array(json.utf8))?.contains(message) == true, "\(fault(Array(json.utf8)) ?? "read")")
    }

    @Test("a list where an object is expected is an unexpected structure, and vice versa")
    func shape() {
        #expect(throws: FormatError.unexpectedStructure) { try JSONDocument(Array("[{}]".utf8)).row() }
    }

    @Test("endlessly nested brackets are rejected, not followed")
    func depth() {
        let message = "more than 128 nested brackets"
        #expect(fault(Array(String(repeating: "[", count: 129).utf8))?.contains(message) == true)
        #expect(fault(Array(String(repeating: "[", count: 100_000).utf8))?.contains(message) == true)
        let objects = String(repeating: "{\"v\":", count: 100_000)
        #expect(fault(Array(("[" + objects).utf8))?.contains(message) == true)
    }

    @Test("a text of 180,000 values in one object is parsed at once, and any of them is found")
    func wide() throws {
        let members = (0..<90_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        let row = try JSONDocument(Array("{\(members)}".utf8)).row()
        #expect(row.integer("k0") == 0)
        #expect(row.integer("k89999") == 89_999)
        #expect(row["k90000"] == nil)
    }

    @Test("truncated or damaged anywhere, a text means the same as to another decoder, or is a fault to both")
    func judged() throws {
        var random = LittleRandom(state: 8_259)
        var both = 0
        for name in ["arrivals_bus.json", "rail_board.json", "stoppoint_hub.json"] {
            let whole = try Fixtures.own(name)
            for _ in 0..<300 {
                var bytes = whole
                bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.below(128))
                let document = try? JSONDocument(bytes)
                let judged = try? FoundationJSON.decode(Anything.self, from: bytes)
                #expect((document == nil) == (judged == nil), "\(name)")
                guard let document, let judged else { continue }
                #expect(judged.isMeant(by: document.root))
                both += 1
            }
        }
        #expect(both > 300)
    }

    @Test("damage to a response never crashes: truncated, or with bytes flipped anywhere")
    func damage() throws {
        let stop = StopID(feed: TfLFeed.name, code: "490099901X")
        let response = HTTPResponse(status: 200, received: Timestamp(seconds: 0))
        let line = Line(id: "elizabeth", name: "Elizabeth line")
        var random = LittleRandom(state: 20_260_302)
        var readable = 0
        func read(_ bytes: [UInt8]) {
            do throws(FormatError) {
                _ = try TfLDepartures(arrivals: bytes, at: stop.code, for: stop, response)
                _ = try TfLDepartures(trains: bytes, of: line, from: stop.code, for: stop, response)
                readable += 1
            } catch {}
            _ = try? (TfLStopPoint(bytes), StopPage.tfl(bytes), LineRoute(tfl: bytes))
            _ = try? Rail.feedResponse(RailBoard(marketplace: bytes, Rail.response))
            _ = ResponseStatusPolicy.message(in: bytes)
        }
        for name in ["arrivals_bus.json", "arrivals_tube_odd.json", "arrivaldepartures.json", "stoppoint_hub.json"] {
            let whole = try Fixtures.own(name)
            for length in stride(from: 0, to: whole.count, by: 31) { read(Array(whole.prefix(length))) }
            #expect(readable == 0, "a truncated text is never complete")
            for _ in 0..<300 {
                var bytes = whole
                for _ in 0..<(1 + random.below(4)) {
                    bytes[random.below(bytes.count)] = UInt8(truncatingIfNeeded: random.below(256))
                }
                read(bytes)
            }
            readable = 0
        }
    }
}

/// A value of any kind, for a comparison.
private enum Anything: Decodable {
    case object([String: Anything]), list([Anything]), string(String), number(Double), truth(Bool), null

    init(from decoder: any Decoder) throws {
        let value = try decoder.singleValueContainer()
        if value.decodeNil() {
            self = .null
        } else if let truth = try? value.decode(Bool.self) {
            self = .truth(truth)
        } else if let number = try? value.decode(Double.self) {
            self = .number(number)
        } else if let string = try? value.decode(String.self) {
            self = .string(string)
        } else if let list = try? value.decode([Anything].self) {
            self = .list(list)
        } else {
            self = .object(try value.decode([String: Anything].self))
        }
    }

    func isMeant(by value: JSONValue) -> Bool {
        switch self {
        case .object(let members):
            guard let row = value.row else { return false }
            return members.allSatisfy { name, member in row[name].map(member.isMeant) ?? false }
        case .list(let list):
            guard let elements = value.elements.map(Array.init), elements.count == list.count else { return false }
            return zip(list, elements).allSatisfy { $0.isMeant(by: $1) }
        case .string(let string):
            guard value.isString else { return false }
            let utf8 = string.utf8
            return value.text == utf8.span.trimmedText
        case .number(let number): return value.number == number
        case .truth(let truth): return value.truth == truth
        case .null: return value.isNull
        }
    }
}

/// A generator with a seed, so that a failure can be reproduced (Knuth's MMIX constants).
private struct LittleRandom {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(limit))
    }
}
