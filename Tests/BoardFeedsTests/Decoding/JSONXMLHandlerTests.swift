import BoardCore
import Testing

@testable import BoardFeeds
@testable import BoardFormats

@Suite("JSON as XML elements")
struct JSONXMLHandlerTests {
    /// Records its events; skips the content of `c`.
    private struct Notes: XMLHandler {
        static let names = ["a", "b", "c", "é"]
        var lines: [String] = []

        private func name(_ index: Int) -> String { index < 0 ? "?" : Self.names[index] }

        mutating func open(_ name: Int, in parent: Int, _ attributes: XMLAttributes) -> Bool {
            lines.append("\(self.name(parent))/\(self.name(name))\(attributes["lang"] ?? "")")
            return self.name(name) != "c"
        }

        mutating func close(_ name: Int, in parent: Int, _ text: Span<UInt8>) {
            lines.append("\(self.name(name))=\(text.trimmedText ?? "")")
        }
    }

    private func reported(_ json: String) throws -> [String] {
        var notes = Notes()
        try JSONDocument(Array(json.utf8)).emit(XMLVocabulary(Notes.names), to: &notes)
        return notes.lines
    }

    @Test(
        "every form of a text is that text",
        arguments: [
            #"{"a":"x"}"#, #"{"a":["x"]}"#, #"{"a":{"value":"x"}}"#, #"{"a":[{"value":"x"}]}"#, #"[{"a":"x"}]"#,
            #"{"a":{"Value":"x"}}"#, #"{"a":[[{"value":"\u0078"}]]}"#, #"{"\u0061":"x"}"#, #"{"a":"x","b":null}"#,
        ])
    func texts(_ json: String) throws {
        #expect(try reported(json) == ["?/a", "a=x"])
    }

    @Test("members have their parent, whatever arrays are between them, and the outermost ones have none")
    func parents() throws {
        #expect(
            try reported(#"{"a":[{"b":1.5},{"b":[true,false]}]}"#) == [
                "?/a", "a/b", "b=1.5", "a=", "?/a", "a/b", "b=true", "a/b", "b=false", "a=",
            ])
        #expect(try reported(#"{"odd":{"a":{}}}"#) == ["?/?", "?/a", "a=", "?="])
        #expect(try reported(#"{"é":{"value":"x","b":"y"}}"#) == ["?/é", "é/b", "b=y", "é=x"])
        #expect(try reported(#"{"a":{"value":{"b":"y"}}}"#) == ["?/a", "a/?", "?/b", "b=y", "?=", "a="])
    }

    @Test("elements that the handler skips are not emitted")
    func skipped() throws {
        #expect(try reported(#"{"c":{"a":{"b":1}},"b":[{"c":"x"},2]}"#) == ["?/c", "?/b", "b/c", "b=", "?/b", "b=2"])
        #expect(try reported("{}").isEmpty && reported("[]").isEmpty && reported("[1,[2]]").isEmpty)
    }
}
