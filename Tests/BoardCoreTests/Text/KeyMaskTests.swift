import Testing

@testable import BoardCore

@Suite("Keys in text from other sources")
struct KeyMaskTests {
    private static let key = "a+b/c=%41&d"

    @Test(
        "a key is found however it is encoded, and the text around it stays",
        arguments: [
            "a+b/c=%41&d", "a%2Bb%2Fc%3D%2541%26d", "a%2bb%2fc%3d%2541%26d", "a%2Bb/c=%41&d", "a\\u002bb\\/c=%41&d",
            "a\\u002Bb\\u002fc\\u003d%41\\u0026d", "a&#43;b&#47;c&#61;%41&amp;d", "a&#x2b;b&#X2F;c&#0061;%41&#38;d",
            "a&plus;b&sol;c&equals;&percnt;41&amp;d", "a%252Bb%252fc%253d%252541%2526d", "a%26%2343%3Bb/c=%41&d",
            "a%25252Bb/c=%41&d", "\\x61+b/c=%41&d", "&amp;#97;+b/c=%41&d", "a&#43b/c=%41&d",
        ])
    func encodings(written: String) {
        #expect(KeyMask([Self.key]).masking("<\(written)>", with: "***") == "<***>")
        #expect(KeyMask([Self.key]).masking("\(written)\(written)", with: "*") == "**")
    }

    @Test("similar text stays, also where an escape is truncated or encodes no character")
    func others() {
        let mask = KeyMask(["a+b"])
        for text in [
            "a b", "a%2", "a%2Cb", "a\\u002", "a\\u012bb", "a&#43", "a&#x;b", "a&nothing;b", "%", "&", "\\", "",
        ] {
            #expect(mask.masking(text, with: "*") == text)
        }
        #expect(KeyMask([""]).masking("text", with: "*") == "text")
    }

    @Test("overlapping keys are one range, adjacent keys are two")
    func overlapping() {
        let text = Array("xsekret-2sekret".utf8)
        #expect(KeyMask(["sekret", "sekret-2", "t-2s"]).ranges(in: text) == [1..<15])
        #expect(KeyMask(["sekret", "sekret-2"]).ranges(in: text) == [1..<9, 9..<15])
        #expect(KeyMask(["sekret-2", "kre"]).ranges(in: text) == [1..<9, 11..<14])
    }

    @Test("a text of escapes only is not slower than any other")
    func worst() {
        let text = String(repeating: "%25", count: 20_000) + String(repeating: "&#x26;#x25;", count: 5_000)
        #expect(KeyMask([Self.key, "%%%%%%%%%%%%%%%%%%%%x"]).masking(text, with: "*") == text)
    }
}
