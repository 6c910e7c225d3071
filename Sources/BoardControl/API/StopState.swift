public import BoardCore

/// How a stop that the board shows is doing.
public struct StopState: Hashable, Sendable, Codable {
    /// What its operator's answers come to.
    public enum Standing: String, CaseIterable, Sendable, Codable {
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
        public var at: Moment

        /// An error.
        public init(kind: FailureKind, detail: String, at: Moment) {
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
    public var standing: Standing
    /// When its operator answered last; nil when it has not.
    public var lastAnswer: Moment?
    /// How old that answer is, in seconds by the clock of elapsed time.
    public var ageSeconds: Double?
    /// When the operator made the newest of its estimates; nil when there is none. An answer may be new and say old things.
    public var newestEstimate: Moment?
    /// How many departures are valid now.
    public var departures: Int
    /// Until when the operator's timetable reaches; nil when it has none, or does not say. No departures after that do not mean
    /// that none runs.
    public var knownUntil: Moment?
    /// Why the last question that failed did; nil when none has since the last answer.
    public var lastError: LastError?
    /// Why a part of what the last answer should tell is missing, such as all that is live; nil when nothing is.
    public var trouble: LastError?
    /// When it is asked next; nil when that is not planned.
    public var nextPoll: Moment?

    /// A stop's state.
    public init(
        stop: StopID, name: String, label: String? = nil, lines: [String] = [], distance: Metres? = nil,
        standing: Standing, lastAnswer: Moment? = nil, ageSeconds: Double? = nil,
        newestEstimate: Moment? = nil, departures: Int = 0, knownUntil: Moment? = nil,
        lastError: LastError? = nil, trouble: LastError? = nil, nextPoll: Moment? = nil
    ) {
        self.stop = stop.description
        self.name = name
        self.label = label
        self.lines = lines
        distanceMetres = distance?.count
        self.standing = standing
        self.lastAnswer = lastAnswer
        self.ageSeconds = ageSeconds
        self.newestEstimate = newestEstimate
        self.departures = departures
        self.knownUntil = knownUntil
        self.lastError = lastError
        self.trouble = trouble
        self.nextPoll = nextPoll
    }
}
