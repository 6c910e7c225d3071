/// Writes an XML document, or a part of an HTML page. Every text and every value is escaped; names are those of the program.
public struct XMLWriter: Sendable {
    public typealias Attributes = KeyValuePairs<StaticString, String>

    /// What was written so far.
    public private(set) var text = ""
    /// The names of the open elements, the innermost last.
    private var open: [StaticString] = []

    public init() {}

    /// Begins an element.
    public mutating func begin(_ name: StaticString, _ attributes: Attributes = [:]) {
        tag(name, attributes, end: ">")
        open.append(name)
    }

    /// Ends the innermost open element; without one it has no effect.
    public mutating func end() {
        guard let name = open.popLast() else { return }
        text += "</\(name)>"
    }

    /// An element without content.
    public mutating func empty(_ name: StaticString, _ attributes: Attributes) {
        tag(name, attributes, end: "/>")
    }

    /// An element with a text.
    public mutating func element(_ name: StaticString, _ attributes: Attributes = [:], text content: String) {
        begin(name, attributes)
        text += XMLText.escaped(content)
        end()
    }

    /// A line break between elements, for people who read the document.
    public mutating func breakLine() { text += "\n" }

    private mutating func tag(_ name: StaticString, _ attributes: Attributes, end: String) {
        text += "<\(name)"
        for (key, value) in attributes { text += " \(key)=\"\(XMLText.escaped(value))\"" }
        text += end
    }
}
