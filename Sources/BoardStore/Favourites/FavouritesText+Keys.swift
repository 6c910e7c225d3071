internal import BoardCore

// The keys of a table.
extension FavouritesText {
    /// A range of a table's own lines and its replacement.
    private struct Edit {
        let range: Range<Int>
        let text: String
    }

    /// Writes the new values of a favourite into its table. Unchanged values stay as they are written; a value that becomes
    /// the default is removed with its line.
    mutating func change(_ index: Int, to favourite: Favourite) {
        guard case .stop(let old) = pieces[index].entry, old != favourite else { return }
        let changed = zip(FavouriteTable.keys(of: old), FavouriteTable.keys(of: favourite)).filter { $0 != $1 }
        let edits = changed.compactMap { edit($1, of: pieces[index]) }
        // From the end, so that the offsets before stay valid. Of two edits at one offset, the line to be removed is first,
        // and then the later key, above which the other one is inserted.
        let ordered = edits.enumerated().sorted { one, other in
            let (left, right) = (one.element.range, other.element.range)
            guard left.lowerBound == right.lowerBound else { return left.lowerBound > right.lowerBound }
            return left.isEmpty == right.isEmpty ? one.offset > other.offset : right.isEmpty
        }
        for (_, edit) in ordered { pieces[index].core.replaceSubrange(edit.range, with: edit.text.utf8) }
        // A blank line above the last key would otherwise join those below the table.
        pieces[index].core = Self.withoutLastBlankLines(pieces[index].core)
        pieces[index].entry = .stop(favourite)
    }

    /// The edit that gives a key its new value; nil where the table needs none.
    private func edit(_ key: FavouriteTable.Key, of piece: Piece) -> Edit? {
        let rows = Lines(piece.core)
        switch (piece.keys[key.name], key.value) {
        case (let node?, nil):
            let first = rows.index(of: node.position.key)
            let last = rows.index(of: node.position.value.upperBound - 1)
            return Edit(range: rows.offset(of: first)..<rows.offset(of: last + 1), text: "")
        case (let node?, let value?):
            return Edit(range: node.position.value, text: written(value, inPlaceOf: node, in: piece.core))
        case (nil, nil):
            return nil
        case (nil, let value?):
            // Below the nearest of the keys that precede it in the tables of the examples.
            let above = FavouriteTable.names.prefix { $0 != key.name }
            guard let neighbour = above.reversed().lazy.compactMap({ piece.keys[$0] }).first else { return nil }
            let next = rows.offset(of: rows.index(of: neighbour.position.value.upperBound - 1) + 1)
            let start = rows.offset(of: rows.index(of: neighbour.position.key))
            let indentation = String(decoding: piece.core[start..<neighbour.position.key], as: UTF8.self)
            let sign = String(
                decoding: piece.core[neighbour.position.key..<neighbour.position.value.lowerBound], as: UTF8.self)
            let line = indentation + Self.key(key.name, alignedTo: sign) + value.written(lineEnd: lineEnd) + lineEnd
            return Edit(range: next..<next, text: line)
        }
    }

    /// A value in the form of the one that it replaces.
    private func written(_ value: FavouriteTable.Value, inPlaceOf node: TOMLNode, in core: [UInt8]) -> String {
        switch (value, node.value) {
        case (.text(let text), .text): FavouriteTable.quoted(text, quote: core[node.position.value.lowerBound])
        case (.list(let texts), .list): WrittenList(node, in: core, lineEnd: lineEnd).replaced(by: texts)
        case (.text, _), (.list, _), (.flag, _): value.written(lineEnd: lineEnd)
        case (.textOrList(let texts), .list(let elements)):
            // Unchanged hours stay as the user wrote them.
            WrittenList(node, in: core, lineEnd: lineEnd).replaced(
                by: texts.map { text in elements.lazy.compactMap { Self.text($0, of: text) }.first ?? text })
        case (.textOrList(let texts), _) where texts.count == 1:
            FavouriteTable.quoted(texts[0], quote: core[node.position.value.lowerBound])
        case (.textOrList, _): value.written(lineEnd: lineEnd)
        }
    }

    /// The text of a node, if it means the same hours as another one.
    private static func text(_ node: TOMLNode, of other: String) -> String? {
        guard case .text(let text) = node.value, (try? WeeklyWindow(written: text))?.written == other else {
            return nil
        }
        return text
    }

    /// A key and its equals sign, with the alignment and spaces of a neighbour ("id    = ").
    private static func key(_ name: String, alignedTo neighbour: String) -> String {
        let before = neighbour.prefix { $0 != "=" }
        let after = neighbour.dropFirst(before.count)
        let isTight = before.last != " " && before.last != "\t"
        let padding = isTight ? max(0, before.count - name.count) : max(1, before.count - name.count)
        return name + String(repeating: " ", count: padding) + (after.isEmpty ? "= " : String(after))
    }
}
