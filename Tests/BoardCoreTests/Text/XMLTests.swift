import BoardCore
import Testing

@Suite("XML")
struct XMLTests {
    @Test(
        "a text is escaped as content and as a value, and what XML does not allow is left out or becomes a blank",
        arguments: [
            ("a<b>&\"c\"'", "a&lt;b&gt;&amp;&quot;c&quot;'"), ("]]>", "]]&gt;"),
            ("a\u{0}b\u{1B}c\nd\te\u{7F}", "abcde"),
            ("a\u{FFFE}b\u{FFFF}", "a b "), ("ﬁ\u{FEFF}Ü שלום 東京 🚌", "ﬁ\u{FEFF}Ü שלום 東京 🚌"), ("", ""),
        ])
    func escaped(text: String, expected: String) {
        #expect(XMLText.escaped(text) == expected)
    }

    @Test("a document has its elements, values and texts in order, escaped; an end without a beginning changes nothing")
    func writer() {
        var xml = XMLWriter()
        xml.begin("svg", ["width": "1", "aria-label": "a\"<b"])
        xml.empty("path", ["d": "M0 0"])
        xml.element("title", text: "R&D")
        xml.breakLine()
        xml.element("text", ["x": "2"], text: "")
        xml.end()
        xml.end()
        #expect(
            xml.text == "<svg width=\"1\" aria-label=\"a&quot;&lt;b\"><path d=\"M0 0\"/><title>R&amp;D</title>\n"
                + "<text x=\"2\"></text></svg>")
    }
}
