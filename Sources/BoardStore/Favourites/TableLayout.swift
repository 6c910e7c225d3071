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

/// The lines of a text, by their bytes: the only line ends of TOML are LF and CRLF.
struct Lines {
    private let bytes: [UInt8]
    private let starts: [Int]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
        let ends = bytes.indices.filter { bytes[$0] == UInt8(ascii: "\n") }
        starts = ([0] + ends.map { $0 + 1 }).filter { $0 < bytes.count }
    }

    /// How many there are; what follows the last line end is none when it is empty.
    var count: Int { starts.count }

    /// The line in which a byte stands.
    func index(of offset: Int) -> Int { max(0, starts.partitioningIndex { $0 > offset } - 1) }

    /// The first byte of a line; the end of the text for the line after the last.
    func offset(of line: Int) -> Int { line < starts.count ? starts[line] : bytes.count }

    /// Whether there is nothing but a comment in a line.
    func isComment(_ line: Int) -> Bool { first(in: line) == UInt8(ascii: "#") }

    /// Whether there is nothing in a line.
    func isBlank(_ line: Int) -> Bool { first(in: line) == nil }

    /// The first byte of a line that is not blank.
    private func first(in line: Int) -> UInt8? {
        bytes[offset(of: line)..<offset(of: line + 1)].first { !" \t\r\n".utf8.contains($0) }
    }
}

extension [Int] {
    /// The first index at which `isBeyond` holds; it must hold for all that follow.
    fileprivate func partitioningIndex(_ isBeyond: (Int) -> Bool) -> Int {
        var low = startIndex
        var high = endIndex
        while low < high {
            let middle = low + (high - low) / 2
            if isBeyond(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
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
