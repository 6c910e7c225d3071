internal import TOMLKit

/// A TOML text as a tree in which every value knows its place: TOMLKit's values, and the scanner's places.
struct TOMLDocument {
    /// The text.
    let source: SourceText
    /// The document's outermost table.
    let root: TOMLEntries

    /// The document of a file that is not there.
    init() {
        source = SourceText(empty: "")
        root = TOMLEntries()
    }

    /// Parses a text; throws its first syntax error.
    init(_ source: SourceText) throws(ConfigurationFault) {
        self.source = source
        let parsed = try Self.parse(source)
        let places: TOMLPlaces
        do {
            places = try TOMLPlaces(source.bytes)
        } catch {
            throw source.fault(at: error.offset, "tables within tables, deeper than any key of this program")
        }
        if let offset = places.nulEscapes.first {
            throw source.fault(at: offset, "a NUL character; no text may hold one")
        }
        root = TOMLTreeBuilder(source: source, places: places.places).entries(of: parsed, path: [])
    }

    private static func parse(_ source: SourceText) throws(ConfigurationFault) -> TOMLTable {
        do {
            return try TOMLTable(string: source.text)
        } catch let error as TOMLParseError {
            let begin = error.source.begin
            throw ConfigurationFault(
                file: source.file, place: source.place(line: begin.line, codePoint: begin.column),
                message: "not TOML: " + error.description.replacingLineBreaks())
        } catch {
            throw ConfigurationFault(file: source.file, message: "not TOML")
        }
    }
}

/// Joins the parser's values with the scanner's places. Its recursion is bounded by the scanner's limit of depth.
private struct TOMLTreeBuilder {
    let source: SourceText
    let places: [[TOMLPlaces.Step]: TOMLPlaces.Place]

    func entries(of table: TOMLTable, path: [TOMLPlaces.Step]) -> TOMLEntries {
        let entries = table.keys.compactMap { key in
            table[key].map { TOMLEntries.Entry(key: key, node: node($0, path: path + [.key(key)])) }
        }
        // The parser sorts keys by name; a person reads them in the order of the file.
        return TOMLEntries(entries: entries.sorted { $0.node.place.key < $1.node.place.key })
    }

    private func node(_ value: any TOMLValueConvertible, path: [TOMLPlaces.Step]) -> TOMLNode {
        let place = places[path] ?? TOMLPlaces.Place(key: 0, value: 0..<0)
        switch value.type {
        case .table:
            let entries = value.table.map { self.entries(of: $0, path: path) } ?? TOMLEntries()
            return TOMLNode(value: .table(entries), place: place, found: "a table")
        case .array:
            let elements = (value.array.map(Array.init) ?? []).enumerated().map { index, element in
                node(element, path: path + [.index(index)])
            }
            return TOMLNode(value: .list(elements), place: place, found: elements.isEmpty ? "an empty list" : "a list")
        case .string: return scalar(value.string.map(TOMLNode.Value.text), place)
        case .int: return scalar(value.int.map(TOMLNode.Value.integer), place)
        case .bool: return scalar(value.bool.map(TOMLNode.Value.boolean), place)
        case .double, .date, .time, .dateTime: return scalar(nil, place)
        }
    }

    private func scalar(_ value: TOMLNode.Value?, _ place: TOMLPlaces.Place) -> TOMLNode {
        let longest = 40
        let written = source.text(place.value).replacingLineBreaks()
        return TOMLNode(
            value: value ?? .other, place: place,
            found: written.count <= longest ? written : written.prefix(longest) + "…")
    }
}

extension String {
    /// The text on one line.
    func replacingLineBreaks() -> String {
        String(map { $0.isNewline ? " " : $0 })
    }
}
