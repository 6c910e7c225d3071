public import BoardCore

extension StopDirectory {
    /// The lines of one feed or of all, in natural order: 2 before 10 before N2.
    ///
    /// - Parameter feed: the feed; nil: all.
    public func lines(of feed: FeedName? = nil) throws(DirectoryFailure) -> DirectoryResult<DirectoryLine> {
        let result = try allLines(of: feed)
        let sorted = result.found.map { (line: $0, key: Folding.naturalKey($0.line.line.name)) }
            .sorted { ($0.key, $0.line.line.line.id) < ($1.key, $1.line.line.line.id) }
        return DirectoryResult(found: sorted.map(\.line), failures: result.failures)
    }

    /// The line with the identifier `text`, otherwise the one with this name, case-insensitive.
    public func line(called text: String, in feed: FeedName) throws(DirectoryFailure) -> DirectoryLine? {
        let lines = try query(feed) { file throws(SQLiteFailure) in try file.lines() }
        let matches = lines.filter { $0.line.line.isCalled(text) }
        return matches.first { $0.line.line.id == text }
            ?? matches.first { $0.line.line.id.lowercased() == text.lowercased() } ?? matches.first
    }

    /// The lines in the order of the files.
    func allLines(of feed: FeedName?) throws(DirectoryFailure) -> DirectoryResult<DirectoryLine> {
        guard let feed else { return try queryAll { file throws(SQLiteFailure) in try file.lines() } }
        return DirectoryResult(found: try query(feed) { file throws(SQLiteFailure) in try file.lines() })
    }
}
