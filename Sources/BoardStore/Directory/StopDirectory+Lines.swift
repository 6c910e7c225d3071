public import BoardCore

extension StopDirectory {
    /// The lines of one feed or of all, in natural order: 2 before 10 before N2.
    ///
    /// - Parameter feed: the feed; nil: all.
    /// - Throws: ``DirectoryFailure`` when no file could be read; `missing` when there is none.
    public func lines(of feed: FeedName? = nil) throws(DirectoryFailure) -> DirectoryResult<DirectoryLine> {
        let result = try allLines(of: feed)
        let sorted = result.found.map { (line: $0, key: NaturalOrder($0.line.line.name)) }
            .sorted { $0.key == $1.key ? $0.line.line.line.id < $1.line.line.line.id : $0.key < $1.key }
        return DirectoryResult(found: sorted.map(\.line), failures: result.failures)
    }

    /// The line with the identifier `text`, otherwise the one with this name, case-insensitive.
    ///
    /// - Throws: ``DirectoryFailure``; `missing` when there is no file of that feed.
    public func line(called text: String, in feed: FeedName) throws(DirectoryFailure) -> DirectoryLine? {
        let lines = try query(feed) { file throws(SQLiteFailure) in try file.lines() }
        let matches = lines.filter { $0.line.line.isCalled(text) }
        return matches.first { $0.line.line.id == text }
            ?? matches.first { $0.line.line.id.lowercased() == text.lowercased() } ?? matches.first
    }

    /// The lines in the order of the files.
    func allLines(of feed: FeedName?) throws(DirectoryFailure) -> DirectoryResult<DirectoryLine> {
        guard let feed else {
            return try queryAll { file throws(SQLiteFailure) in try file.lines() }.flattened { $0 }
        }
        return DirectoryResult(found: try query(feed) { file throws(SQLiteFailure) in try file.lines() })
    }
}

/// The natural order of names with numbers.
struct NaturalOrder: Hashable, Comparable {
    private enum Part: Hashable {
        case number(String)
        case letters(String)
    }

    private let parts: [Part]

    init(_ text: String) {
        var parts: [Part] = []
        for word in Folding.words(text) {
            var rest = word[...]
            while let first = rest.first {
                let isDigit = first.isASCII && first.isNumber
                let part = rest.prefix { ($0.isASCII && $0.isNumber) == isDigit }
                rest = rest.dropFirst(part.count)
                parts.append(isDigit ? .number(String(part.drop { $0 == "0" })) : .letters(String(part)))
            }
        }
        self.parts = parts
    }

    static func < (left: NaturalOrder, right: NaturalOrder) -> Bool {
        for (one, other) in zip(left.parts, right.parts) where one != other {
            switch (one, other) {
            case (.number(let one), .number(let other)):
                // Without leading zeros, the longer number is the greater one: no number overflows.
                return one.count == other.count ? one < other : one.count < other.count
            case (.letters(let one), .letters(let other)): return one < other
            case (.number, .letters): return true
            case (.letters, .number): return false
            }
        }
        return left.parts.count < right.parts.count
    }
}
