/// A list of texts as the user wrote it: on one line or several, with or without comments.
struct WrittenList {
    private struct Element {
        let text: String
        /// The text in the file, with its quotes.
        let written: String
        /// The comment lines above it.
        let above: [String]
        /// The comment in the same line, with the spaces before it.
        let beside: String
    }

    private let lineEnd: String
    private let elements: [Element]
    /// The text before the first element, between elements, and after the last.
    private let first: String
    private let between: String
    private let last: String
    /// The comment in the line of the opening bracket, with the spaces before it.
    private let beside: String
    /// The comment lines below the last element.
    private let below: [String]

    /// The list at a node, which has at least one text.
    init(_ node: TOMLNode, in bytes: [UInt8], lineEnd: String) {
        func text(_ start: Int, _ end: Int) -> String {
            String(decoding: bytes[start..<max(start, end)], as: UTF8.self)
        }
        var nodes: [TOMLNode] = []
        if case .list(let elements) = node.value { nodes = elements }
        let ends = [node.position.value.lowerBound + 1] + nodes.map(\.position.value.upperBound)
        let starts = nodes.map(\.position.value.lowerBound) + [node.position.value.upperBound - 1]
        let stretches = zip(ends, starts).map(text)
        let comments = stretches.map(Self.comments)
        self.lineEnd = lineEnd
        first = stretches.first ?? ""
        last = stretches.last ?? ""
        between = stretches.count > 2 ? stretches[1] : first.contains(where: \.isNewline) ? "," + first : ", "
        beside = comments.first?.beside ?? ""
        below = comments.last?.below ?? []
        elements = nodes.enumerated().map { index, node in
            var value = ""
            if case .text(let text) = node.value { value = text }
            return Element(
                text: value, written: text(node.position.value.lowerBound, node.position.value.upperBound),
                above: comments[index].below, beside: comments[index + 1].beside)
        }
    }

    /// The list with other texts: those that stay keep their form and comments.
    func replaced(by texts: [String]) -> String {
        let hasComments =
            !below.isEmpty || !beside.isEmpty
            || elements.contains { !$0.above.isEmpty || !$0.beside.isEmpty }
        guard hasComments else {
            return "[" + first + texts.map(written).joined(separator: between) + last + "]"
        }
        let indentation = Self.indentation(first) ?? "    "
        var lines = ["[" + beside]
        var next = elements.startIndex
        for text in texts {
            let element = elements.firstIndex { $0.text == text }
            if let element, element >= next {
                // The comment above a removed text stays with the text that follows, which it may also describe.
                lines += elements[next...element].flatMap(\.above).map { indentation + $0 }
                next = element + 1
            }
            lines.append(indentation + written(text) + "," + (element.map { elements[$0].beside } ?? ""))
        }
        lines += (elements[next...].flatMap(\.above) + below).map { indentation + $0 }
        return lines.map { $0 + lineEnd }.joined() + (Self.indentation(last) ?? "") + "]"
    }

    /// A text in its existing form, or in the quotes of the others.
    private func written(_ text: String) -> String {
        if let element = elements.first(where: { $0.text == text }) { return element.written }
        let isPlain = elements.first?.written.first == "'" && !text.contains("'")
        return isPlain ? "'\(text)'" : TOMLText.quoted(text)
    }

    /// The comments between two elements: the one in the line of the first, with the spaces before it, and the others.
    private static func comments(_ stretch: String) -> (beside: String, below: [String]) {
        let lines = stretch.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r\n" }
        let comments = lines.map { line -> Substring in
            guard let sign = line.firstIndex(of: "#") else { return "" }
            // Without the comma.
            let blanks = line[..<sign].reversed().prefix { $0 == " " || $0 == "\t" }.count
            return line[line.index(sign, offsetBy: -blanks)...]
        }
        let below = comments.dropFirst().map { String($0.drop { $0 == " " || $0 == "\t" }) }
        return (String(comments.first ?? ""), below.filter { !$0.isEmpty })
    }

    /// The spaces after the last line end; nil where there is no line end.
    private static func indentation(_ stretch: String) -> String? {
        stretch.lastIndex { $0 == "\n" || $0 == "\r\n" }.map { end in
            String(stretch[stretch.index(after: end)...].prefix { $0 == " " || $0 == "\t" })
        }
    }
}
