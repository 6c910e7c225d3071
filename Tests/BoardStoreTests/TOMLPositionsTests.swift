import Testing

@testable internal import BoardStore

@Suite("Positions of TOML keys and values")
struct TOMLPositionsTests {
    typealias Step = TOMLGenerator.Step

    private func positions(_ source: SourceText) throws -> [[Step]: TOMLNode.Position] {
        var positions: [[Step]: TOMLNode.Position] = [:]
        func add(_ node: TOMLNode, _ path: [Step]) {
            positions[path] = node.position
            switch node.value {
            case .table(let entries): for entry in entries.entries { add(entry.node, path + [.key(entry.key)]) }
            case .list(let nodes): for (index, node) in nodes.enumerated() { add(node, path + [.index(index)]) }
            default: break
            }
        }
        for entry in try TOMLDocument(source).root.entries { add(entry.node, [.key(entry.key)]) }
        return positions
    }

    @Test("in generated documents every key and value has its position, with the right text there")
    func generated() throws {
        for seed in 1...300 {
            var generator = TOMLGenerator(seed: UInt64(seed))
            let document = generator.document()
            let source = try SourceText(file: "test", bytes: Array(document.text.utf8))
            let positions = try positions(source)
            for expected in document.expected {
                let position = try #require(positions[expected.path], "\(expected.path) in\n\(document.text)")
                #expect(
                    source.text(position.key..<source.bytes.count).hasPrefix(expected.key),
                    "\(expected.path) in\n\(document.text)")
                #expect(source.text(position.value) == expected.value, "\(expected.path) in\n\(document.text)")
                #expect(position.key == expected.offset, "\(expected.path) in\n\(document.text)")
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
