/// A response's content, which can be written as XML or in one of several JSON forms.
struct Node {
    /// The form of a text in JSON.
    enum Wrapping: CaseIterable {
        /// `"x"`; an only child is an object.
        case plain
        /// `["x"]`; children are arrays.
        case lists
        /// `{"value": "x"}`.
        case values
        /// `[{"value": "x"}]`.
        case valueLists
    }

    let name: String
    /// Nil: it has children.
    let text: String?
    let children: [Node]
    /// The language of the text.
    var language: String?

    init(_ name: String, _ text: String, in language: String? = nil) {
        (self.name, self.text, children, self.language) = (name, text, [], language)
    }

    init(_ name: String, _ children: [Node]) { (self.name, text, self.children) = (name, nil, children) }

    /// As XML, with a prefix before every name.
    func xml(_ prefix: String = "") -> String {
        let content = text.map { $0.split(separator: "&", omittingEmptySubsequences: false).joined(separator: "&amp;") }
        let language = language.map { " xml:lang=\"\($0)\"" } ?? ""
        let inside = content ?? children.map { "\n  " + $0.xml(prefix) }.joined() + "\n"
        return "<\(prefix)\(name)\(language)>\(inside)</\(prefix)\(name)>"
    }

    /// The content as JSON.
    func json(_ wrapping: Wrapping) -> String {
        guard let text else {
            var names: [String] = []
            for child in children where !names.contains(child.name) { names.append(child.name) }
            let members = names.map { name -> String in
                let same = children.filter { $0.name == name }
                let texts = same.map { $0.json(wrapping) }
                let isList = same.count > 1 || wrapping == .lists || wrapping == .valueLists && same[0].text != nil
                return "\"\(name)\":" + (isList ? "[\(texts.joined(separator: ","))]" : texts[0])
            }
            return "{\(members.joined(separator: ","))}"
        }
        let bare = ["true", "false"].contains(text) && wrapping == .plain
        let escaped = text.split(separator: "\n", omittingEmptySubsequences: false).joined(separator: "\\n")
        let scalar = bare ? text : "\"\(escaped)\""
        switch wrapping {
        case .plain where language == nil, .lists where language == nil: return scalar
        default: return "{\"value\":\(scalar)\(language.map { ",\"lang\":\"\($0)\"" } ?? "")}"
        }
    }
}
