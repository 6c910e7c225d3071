/// Writes an XML document or part of an HTML page. Every text and value is escaped; names come from the program.
public struct XMLWriter: Sendable {
    public typealias Attributes = KeyValuePairs<StaticString, String>

    /// What was written so far.
    public private(set) var text = ""
    /// The names of the open elements, the innermost last.
    private var open: [StaticString] = []

    public init() {}

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
    public mutating func empty(_ name: StaticString, _ attributes: Attributes) { tag(name, attributes, end: "/>") }

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

public enum XMLText {
    /// `text` as element content or as an attribute value in double quotes (XML 1.0 §2.3, §2.4), also in HTML. Leaves
    /// out control characters, including line breaks and tabs, and writes a blank for two noncharacters: XML does not
    /// allow them (§2.2).
    public static func escaped(_ text: String) -> String {
        // All others that need care begin with 0xEF in UTF-8.
        let isPlain = text.utf8.allSatisfy { byte in
            switch byte {
            case 0x00..<0x20, UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), 0x7F, 0xEF:
                false
            default: true
            }
        }
        if isPlain { return text }
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\u{FFFE}", "\u{FFFF}": result += " "
            case _ where scalar.value < 0x20 || scalar.value == 0x7F: break
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
