internal import Testing

@testable internal import BoardStore

@Suite("Places of TOML keys and values")
struct TOMLPlacesTests {
    typealias Step = TOMLGenerator.Step

    /// The places of a text that the parser accepts, each as the text that stands there.
    private func found(_ text: String) throws -> [[Step]: (key: String, value: String)] {
        let source = try SourceText(file: "test", bytes: Array(text.utf8))
        return try places(source).mapValues { place in
            (source.text(place.key..<source.bytes.count), source.text(place.value))
        }
    }

    private func places(_ source: SourceText) throws -> [[Step]: TOMLNode.Place] {
        var places: [[Step]: TOMLNode.Place] = [:]
        func add(_ node: TOMLNode, _ path: [Step]) {
            places[path] = node.place
            switch node.value {
            case .table(let entries): for entry in entries.entries { add(entry.node, path + [.key(entry.key)]) }
            case .list(let nodes): for (index, node) in nodes.enumerated() { add(node, path + [.index(index)]) }
            default: break
            }
        }
        for entry in try TOMLDocument(source).root.entries { add(entry.node, [.key(entry.key)]) }
        return places
    }

    @Test("headers, dotted keys, inline tables and lists of tables are found by path")
    func forms() throws {
        let places = try found(
            """
            # [not.this]
            top.'dotted key' . "a\\u0062" = 1_000  # = 2
            [ table . "quoted.key" ]
            text = '''
            [no] # = "header"
            ''''' # two quotes before the end
            list = [ # comment ]
              1, [2, 3,], { deep = {x = true} },
            ]
            [[items]]
            when = 1979-05-27 07:32:00 # blank inside
            [items.sub]
            n = "\\"]"
            [[items]]
            """)
        func value(_ path: Step...) -> String? { places[path]?.value }
        #expect(value(.key("top"), .key("dotted key"), .key("ab")) == "1_000")
        #expect(places[[.key("top"), .key("dotted key")]]?.key.hasPrefix("'dotted key' .") == true)
        #expect(value(.key("table"), .key("quoted.key"), .key("text")) == "'''\n[no] # = \"header\"\n'''''")
        let list: [Step] = [.key("table"), .key("quoted.key"), .key("list")]
        #expect(places[list + [.index(1), .index(1)]]?.value == "3")
        #expect(places[list + [.index(2), .key("deep"), .key("x")]]?.value == "true")
        #expect(places[list + [.index(2), .key("deep")]]?.value == "{x = true}")
        #expect(value(.key("items"), .index(0), .key("when")) == "1979-05-27 07:32:00")
        #expect(value(.key("items"), .index(0), .key("sub"), .key("n")) == "\"\\\"]\"")
        #expect(places[[.key("items"), .index(1)]]?.key == "items]]")
        #expect(places.keys.filter { $0 == [.key("not")] }.isEmpty)
    }

    @Test("in generated documents every key and value of the parser has its place, and its text stands there")
    func generated() throws {
        for seed in 1...300 {
            var generator = TOMLGenerator(seed: UInt64(seed))
            let document = generator.document()
            let source = try SourceText(file: "test", bytes: Array(document.text.utf8))
            let places = try places(source)
            for expected in document.expected {
                let place = try #require(places[expected.path], "\(expected.path) in\n\(document.text)")
                #expect(
                    source.text(place.key..<source.bytes.count).hasPrefix(expected.key),
                    "\(expected.path) in\n\(document.text)")
                #expect(source.text(place.value) == expected.value, "\(expected.path) in\n\(document.text)")
                #expect(place.key == expected.offset, "\(expected.path) in\n\(document.text)")
            }
            #expect(!document.expected.isEmpty)
        }
    }

    @Test("columns count characters, from 1")
    func columns() throws {
        let source = try SourceText(file: "test", bytes: Array("a\n\u{1F1EC}\u{1F1E7} e\u{301}x\r\ny".utf8))
        #expect(source.position(at: 0) == SourcePosition(line: 1, column: 1))
        #expect(source.position(at: 2 + 8) == SourcePosition(line: 2, column: 2))
        #expect(source.position(at: 2 + 8 + 1 + 3) == SourcePosition(line: 2, column: 4))
        #expect(source.position(at: source.bytes.count - 1) == SourcePosition(line: 3, column: 1))
        #expect(source.position(at: source.bytes.count) == SourcePosition(line: 3, column: 2))
    }
}
