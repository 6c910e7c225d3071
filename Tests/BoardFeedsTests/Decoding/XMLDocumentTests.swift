import BoardCore
import Testing

@testable import BoardFeeds

@Suite("XML in the structure of JSON")
struct XMLDocumentTests {
    /// A value in one line, with the names of its members.
    private func picture(_ value: JSONValue) -> String {
        if let row = value.row {
            let members = row.names.map { name in "\(name):" + row.all(name).map(picture).joined(separator: "+") }
            return "{" + members.joined(separator: " ") + "}"
        }
        return value.text ?? ""
    }

    private func picture(_ text: String, skipping skipped: Set<String> = []) throws -> String {
        picture(try JSONDocument(xml: Array(text.utf8), skipping: skipped).root)
    }

    private func fault(_ text: String) -> String? {
        do {
            _ = try JSONDocument(xml: Array(text.utf8))
            return nil
        } catch {
            return error.description
        }
    }

    @Test("names are read without prefix, declared or not, and skipped elements and those that are nil are left out")
    func names() throws {
        let text = """

            <x:a xmlns="urn:z"><skip>t<b/>u</skip><y:b>1 &lt; <![CDATA[<2>]]></y:b><b xsi:nil="true"/><other/></x:a>
            """
        #expect(try picture(text, skipping: ["skip"]) == "{a:{b:1 < <2> other:{}}}")
    }

    @Test("line breaks and indents between tags are not text, and attributes come before the text")
    func indents() throws {
        #expect(
            try picture("<a>\n  <b>x</b>\n  <b xml:lang=\"EN\"> y </b>\n<c d=\"1\"><b>z</b>\n</c></a>\n")
                == "{a:{b:x+{lang:EN value:y} c:{d:1 b:z}}}")
        #expect(try picture("<a>\n<b> y<c>\n z</c>\n</b></a>") == "{a:{b:{c:z}}}")
    }

    @Test(
        "every form of a text is that text, in JSON and in XML",
        arguments: [
            #"{"a":"x"}"#, #"{"a":["x"]}"#, #"{"a":{"value":"x"}}"#, #"{"a":[{"value":"x"}]}"#,
            #"{"a":{"Value":"x"}}"#, #"{"a":[[{"value":"\u0078"}]]}"#, #"{"\u0061":"x"}"#, #"{"a":["x",null]}"#,
        ])
    func texts(_ json: String) throws {
        #expect(try JSONDocument(Array(json.utf8)).row().all("a").map(\.text) == ["x"])
        for xml in ["<a>x</a>", "<a lang=\"de\">x</a>"] {
            #expect(try JSONDocument(xml: Array(xml.utf8)).row().all("a").map(\.text) == ["x"])
        }
    }

    @Test("members are found however deep, in the order of the document")
    func descendants() throws {
        for root in [
            try JSONDocument(Array(#"{"b":0,"a":[{"b":1.5},{"c":{"b":[true,null,[false]]}}]}"#.utf8)).root,
            try JSONDocument(xml: Array("<b>0</b>".utf8)).root,
        ] {
            let found = root.descendants("b").map(\.text)
            #expect(found == ["0", "1.5", "true", "false"] || found == ["0"])
        }
        let xml = try JSONDocument(xml: Array("<r><b>0</b><a><b>1.5</b></a><a><c><b>true</b></c></a></r>".utf8)).root
        #expect(xml.descendants("b").map(\.text) == ["0", "1.5", "true"])
        #expect(xml.descendants("a").map { $0.descendants("b").count } == [1, 1])
    }

    @Test("a document with much text is read completely")
    func long() throws {
        let words = (0..<3_000).map { "word \($0)" }
        let text = "<a>" + words.map { "<b>\($0)</b>" }.joined() + "</a>"
        #expect(try JSONDocument(xml: Array(text.utf8)).row().row("a")?.all("b").map { $0.text } == words)
    }

    @Test("a document type is rejected before it defines anything: no entity expands")
    func billionLaughs() {
        var text = "<?xml version=\"1.0\"?><!DOCTYPE lolz [<!ENTITY lol0 \"lol\">"
        for level in 1...9 {
            let inner = String(repeating: "&lol\(level - 1);", count: 10)
            text += "<!ENTITY lol\(level) \"\(inner)\">"
        }
        #expect(fault(text + "]><a>&lol9;</a>") == FormatError.documentType.description)
        #expect(fault("<!DOCTYPE a SYSTEM \"file:///etc/passwd\"><a/>") == FormatError.documentType.description)
        #expect(fault("<a>&unknown;</a>")?.contains("undefined entity") == true)
    }

    @Test("nesting is limited, also within skipped elements")
    func depth() {
        let deep = 10_000
        for name in ["a", "skip"] {
            let text = String(repeating: "<\(name)>", count: deep) + String(repeating: "</\(name)>", count: deep)
            #expect(fault(text) == "found XML with more than 64 nested elements")
        }
        #expect(fault(String(repeating: "<a>", count: 64) + String(repeating: "</a>", count: 64)) == nil)
    }

    @Test("the number of values is limited")
    func values() {
        let text = "<a>" + String(repeating: "<b/>", count: ResponseLimits.values) + "</a>"
        #expect(fault(text) == "found XML with more than 200000 values, which no response has")
    }

    @Test(
        "a text that is not XML is described",
        arguments: [
            ("", "found an empty response where XML was expected"), ("{}", "found JSON where XML was expected"),
            ("\u{1F}\u{8B}", "found compressed bytes where XML was expected"),
            ("<html><p></html>", "found HTML where XML was expected"),
            ("Service Unavailable", "found \"Service Unavailable\" where XML was expected"),
            ("<a><b></a>", "found malformed or truncated XML at line 1, byte 8: mismatched tag"),
        ])
    func others(_ text: String, _ expected: String) {
        #expect(fault(text) == expected)
    }
}

extension JSONRow {
    /// The distinct names of the members, in their order.
    fileprivate var names: [String] {
        var names: [String] = []
        var index = value.index + 1
        while index < Int(value.document.nodes[value.index].link) {
            let name = value.document.content(of: value.document.nodes[index]) { $0.trimmedText ?? "" }
            if !names.contains(name) { names.append(name) }
            index = value.document.nodes[index + 1].next(after: index + 1)
        }
        return names
    }
}
