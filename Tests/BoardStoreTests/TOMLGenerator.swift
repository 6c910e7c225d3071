@testable internal import BoardStore

/// Writes random TOML documents of every form, with the positions of their keys and values.
struct TOMLGenerator {
    /// A step from a table to a key, or from a list to an element.
    enum Step: Hashable {
        case key(String)
        case index(Int)
    }

    struct Document {
        struct Expected {
            let path: [Step]
            let key: String
            let value: String
            let offset: Int
        }

        var text = ""
        var expected: [Expected] = []
    }

    private var state: UInt64
    private var names = 0

    init(seed: UInt64) { state = seed &* 0x9E37_79B9_7F4A_7C15 | 1 }

    /// A number from 0 to below `bound` (xorshift64).
    mutating func random(_ bound: Int) -> Int {
        state ^= state << 13
        state ^= state >> 7
        state ^= state << 17
        return Int(state >> 33) % bound
    }

    mutating func document() -> Document {
        var document = Document()
        pairs(in: [], of: &document)
        var lists: [(path: [Step], key: String, count: Int)] = []
        for _ in 0..<random(5) {
            if !lists.isEmpty, random(2) == 0 {
                let index = random(lists.count)
                lists[index].count += 1
                element(lists[index], of: &document)
            } else if random(2) == 0 {
                let (name, written) = key()
                lists.append(([.key(name)], written, 1))
                element(lists[lists.count - 1], of: &document)
            } else {
                let (name, written) = key()
                let (inner, innerWritten) = key()
                document.text += blank() + "[" + blank()
                let offset = document.text.utf8.count
                document.text += written + blank() + "." + blank() + innerWritten + blank() + "]" + lineEnd()
                document.expected.append(.init(path: [.key(name)], key: written, value: written, offset: offset))
                pairs(in: [.key(name), .key(inner)], of: &document)
            }
        }
        return document
    }

    private mutating func element(_ list: (path: [Step], key: String, count: Int), of document: inout Document) {
        document.text += blank() + "[["
        let path = list.path + [.index(list.count - 1)]
        document.expected.append(.init(path: path, key: list.key, value: list.key, offset: document.text.utf8.count))
        document.text += list.key + "]]" + lineEnd()
        pairs(in: path, of: &document)
    }

    private mutating func pairs(in table: [Step], of document: inout Document) {
        for _ in 0..<(1 + random(4)) {
            document.text += blank()
            pair(in: table, of: &document, depth: 0)
            document.text += lineEnd()
        }
    }

    private mutating func pair(in table: [Step], of document: inout Document, depth: Int) {
        var path = table
        if random(4) == 0 {
            let (name, written) = key()
            path.append(.key(name))
            document.text += written + blank() + "." + blank()
        }
        let (name, written) = key()
        path.append(.key(name))
        let offset = document.text.utf8.count
        document.text += written + blank() + "=" + blank()
        value(path, key: (written, offset), of: &document, depth: depth)
    }

    private mutating func value(
        _ path: [Step], key: (text: String, offset: Int)?, of document: inout Document, depth: Int
    ) {
        let start = document.text.utf8.count
        switch random(depth < 3 ? 10 : 8) {
        case 8:
            document.text += "["
            for index in 0..<random(4) {
                document.text += random(3) == 0 ? lineEnd() : blank()
                value(path + [.index(index)], key: nil, of: &document, depth: depth + 1)
                document.text += blank() + "," + (random(3) == 0 ? " # ] [ \" '\n" : blank())
            }
            document.text += "]"
        case 9:
            document.text += "{"
            for index in 0..<random(3) {
                document.text += index == 0 ? blank() : "," + blank()
                pair(in: path, of: &document, depth: depth + 1)
            }
            document.text += blank() + "}"
        case let kind:
            let scalars = [
                "17", "0x2f", "-1.5e3", "true", "1979-05-27T07:32:00Z", "\"é \\\" # ] \\\\\"", "'C:\\ [x] = # '",
                random(2) == 0 ? "\"\"\"\na = \"\" \\\n  [b]\"\"\"\"" : "'''x''\n[c]''''",
            ]
            document.text += scalars[kind]
        }
        let value = String(decoding: Array(document.text.utf8)[start...], as: UTF8.self)
        document.expected.append(.init(path: path, key: key?.text ?? value, value: value, offset: key?.offset ?? start))
    }

    /// A key that is unique in the document: its name, and its written form.
    private mutating func key() -> (name: String, written: String) {
        names += 1
        switch random(4) {
        case 0: return ("k.\(names) ü", "\"k.\(names) \\u00fc\"")
        case 1: return ("= \\\(names)", "'= \\\(names)'")
        default: return ("key_\(names)", "key_\(names)")
        }
    }

    private mutating func blank() -> String { ["", " ", "\t", "  "][random(4)] }

    private mutating func lineEnd() -> String { [blank() + "\n", " # a = [1]\n", "\r\n", "\n\n# \"\n"][random(4)] }
}
