internal import BoardCore

// The lines of interest.
extension FavouritesText {
    /// Writes the lines of interest into a table; none: the key goes, with its line.
    mutating func setLines(of index: Int, to lines: [String]) {
        guard case .stop(var favourite) = pieces[index].entry, favourite.lines != lines else { return }
        let core = pieces[index].core
        let rows = Lines(core)
        switch (pieces[index].keys["lines"], lines.isEmpty) {
        case (let node?, true):
            let first = rows.index(of: node.place.key)
            let last = rows.index(of: node.place.value.upperBound - 1)
            pieces[index].core.removeSubrange(rows.offset(of: first)..<rows.offset(of: last + 1))
        case (let node?, false):
            let list = WrittenList(node, in: core, lineEnd: lineEnd)
            pieces[index].core.replaceSubrange(node.place.value, with: list.replaced(by: lines).utf8)
        case (nil, true):
            break
        case (nil, false):
            // Below the label, as the tables of the examples have it.
            guard let neighbour = pieces[index].keys["label"] ?? pieces[index].keys["id"] else { return }
            let next = rows.offset(of: rows.index(of: neighbour.place.value.upperBound - 1) + 1)
            let start = rows.offset(of: rows.index(of: neighbour.place.key))
            let indentation = String(decoding: core[start..<neighbour.place.key], as: UTF8.self)
            let written = String(decoding: core[neighbour.place.key..<neighbour.place.value.lowerBound], as: UTF8.self)
            let value = FavouriteTable.list(lines, lineEnd: lineEnd)
            let line = indentation + Self.key("lines", alignedTo: written) + value + lineEnd
            pieces[index].core.insert(contentsOf: line.utf8, at: next)
        }
        favourite.lines = lines
        pieces[index].entry = .stop(favourite)
    }

    /// A key and its sign, in the column and with the blanks of a neighbour's ("id    = ").
    private static func key(_ name: String, alignedTo neighbour: String) -> String {
        let before = neighbour.prefix { $0 != "=" }
        let after = neighbour.dropFirst(before.count)
        let isTight = before.last != " " && before.last != "\t"
        let padding = isTight ? max(0, before.count - name.count) : max(1, before.count - name.count)
        return name + String(repeating: " ", count: padding) + (after.isEmpty ? "= " : String(after))
    }
}
