extension JSONDocument {
    /// Passes every member to a handler as an XML element, for formats that exist in both and differ between operators: an array is
    /// an element for each of its values, `{"value": …}` is an element with that text, and `null` is none. Members of the
    /// outermost object have no parent.
    package func emit(_ vocabulary: XMLVocabulary, to handler: inout some XMLHandler) {
        for object in nodes[0].kind == .array ? Array(JSONElements(document: self, index: 1, end: nodes.count)) : [root]
        {
            _ = emitMembers(of: object.index, XMLVocabulary.unknown, vocabulary, &handler)
        }
    }

    /// Passes on the members of an object.
    ///
    /// - Returns: the node of the object's own text; nil if there is none.
    private func emitMembers(
        of object: Int, _ name: Int, _ vocabulary: XMLVocabulary, _ handler: inout some XMLHandler
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
                emit(member, content(of: nodes[index]) { vocabulary.index(of: $0) }, in: name, vocabulary, &handler)
            }
            index = nodes[member].next(after: member)
        }
        return text
    }

    /// Passes on a value as one element or several.
    private func emit(
        _ index: Int, _ name: Int, in parent: Int, _ vocabulary: XMLVocabulary, _ handler: inout some XMLHandler
    ) {
        switch nodes[index].kind {
        case .null, .key: break
        case .array:
            var element = index + 1
            let end = Int(nodes[index].link)
            while element < end {
                emit(element, name, in: parent, vocabulary, &handler)
                element = nodes[element].next(after: element)
            }
        case .object:
            guard handler.open(name, in: parent, .none) else { return }
            if let text = emitMembers(of: index, name, vocabulary, &handler) {
                content(of: nodes[text]) { handler.close(name, in: parent, $0) }
            } else {
                handler.close(name, in: parent, Span())
            }
        case .string, .number, .yes, .no:
            guard handler.open(name, in: parent, .none) else { return }
            content(of: nodes[index]) { handler.close(name, in: parent, $0) }
        }
    }

    /// Whether a member holds the text of its object.
    private func isText(_ key: Int) -> Bool {
        content(of: nodes[key]) { name in
            name.count == 5 && (name[0] | 0x20) == UInt8(ascii: "v") && name[1] == UInt8(ascii: "a")
                && name[2] == UInt8(ascii: "l") && name[3] == UInt8(ascii: "u") && name[4] == UInt8(ascii: "e")
        }
    }

    /// The node of a text, a number or a boolean; nil for anything else.
    private func scalar(of index: Int) -> Int? {
        switch nodes[index].kind {
        case .string, .number, .yes, .no: index
        case .object, .array, .key, .null: nil
        }
    }
}
