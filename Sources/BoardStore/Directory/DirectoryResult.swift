public import BoardCore

/// What the directory found, and which files could not be asked: one feed's damaged file hides no other feed's stops.
public struct DirectoryResult<Element: Sendable>: Sendable {
    /// What was found, best first.
    public let found: [Element]
    /// The files that gave no answer, and why.
    public let failures: [DirectoryFailure]

    /// An answer.
    public init(found: [Element], failures: [DirectoryFailure] = []) {
        self.found = found
        self.failures = failures
    }
}

extension DirectoryResult: Equatable where Element: Equatable {}

/// A stop and how far it is.
public struct NearStop: Hashable, Sendable {
    /// The stop.
    public let stop: ListedStop
    /// How far it is, as the crow flies.
    public let distance: Metres

    /// A stop at a distance.
    public init(stop: ListedStop, distance: Metres) {
        self.stop = stop
        self.distance = distance
    }
}

/// A line of one feed.
public struct DirectoryLine: Hashable, Sendable {
    /// The feed.
    public let feed: FeedName
    /// The line.
    public let line: ListedLine
    /// How many poles and stations it calls at; areas and interchanges say their poles' lines again and do not count.
    public let stops: Int

    /// A line.
    public init(feed: FeedName, line: ListedLine, stops: Int) {
        self.feed = feed
        self.line = line
        self.stops = stops
    }
}

/// One feed's part of the directory.
public struct DirectoryEdition: Hashable, Sendable {
    /// The feed.
    public let feed: FeedName
    /// How many stops it has.
    public let stops: Int
    /// How many lines it has.
    public let lines: Int
    /// When the operator's list was complete.
    public let completed: Timestamp
    /// The size of the file in bytes.
    public let bytes: Int

    /// An edition.
    public init(feed: FeedName, stops: Int, lines: Int, completed: Timestamp, bytes: Int) {
        self.feed = feed
        self.stops = stops
        self.lines = lines
        self.completed = completed
        self.bytes = bytes
    }
}
