import Testing

@testable import BoardFeeds
@testable import BoardFormats

@Suite("Splitting a list into its elements while it arrives")
struct JSONElementSplitterTests {
    /// The result for a text.
    private struct Reading: Equatable {
        var elements: [String] = []
        var rejected = 0
        var total: Int?
        var fault: JSONFault?
    }

    private static let list = """
        \u{FEFF} {"$type":"a, \\"b]\\\\", "centre":[51.5,[-0.1]],"page": 2,"stopPoints" :[ {"a":"]}\\"\\\\","b":[{},[1,2]]},
          {} ,17,"x,y", null,{"é":"🚌\\u00e9"}], "pageSize":1000 ,"total":"536" } \r\n
        """
    private static let elements = [
        #"{"a":"]}\"\\","b":[{},[1,2]]}"#, "{}", "17", #""x,y""#, "null", #"{"é":"🚌\u00e9"}"#,
    ]

    /// Reads chunks; `finish` is called only for a complete text.
    private func read(
        _ chunks: [ArraySlice<UInt8>], largest: Int = 1_000, maxDepth: Int = 64, isWhole: Bool = true
    ) -> Reading {
        var splitter = JSONElementSplitter(array: "stopPoints", largest: largest, maxDepth: maxDepth)
        var reading = Reading()
        do throws(JSONFault) {
            for chunk in chunks {
                var position = 0
                let bytes = Array(chunk)
                while try splitter.next(in: bytes.span, from: &position) {
                    reading.elements.append(String(decoding: splitter.element, as: UTF8.self))
                }
                #expect(position == bytes.count)
            }
            if isWhole { try splitter.finish() }
        } catch {
            reading.fault = error
        }
        reading.rejected = splitter.rejected
        reading.total = splitter.integer("total")
        #expect(splitter.elements == reading.elements.count + reading.rejected)
        return reading
    }

    private func read(_ text: String) -> Reading { read([Array(text.utf8)[...]]) }

    @Test(
        "every element is emitted as received, whatever its strings contain, and so are numbers before and after the list"
    )
    func elements() {
        let reading = read(Self.list)
        #expect(reading == Reading(elements: Self.elements, total: 536))
        var splitter = JSONElementSplitter(array: "stopPoints")
        var position = 0
        #expect(throws: Never.self) {
            while try splitter.next(in: Array(Self.list.utf8).span, from: &position) {
                #expect(splitter.integer("page") == 2)
                #expect(splitter.integer("total") == nil)
            }
        }
        #expect(splitter.integer("pageSize") == 1000)
        #expect(splitter.integer("centre") == nil)
    }

    @Test("the boundaries of chunks do not matter")
    func chunks() {
        let bytes = Array(Self.list.utf8)
        let expected = read([bytes[...]])
        for cut in 0...bytes.count {
            #expect(read([bytes[..<cut], bytes[cut...]]) == expected, "cut at \(cut)")
        }
        for size in 1...7 {
            let pieces = stride(from: 0, to: bytes.count, by: size).map { bytes[$0..<min($0 + size, bytes.count)] }
            #expect(read(pieces) == expected)
        }
    }

    @Test("a truncated text is a fault, and its complete elements were emitted")
    func cut() {
        let bytes = Array(Self.list.utf8)
        let end = bytes.lastIndex(of: UInt8(ascii: "}")) ?? 0
        for length in 0...end {
            let reading = read([bytes[..<length]])
            #expect(
                reading.fault?.description.contains(length < 5 ? "empty" : "truncated after \(length) bytes") == true)
            #expect(reading.elements.elementsEqual(Self.elements.prefix(reading.elements.count)))
        }
    }

    @Test("an outermost list needs no name")
    func outermost() {
        #expect(read("[{\"a\":1},{}]") == Reading(elements: ["{\"a\":1}", "{}"]))
        #expect(read(" [ ] ") == Reading())
        #expect(read("{\"stopPoints\":[]}") == Reading())
    }

    @Test(
        "a text without such a list is a fault with a description",
        arguments: [
            ("", "empty"), ("\u{FEFF} \n", "empty"), ("<!DOCTYPE html>", "HTML"), ("\u{FEFF}<xml/>", "HTML"),
            ("\u{1F}\u{8B}", "compressed"), ("Service unavailable, please", "\"Service unavailable,\""),
            ("no", "\"no\""),
            ("{\"message\":\"sorry\"}", "unexpected structure"), ("{\"stopPoints\":null}", "unexpected structure"),
            ("{\"a\":{\"stopPoints\":[{}]}}", "unexpected structure"), ("[{}]x", "malformed JSON after 4"),
            ("{}{", "malformed"),
            ("[{},]", "malformed JSON after 4"), ("[,{}]", "malformed"), ("[{} {}]", "malformed"), ("[}", "malformed"),
            ("[{}}", "malformed"),
            ("{,\"a\":1}", "malformed"), ("{\"a\" 1}", "malformed"), ("{\"a\":1,}", "malformed JSON after 7"),
            ("{a:1}", "malformed"),
            ("{\"a\":1 \"b\":2}", "malformed"), ("{\"a\":x}", "malformed"), ("[{]}", "malformed"),
        ])
    func faults(text: String, message: String) {
        for chunks in [[Array(text.utf8)[...]], Array(text.utf8).map { [$0] }] {
            let fault = read(chunks).fault
            #expect(fault?.description.contains(message) == true, "\(fault?.description ?? "none")")
        }
    }

    @Test("an element that is too large is counted and dropped, and does not affect others")
    func largest() {
        let huge = "{\"a\":\"" + String(repeating: "x", count: 5_000_000) + "\"}"
        let text = Array("[{\"n\":1},\(huge),{\"n\":2}]".utf8)
        var splitter = JSONElementSplitter(array: "", largest: 100_000)
        var found: [String] = []
        var most = 0
        for start in stride(from: 0, to: text.count, by: 16_384) {
            let chunk = Array(text[start..<min(start + 16_384, text.count)])
            var position = 0
            #expect(throws: Never.self) {
                while try splitter.next(in: chunk.span, from: &position) {
                    found.append(String(decoding: splitter.element, as: UTF8.self))
                }
            }
            most = max(most, splitter.element.capacity)
        }
        #expect(throws: Never.self) { try splitter.finish() }
        #expect(found == ["{\"n\":1}", "{\"n\":2}"])
        #expect(splitter.rejected == 1)
        #expect(splitter.elements == 3)
        #expect(most <= 200_000, "growing doubles a buffer at most")
    }

    @Test("elements are accepted up to the limit and not a byte more")
    func limit() {
        let element = "{\"a\":\"bc\"}"
        #expect(read([Array("[\(element)]".utf8)[...]], largest: element.utf8.count).elements == [element])
        let tooLarge = read([Array("[\(element),{}]".utf8)[...]], largest: element.utf8.count - 1)
        #expect(tooLarge == Reading(elements: ["{}"], rejected: 1))
    }

    @Test("ten thousand nested brackets are counted and dropped")
    func depth() {
        let deep = String(repeating: "[", count: 10_000) + String(repeating: "]", count: 10_000)
        let text = "{\"odd\":\(deep),\"stopPoints\":[{\"a\":\(deep)},{}]}"
        #expect(read([Array(text.utf8)[...]], largest: 100_000) == Reading(elements: ["{}"], rejected: 1))
        let open = read([Array(("[" + String(repeating: "{\"a\":", count: 10_000)).utf8)[...]], largest: 100_000)
        #expect(open.fault?.description.contains("truncated") == true)
    }

    @Test("the stored names and numbers beside the list are bounded")
    func bounds() {
        var splitter = JSONElementSplitter(array: "stopPoints")
        let many = (0..<10_000).map { "\"k\($0)\":\($0)" }.joined(separator: ",")
        let long = String(repeating: "9", count: 100_000)
        let text = "{\"long\":\(long),\"\(long)\":1,\(many),\"stopPoints\":[]}"
        var position = 0
        #expect(throws: Never.self) {
            #expect(try !splitter.next(in: Array(text.utf8).span, from: &position))
            try splitter.finish()
        }
        #expect(splitter.scalars.count <= 32)
        #expect(splitter.integer("long") == nil)
        #expect(splitter.integer("k0") == 0)
    }
}
