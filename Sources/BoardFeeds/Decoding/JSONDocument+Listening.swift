extension JSONDocument {
    /// Tells a listener of every member as of an element of XML, for formats that are written in both and by each operator
    /// in another way: an array is as many elements of its name as it has, `{"value": …}` is an element with that text,
    /// and `null` is none. Members of the outermost object have no parent.
    func tell(_ vocabulary: XMLVocabulary, to listener: inout some XMLListener) {
        for object in nodes[0].kind == .array ? Array(JSONElements(document: self, index: 1, end: nodes.count)) : [root]
        {
            _ = tellMembers(of: object.index, XMLVocabulary.unknown, vocabulary, &listener)
        }
    }

    /// Tells of the members of an object.
    ///
    /// - Returns: the node of its own text; nil where it has none.
    private func tellMembers(
        of object: Int, _ name: Int, _ vocabulary: XMLVocabulary, _ listener: inout some XMLListener
    ) -> Int? {
        guard nodes[object].kind == .object else { return nil }
        var text: Int?
        var index = object + 1
        let end = Int(nodes[object].link)
        while index < end {
            let member = index + 1
            if isText(index), let scalar = scalar(of: member) {
                text = scalar
            } else {
                tell(member, content(of: nodes[index]) { vocabulary.index(of: $0) }, in: name, vocabulary, &listener)
            }
            index = nodes[member].next(after: member)
        }
        return text
    }

    /// Tells of a value as of an element, or of several.
    private func tell(
        _ index: Int, _ name: Int, in parent: Int, _ vocabulary: XMLVocabulary, _ listener: inout some XMLListener
    ) {
        switch nodes[index].kind {
        case .null, .key: break
        case .array:
            var element = index + 1
            let end = Int(nodes[index].link)
            while element < end {
                tell(element, name, in: parent, vocabulary, &listener)
                element = nodes[element].next(after: element)
            }
        case .object:
            guard listener.open(name, in: parent, .none) else { return }
            if let text = tellMembers(of: index, name, vocabulary, &listener) {
                content(of: nodes[text]) { listener.close(name, in: parent, $0) }
            } else {
                listener.close(name, in: parent, Span())
            }
        case .string, .number, .yes, .no:
            guard listener.open(name, in: parent, .none) else { return }
            content(of: nodes[index]) { listener.close(name, in: parent, $0) }
        }
    }

    /// Whether a member holds the text of the object that it is in.
    private func isText(_ key: Int) -> Bool {
        content(of: nodes[key]) { name in
            name.count == 5 && (name[0] | 0x20) == UInt8(ascii: "v") && name[1] == UInt8(ascii: "a")
                && name[2] == UInt8(ascii: "l") && name[3] == UInt8(ascii: "u") && name[4] == UInt8(ascii: "e")
        }
    }

    /// The node of a text, a number or a truth value; nil for anything else.
    private func scalar(of index: Int) -> Int? {
        switch nodes[index].kind {
        case .string, .number, .yes, .no: index
        case .object, .array, .key, .null: nil
        }
    }
}
