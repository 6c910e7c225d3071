public import BoardCore

extension StopDirectory {
    /// The lines of one feed or of all, with numbers in their order: 2 before 10 before N2.
    ///
    /// - Parameter feed: whose lines; nil: everybody's.
    /// - Throws: ``DirectoryFailure`` when no file gave an answer; `missing` when there is none.
    public func lines(of feed: FeedName? = nil) throws(DirectoryFailure) -> DirectoryResult<DirectoryLine> {
        let answer = try allLines(of: feed)
        let sorted = answer.found.map { (line: $0, key: NaturalOrder($0.line.line.name)) }
            .sorted { $0.key == $1.key ? $0.line.line.line.id < $1.line.line.line.id : $0.key < $1.key }
        return DirectoryResult(found: sorted.map(\.line), failures: answer.failures)
    }

    /// The line that a person calls `text`, in any case: the one of this identifier, otherwise the one of this name.
    ///
    /// - Throws: ``DirectoryFailure``; `missing` when there is no file of that feed.
    public func line(called text: String, in feed: FeedName) throws(DirectoryFailure) -> DirectoryLine? {
        let lines = try query(feed) { file throws(SQLiteFailure) in try file.lines() }
        let called = lines.filter { $0.line.line.isCalled(text) }
        return called.first { $0.line.line.id == text }
            ?? called.first { $0.line.line.id.lowercased() == text.lowercased() } ?? called.first
    }

    /// The lines as the files have them.
    func allLines(of feed: FeedName?) throws(DirectoryFailure) -> DirectoryResult<DirectoryLine> {
        guard let feed else {
            return try queryAll { file throws(SQLiteFailure) in try file.lines() }.flattened { $0 }
        }
        return DirectoryResult(found: try query(feed) { file throws(SQLiteFailure) in try file.lines() })
    }
}

/// The order in which people expect names with numbers.
struct NaturalOrder: Hashable, Comparable {
    private enum Part: Hashable {
        case number(String)
        case letters(String)
    }

    private let parts: [Part]

    /// The order of a name.
    init(_ text: String) {
        var parts: [Part] = []
        for word in Folding.words(text) {
            var rest = word[...]
            while let first = rest.first {
                let isDigit = first.isASCII && first.isNumber
                let run = rest.prefix { ($0.isASCII && $0.isNumber) == isDigit }
                rest = rest.dropFirst(run.count)
                parts.append(isDigit ? .number(String(run.drop { $0 == "0" })) : .letters(String(run)))
            }
        }
        self.parts = parts
    }

    static func < (left: NaturalOrder, right: NaturalOrder) -> Bool {
        for (one, other) in zip(left.parts, right.parts) where one != other {
            switch (one, other) {
            case (.number(let one), .number(let other)):
                // Without zeros in front, the longer one is the greater one: no number is too long.
                return one.count == other.count ? one < other : one.count < other.count
            case (.letters(let one), .letters(let other)): return one < other
            case (.number, .letters): return true
            case (.letters, .number): return false
            }
        }
        return left.parts.count < right.parts.count
    }
}
