/// Which lines of a text belong to which table.
struct TableLayout {
    /// The tables' own lines, in bytes: the comment lines directly above the header, all up to the last key, and the
    /// comment lines directly below that.
    private(set) var cores: [Range<Int>] = []
    /// The tables' keys.
    let keys: [[String: TOMLNode]]

    /// Looks for the lines of tables, which are in the order of the text and have a header each.
    init(_ tables: [TOMLNode], in bytes: [UInt8]) {
        keys = tables.map { table in
            guard case .table(let entries) = table.value else { return [:] }
            return Dictionary(entries.entries.map { ($0.key, $0.node) }) { first, _ in first }
        }
        let lines = Lines(bytes)
        let headers = tables.map { lines.index(of: $0.place.key) }
        let lastKeys = zip(keys, headers).map { keys, header in
            keys.values.map { lines.index(of: $0.place.value.upperBound - 1) }.max() ?? header
        }
        // A line in a text of several lines may look like a comment: the search never enters a table's own keys.
        var starts: [Int] = []
        for (index, header) in headers.enumerated() {
            let limit = index == 0 ? 0 : lastKeys[index - 1] + 1
            var start = header
            while start > limit, lines.isComment(start - 1) { start -= 1 }
            starts.append(start)
        }
        for (index, last) in lastKeys.enumerated() {
            let limit = index + 1 < starts.count ? starts[index + 1] : lines.count
            var end = last + 1
            while end < limit, lines.isComment(end) { end += 1 }
            cores.append(lines.offset(of: starts[index])..<lines.offset(of: end))
        }
    }
}

extension TOMLNode {
    /// The same node in a text that begins elsewhere.
    func moved(by shift: Int) -> TOMLNode {
        let range = place.value.lowerBound + shift..<place.value.upperBound + shift
        let place = Place(key: place.key + shift, value: range)
        guard case .list(let elements) = value else { return TOMLNode(value: value, place: place, found: found) }
        return TOMLNode(value: .list(elements.map { $0.moved(by: shift) }), place: place, found: found)
    }
}
