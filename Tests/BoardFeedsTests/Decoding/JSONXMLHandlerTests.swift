import BoardCore
import Testing

@testable import BoardFeeds

@Suite("JSON told as elements are")
struct JSONXMLHandlerTests {
    /// Writes down what it hears; what is in `c` does not matter to it.
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

    private func told(_ json: String) throws -> [String] {
        var notes = Notes()
        try JSONDocument(Array(json.utf8)).emit(XMLVocabulary(Notes.names), to: &notes)
        return notes.lines
    }

    @Test(
        "every way of writing a text is that text",
        arguments: [
            #"{"a":"x"}"#, #"{"a":["x"]}"#, #"{"a":{"value":"x"}}"#, #"{"a":[{"value":"x"}]}"#, #"[{"a":"x"}]"#,
            #"{"a":{"Value":"x"}}"#, #"{"a":[[{"value":"\u0078"}]]}"#, #"{"\u0061":"x"}"#, #"{"a":"x","b":null}"#,
        ])
    func texts(_ json: String) throws {
        #expect(try told(json) == ["?/a", "a=x"])
    }

    @Test("members have their parent, whatever arrays are between them, and the outermost ones have none")
    func parents() throws {
        #expect(
            try told(#"{"a":[{"b":1.5},{"b":[true,false]}]}"#) == [
                "?/a", "a/b", "b=1.5", "a=", "?/a", "a/b", "b=true", "a/b", "b=false", "a=",
            ])
        #expect(try told(#"{"odd":{"a":{}}}"#) == ["?/?", "?/a", "a=", "?="])
        #expect(try told(#"{"é":{"value":"x","b":"y"}}"#) == ["?/é", "é/b", "b=y", "é=x"])
        #expect(try told(#"{"a":{"value":{"b":"y"}}}"#) == ["?/a", "a/?", "?/b", "b=y", "?=", "a="])
    }

    @Test("what does not matter to the listener is passed over")
    func skipped() throws {
        #expect(try told(#"{"c":{"a":{"b":1}},"b":[{"c":"x"},2]}"#) == ["?/c", "?/b", "b/c", "b=", "?/b", "b=2"])
        #expect(try told("{}").isEmpty && told("[]").isEmpty && told("[1,[2]]").isEmpty)
    }
}
