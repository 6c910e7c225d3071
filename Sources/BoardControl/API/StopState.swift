public import BoardCore

/// How a stop that the board shows is doing.
public struct StopState: Hashable, Sendable, Codable {
    /// What its operator's answers come to.
    public enum Status: String, CaseIterable, Sendable, Codable {
        /// Nothing was heard yet.
        case loading
        /// The last question was answered.
        case live
        /// Answers come, but their newest estimate has not moved for minutes.
        case frozen
        /// The last question failed: see ``StopState/lastError``.
        case failing
    }

    /// Why the last question that failed did, or why a part of an answer is missing.
    public struct LastError: Hashable, Sendable, Codable {
        /// What a person can tell apart, and does something else about.
        public var kind: FailureKind
        /// A sentence: where, what was found, what was expected. Holds no key.
        public var detail: String
        /// When.
        public var at: RFC3339Timestamp

        /// An error.
        public init(kind: FailureKind, detail: String, at: RFC3339Timestamp) {
            self.kind = kind
            self.detail = detail
            self.at = at
        }
    }

    /// The stop, `feed:code`.
    public var stop: String
    /// The operator's name of it; its identifier while the operator has not answered.
    public var name: String
    /// What the glass calls it, where a person chose that.
    public var label: String?
    /// The lines of interest; empty: all.
    public var lines: [String]
    /// How far it is, of a stop that is there because it is near.
    public var distanceMetres: Double?
    /// What its operator's answers come to.
    public var status: Status
    /// When its operator answered last; nil when it has not.
    public var lastResponseAt: RFC3339Timestamp?
    /// How old that answer is, in seconds by the clock of elapsed time.
    public var ageSeconds: Double?
    /// When the operator made the newest of its estimates; nil when there is none. An answer may be new and say old things.
    public var newestEstimate: RFC3339Timestamp?
    /// How many departures are valid now.
    public var departures: Int
    /// Until when the operator's timetable reaches; nil when it has none, or does not say. No departures after that do not mean
    /// that none runs.
    public var timetableEndsAt: RFC3339Timestamp?
    /// Why the last question that failed did; nil when none has since the last answer.
    public var lastError: LastError?
    /// Why a part of what the last answer should tell is missing, such as all that is live; nil when nothing is.
    public var partialFailure: LastError?
    /// When it is asked next; nil when that is not planned.
    public var nextPoll: RFC3339Timestamp?

    /// A stop's state.
    public init(
        stop: StopID, name: String, label: String? = nil, lines: [String] = [], distance: Metres? = nil,
        status: Status, lastResponseAt: RFC3339Timestamp? = nil, ageSeconds: Double? = nil,
        newestEstimate: RFC3339Timestamp? = nil, departures: Int = 0, timetableEndsAt: RFC3339Timestamp? = nil,
        lastError: LastError? = nil, partialFailure: LastError? = nil, nextPoll: RFC3339Timestamp? = nil
    ) {
        self.stop = stop.description
        self.name = name
        self.label = label
        self.lines = lines
        distanceMetres = distance?.count
        self.status = status
        self.lastResponseAt = lastResponseAt
        self.ageSeconds = ageSeconds
        self.newestEstimate = newestEstimate
        self.departures = departures
        self.timetableEndsAt = timetableEndsAt
        self.lastError = lastError
        self.partialFailure = partialFailure
        self.nextPoll = nextPoll
    }
}
