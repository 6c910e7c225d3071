public import BoardCore

/// The results of a query, and the files that could not be read: one damaged file does not hide other feeds' stops.
public struct DirectoryResult<Element: Sendable>: Sendable {
    /// The results, best first.
    public let found: [Element]
    public let failures: [DirectoryFailure]

    public init(found: [Element], failures: [DirectoryFailure] = []) {
        self.found = found
        self.failures = failures
    }
}

extension DirectoryResult: Equatable where Element: Equatable {}

public struct DirectoryLine: Hashable, Sendable {
    public let feed: FeedName
    public let line: ListedLine
    /// The number of poles and stations at which it calls; areas and interchanges repeat their poles' lines and do not count.
    public let stops: Int
}

/// One feed's part of the directory.
public struct DirectoryEdition: Hashable, Sendable {
    public let feed: FeedName
    public let stops: Int
    public let lines: Int
    /// When the download of the operator's list was complete.
    public let completed: Timestamp
    /// The size of the file in bytes.
    public let bytes: Int
}
