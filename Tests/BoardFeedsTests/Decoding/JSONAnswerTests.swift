import BoardCore
import Testing

@testable import BoardFeeds

@Suite("Decoding what operators send as JSON")
struct JSONAnswerTests {
    /// A row that takes everything as whatever it may be.
    private struct Row: Decodable {
        private enum CodingKeys: String, CodingKey {
            case v
        }

        let text: String?
        let integer: Int?
        let time: Timestamp?

        init(from decoder: any Decoder) throws {
            let row = try decoder.container(keyedBy: CodingKeys.self)
            text = row.text(.v)
            integer = row.integer(.v)
            time = row.time(.v)
        }
    }

    private func rows(_ json: String) throws(JSONFault) -> [Row?] {
        try JSONAnswer.decode([LossyRow<Row>].self, from: Array(json.utf8)).map(\.row)
    }

    @Test(
        "absent, null, an empty text, blanks and the word null all mean no value; numbers and quotes are a matter of taste"
    )
    func values() throws {
        let rows = try rows(
            #"[{},{"v":null},{"v":""},{"v":"null"},{"v":"  "},{"v":{"a":1}},{"v":[2]},{"v":" a "},{"v":12},{"v":"12"},{"v":-1.5},{"v":true}]"#
        )
        #expect(
            rows.map(\.?.text) == [nil, nil, nil, nil, nil, nil, nil, "a", "12", "12", "-1.5", "true"])
        #expect(rows.map(\.?.integer) == [nil, nil, nil, nil, nil, nil, nil, nil, 12, 12, nil, nil])
    }

    @Test("dates that are none have no value")
    func times() throws {
        let rows = try rows(#"[{"v":"2026-03-02T08:00:00.1234567Z"},{"v":"0001-01-01T00:00:00"},{"v":9},{"v":null}]"#)
        #expect(rows.map(\.?.time) == [Timestamp(microseconds: 1_772_438_400_123_456), nil, nil, nil])
    }

    @Test("a row that is none costs itself and no other")
    func lossy() throws {
        #expect(
            try rows(#"[{"v":"a"}, null, 17, "row", [], {"v":"b"}]"#).map(\.?.text) == ["a", nil, nil, nil, nil, "b"])
    }

    @Test("escapes are resolved, a byte order mark is nothing")
    func escapes() throws {
        #expect(try rows(#"[{"v":"a\"\\\/\u00e9\ud83d\ude8c"}]"#).map(\.?.text) == ["a\"\\/é🚌"])
        #expect(try rows("\u{FEFF} [ {\"v\":\"a\"} ]\r\n").map(\.?.text) == ["a"])
    }

    @Test(
        "a text that is no JSON is an error that says what it is instead",
        arguments: [
            ("", "empty"), (" \n", "empty"), ("<!DOCTYPE html>", "HTML"), ("\u{FEFF}<xml/>", "HTML"),
            ("\u{1F}\u{8B}", "compressed"), ("Service unavailable", "\"Service unavailable\""), ("[", "cut short"),
            ("[{\"v\":", "cut short"), ("[{}]x", "broken"), ("[{]}", "broken"), ("[{} {}]", "broken"),
            ("{\"message\":\"sorry\"}", "another shape"),
        ])
    func broken(json: String, words: String) {
        do throws(JSONFault) {
            _ = try rows(json)
            Issue.record("decoded")
        } catch {
            #expect(error.description.contains(words))
        }
    }

    @Test("brackets inside each other without end are refused, not followed")
    func depth() {
        #expect(throws: JSONFault.self) { try rows("[" + String(repeating: "[", count: 100_000)) }
        let objects = String(repeating: "{\"v\":", count: 100_000)
        #expect(throws: JSONFault.self) { try rows("[" + objects) }
    }

    @Test("no damage to an answer crashes, cut short or with bytes flipped anywhere")
    func damage() throws {
        let stop = StopID(feed: TfLFeed.name, code: "490099901X")
        let response = HTTPResponse(status: 200, received: Timestamp(seconds: 0))
        let line = Line(id: "elizabeth", name: "Elizabeth line")
        var random = LittleRandom(state: 20_260_302)
        var readable = 0
        func read(_ bytes: [UInt8]) {
            do throws(JSONFault) {
                _ = try TfLArrivals(bytes, at: stop.code, for: stop, response)
                _ = try TfLArrivalDepartures(bytes, of: line, from: stop.code, for: stop, response)
                readable += 1
            } catch {}
            do throws(JSONFault) { _ = try TfLStopPoint(bytes) } catch {}
            _ = TfLRefusal.message(in: bytes)
        }
        for name in ["arrivals_bus.json", "arrivals_tube_odd.json", "arrivaldepartures.json", "stoppoint_hub.json"] {
            let whole = try Fixtures.own(name)
            for length in stride(from: 0, to: whole.count, by: 31) { read(Array(whole.prefix(length))) }
            #expect(readable == 0, "a text cut short is never whole")
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

/// A generator of its own, so that a failure can be had again (Knuth's MMIX constants).
private struct LittleRandom {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(limit))
    }
}
