/// The lines of each table in a text.
struct TableLayout {
    /// The byte ranges of the tables' own lines: the comment lines directly above the header, all up to the last key, and
    /// the comment lines directly below it.
    private(set) var cores: [Range<Int>] = []
    let keys: [[String: TOMLNode]]

    /// - Parameter tables: the tables in the order of the text, with a header each.
    init(_ tables: [TOMLNode], in bytes: [UInt8]) {
        keys = tables.map { table in
            guard case .table(let entries) = table.value else { return [:] }
            return Dictionary(entries.entries.map { ($0.key, $0.node) }) { first, _ in first }
        }
        let lines = Lines(bytes)
        let headers = tables.map { lines.index(of: $0.position.key) }
        let lastKeys = zip(keys, headers).map { keys, header in
            keys.values.map { lines.index(of: $0.position.value.upperBound - 1) }.max() ?? header
        }
        // A line of a multi-line string may look like a comment: the search never enters a table's own keys.
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

    /// The comments of a table on lines of their own below its header: not those of a text of several lines.
    func comments(ofTable table: Int, in bytes: [UInt8]) -> [UInt8] {
        let texts = keys[table].values.compactMap { node in
            if case .text = node.value { node.position.value } else { nil }
        }
        let lines = Lines(bytes)
        let own = lines.index(of: cores[table].lowerBound)..<lines.index(of: cores[table].upperBound - 1) + 1
        return own.drop(while: lines.isComment).filter { line in
            lines.isComment(line) && !texts.contains { $0.contains(lines.offset(of: line)) }
        }.flatMap { bytes[lines.ranges[$0]] }
    }
}
