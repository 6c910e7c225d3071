public import BoardCore

/// The results of a query, and the files that could not be read: one damaged file does not hide other feeds' stops.
public struct DirectoryResult<Element: Sendable>: Sendable {
    /// The results, best first.
    public let found: [Element]
    /// The files that could not be read, and why.
    public let failures: [DirectoryFailure]

    public init(found: [Element], failures: [DirectoryFailure] = []) {
        self.found = found
        self.failures = failures
    }
}

extension DirectoryResult: Equatable where Element: Equatable {}

/// A stop and its distance.
public struct NearStop: Hashable, Sendable {
    public let stop: ListedStop
    /// The distance in a straight line.
    public let distance: Metres

    public init(stop: ListedStop, distance: Metres) {
        self.stop = stop
        self.distance = distance
    }
}

/// A line of one feed.
public struct DirectoryLine: Hashable, Sendable {
    public let feed: FeedName
    public let line: ListedLine
    /// The number of poles and stations at which it calls; areas and interchanges repeat their poles' lines and do not count.
    public let stops: Int

    public init(feed: FeedName, line: ListedLine, stops: Int) {
        self.feed = feed
        self.line = line
        self.stops = stops
    }
}

/// One feed's part of the directory.
public struct DirectoryEdition: Hashable, Sendable {
    public let feed: FeedName
    /// The number of stops.
    public let stops: Int
    /// The number of lines.
    public let lines: Int
    /// When the download of the operator's list was complete.
    public let completed: Timestamp
    /// The size of the file in bytes.
    public let bytes: Int

    public init(feed: FeedName, stops: Int, lines: Int, completed: Timestamp, bytes: Int) {
        self.feed = feed
        self.stops = stops
        self.lines = lines
        self.completed = completed
        self.bytes = bytes
    }
}
