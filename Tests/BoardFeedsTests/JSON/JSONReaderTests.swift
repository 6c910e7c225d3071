import BoardCore
import Testing

@testable import BoardFeeds

@Suite("Reading JSON")
struct JSONReaderTests {
    private func texts(_ json: String) throws -> [String?] {
        var reader = JSONReader(Array(json.utf8))
        var texts: [String?] = []
        try reader.elements { reader throws(JSONError) in texts.append(try reader.text()) }
        try reader.end()
        return texts
    }

    @Test("absent, null, an empty text, blanks and the word null all mean no value")
    func noValue() throws {
        #expect(
            try texts(#"[null, "", "null", "  ", {"a":1}, [2], " a ", 12, -1.5e3, true]"#)
                == [nil, nil, nil, nil, nil, nil, "a", "12", "-1.5e3", "true"])
    }

    @Test("escapes are resolved; half a pair and an unknown escape are one odd character")
    func escapes() throws {
        #expect(
            try texts(#"["a\"\\\/\b\n\t\u00e9\ud83d\ude8c", "\ud83d!", "\q", "\u+123"]"#)
                == ["a\"\\/\u{8}\n\té🚌", "\u{FFFD}!", "\u{FFFD}", "\u{FFFD}+123"])
    }

    @Test("a byte order mark is passed over, white space is nothing")
    func mark() throws {
        #expect(try texts("\u{FEFF} [ \"a\" ,\r\n\t\"b\" ] ") == ["a", "b"])
    }

    @Test("numbers may be quoted, dates that are none have no value")
    func kinds() throws {
        var reader = JSONReader(
            Array(#"{"a":"5","b":6,"c":5.5,"d":"2026-03-02T08:00:00.1234567Z","e":"0001-01-01T00:00:00","f":9}"#.utf8))
        var integers: [Int?] = []
        var times: [Timestamp?] = []
        try reader.members { name, reader throws(JSONError) in
            if "abc".contains(name) { integers.append(try reader.integer()) } else { times.append(try reader.time()) }
        }
        #expect(integers == [5, 6, nil])
        #expect(times == [Timestamp(microseconds: 1_772_438_400_123_456), nil, nil])
    }

    @Test("what a caller leaves alone is skipped, whatever it holds")
    func skipping() throws {
        var reader = JSONReader(Array(#"{"a":{"x":["]","}",{"y":"\""}]},"b":"end"}"#.utf8))
        var end: String?
        try reader.members { name, reader throws(JSONError) in if name == "b" { end = try reader.text() } }
        #expect(end == "end")
    }

    @Test(
        "a broken text is an error that names the byte",
        arguments: [
            "", " ", "[", "[1", "[1,", "[1,]", "[\"a", "[\"a\\", "{", "[}", "[{]}", "[1 2]", "[1]x", "<html>", "nil,",
            "[,]",
            "[[}]]",
        ])
    func broken(json: String) {
        #expect(throws: JSONError.self) { try texts(json) }
    }

    @Test("brackets inside each other without end are refused, not followed")
    func depth() {
        #expect(throws: JSONError.self) { try texts("[" + String(repeating: "[", count: 100_000)) }
    }

    @Test("no damage to an answer crashes, cut short or with bytes flipped anywhere")
    func damage() throws {
        let stop = StopID(feed: TfLFeed.name, code: "490099901X")
        let response = HTTPResponse(status: 200, received: Timestamp(seconds: 0))
        let line = Line(id: "elizabeth", name: "Elizabeth line")
        var random = LittleRandom(state: 20_260_302)
        var readable = 0
        func read(_ bytes: [UInt8]) {
            do throws(JSONError) {
                _ = try TfLArrivals(bytes, at: stop.code, for: stop, response)
                _ = try TfLArrivalDepartures(bytes, of: line, from: stop.code, for: stop, response)
                readable += 1
            } catch {}
            do throws(JSONError) { _ = try TfLStopPoint(bytes) } catch {}
            _ = TfLRefusal.description(of: bytes)
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
struct LittleRandom {
    var state: UInt64

    mutating func below(_ limit: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int((state >> 33) % UInt64(limit))
    }
}
