import Testing

@testable import BoardFeeds
@testable import BoardFormats

@Suite("Parsing XML")
struct XMLReaderTests {
    /// Records its events.
    private struct Echo: XMLHandler {
        var events: [String] = []

        mutating func open(_ name: Int, in parent: Int, _ attributes: XMLAttributes) -> Bool {
            events.append("<\(name) in \(parent)\(attributes["nil"].map { " nil=\($0)" } ?? "")")
            return name != 2
        }

        mutating func close(_ name: Int, in parent: Int, _ text: Span<UInt8>) {
            var bytes: [UInt8] = []
            for index in text.indices { bytes.append(text[index]) }
            events.append("\(String(decoding: bytes, as: UTF8.self))>\(name)")
        }
    }

    private let vocabulary = XMLVocabulary(["a", "b", "skip"])

    private func events(_ text: String) throws -> [String] {
        var echo = Echo()
        try XMLReader.read(Array(text.utf8), vocabulary, &echo)
        return echo.events
    }

    private func fault(_ bytes: [UInt8]) -> String? {
        var echo = Echo()
        do {
            try XMLReader.read(bytes, vocabulary, &echo)
            return nil
        } catch {
            return error.description
        }
    }

    @Test("names are matched without prefix, declared or not, and skipped elements are not emitted")
    func names() throws {
        let text = "\n<x:a><skip>t<b/>u</skip><y:b xsi:nil=\"true\">1 &lt; <![CDATA[<2>]]></y:b><other/></x:a>"
        #expect(
            try events(text) == [
                "<0 in -1", "<2 in 0", "<1 in 0 nil=true", "1 < <2>>1", "<-1 in 0", ">-1", ">0",
            ])
    }

    @Test("line breaks and indents between tags are not text")
    func indents() throws {
        #expect(
            try events("<a>\n  <b>x</b>\n  <b> y<skip>\n z</skip>\n</b>\n</a>\n") == [
                "<0 in -1", "<1 in 0", "x>1", "<1 in 0", "<2 in 1", ">1", ">0",
            ])
    }

    @Test("a document with more text than the buffer is emitted completely")
    func long() throws {
        let words = (0..<3_000).map { "word \($0)" }
        let all = try events("<a>" + words.map { "<b>\($0)</b>" }.joined() + "</a>")
        #expect(all.filter { $0.hasSuffix(">1") } == words.map { $0 + ">1" })
    }

    @Test("the boundaries of chunks do not matter")
    func pieces() throws {
        let bytes = Array("<a><b>Gr\u{FC}\u{DF}e &amp; &#163;</b></a>".utf8)
        for size in 1...bytes.count {
            var echo = Echo()
            let reader = try XMLReader(vocabulary)
            for start in stride(from: 0, to: bytes.count, by: size) {
                try reader.parse(Array(bytes[start..<min(start + size, bytes.count)]).span, isLast: false, &echo)
            }
            try reader.parse([UInt8]().span, isLast: true, &echo)
            #expect(echo.events == ["<0 in -1", "<1 in 0", "Gr\u{FC}\u{DF}e & \u{A3}>1", ">0"])
        }
    }

    @Test("a document type is rejected before it defines anything: no entity expands")
    func billionLaughs() {
        var text = "<?xml version=\"1.0\"?><!DOCTYPE lolz [<!ENTITY lol0 \"lol\">"
        for level in 1...9 {
            let inner = String(repeating: "&lol\(level - 1);", count: 10)
            text += "<!ENTITY lol\(level) \"\(inner)\">"
        }
        #expect(fault(Array((text + "]><a>&lol9;</a>").utf8)) == XMLFault.documentType.description)
        #expect(
            fault(Array("<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>".utf8)) == XMLFault.documentType.description)
        #expect(fault(Array("<a>&unknown;</a>".utf8))?.contains("undefined entity") == true)
    }

    @Test("nesting is limited, also within skipped elements")
    func depth() {
        let deep = 10_000
        for name in ["a", "skip"] {
            let text = String(repeating: "<\(name)>", count: deep) + String(repeating: "</\(name)>", count: deep)
            #expect(fault(Array(text.utf8)) == "found XML with more than 64 nested elements")
        }
        let allowed = String(repeating: "<a>", count: 64) + String(repeating: "</a>", count: 64)
        #expect(fault(Array(allowed.utf8)) == nil)
    }

    @Test("text is limited")
    func text() {
        let text = "<a>" + String(repeating: "x", count: XMLParserState.longestText + 1) + "</a>"
        #expect(fault(Array(text.utf8)) == "found XML with more than 1000000 bytes of text in one place")
    }

    @Test(
        "a text that is not XML is described",
        arguments: [
            ("", "found an empty response where XML was expected"), ("{}", "found JSON where XML was expected"),
            ("\u{1F}\u{8B}", "found compressed bytes where XML was expected"),
            ("Service Unavailable", "found \"Service Unavailable\" where XML was expected"),
            ("<a><b></a>", "found malformed or truncated XML at line 1, byte 8: mismatched tag"),
        ])
    func others(_ text: String, _ expected: String) {
        #expect(fault(Array(text.utf8)) == expected)
    }
}
