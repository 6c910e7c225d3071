internal import BoardCore

/// What is told of one call. There are thousands in a message: it holds numbers only.
struct StopTimeUpdate: Hashable, Sendable {
    /// Whether it calls there.
    enum Relationship: Hashable, Sendable {
        /// It does.
        case scheduled
        /// It does not.
        case skipped
        /// Nothing is known from here on.
        case noData
        /// It does, at times of no timetable.
        case unscheduled
    }

    /// When it arrives or departs.
    struct Event: Hashable, Sendable {
        private var seconds: Int64 = 0
        private var late = Int32.min

        /// The moment; it counts more than the delay.
        var time: Timestamp? {
            get { seconds == 0 ? nil : Timestamp(seconds: seconds) }
            set { seconds = newValue?.seconds ?? 0 }
        }

        /// Takes a moment as a message has it.
        mutating func take(seconds told: Int64) {
            seconds = Timestamp.hasValue(told) ? told : 0
        }

        /// How many seconds later than by the timetable; negative: earlier.
        var delay: Int? {
            get { late == .min ? nil : Int(late) }
            set { late = newValue.map { Int32(clamping: $0) } ?? .min }
        }

        /// Whether anything is told.
        var hasValue: Bool { seconds != 0 || late != .min }
    }

    /// What few calls have.
    struct Properties: Hashable, Sendable {
        /// `assigned_stop_id`: the platform that it has instead.
        var assignedStop: String?
        /// `stop_headsign`.
        var headsign: String?
        /// Whether people may get on, where that is told.
        var allowsBoarding: Bool?
    }

    var arrival = Event()
    var departure = Event()
    /// From 0 a place, from -2 downwards an unknown stop; -1: no stop is told.
    private var stop: Int32 = -1
    private var sequenceNumber: Int32 = -1
    private var propertiesNumber: Int32 = -1
    var relationship = Relationship.scheduled

    /// `stop_id`: a place in ``Timetable/places``; nil: it is not told, or the timetable does not know it.
    var place: Int? {
        get { stop < 0 ? nil : Int(stop) }
        set { stop = newValue.map { Int32(clamping: $0) } ?? -1 }
    }

    /// `stop_id` of a stop that the timetable does not know: a place in ``TripUpdate/unknownStops``.
    var unknownStop: Int? {
        get { stop < -1 ? Int(-2 - stop) : nil }
        set { stop = newValue.map { -2 - Int32(clamping: $0) } ?? -1 }
    }

    /// `stop_sequence`.
    var sequence: Int? {
        get { sequenceNumber < 0 ? nil : Int(sequenceNumber) }
        set { sequenceNumber = newValue.map { Int32(clamping: $0) } ?? -1 }
    }

    /// A place in ``TripUpdate/properties``; nil: it has none.
    var properties: Int? {
        get { propertiesNumber < 0 ? nil : Int(propertiesNumber) }
        set { propertiesNumber = newValue.map { Int32(clamping: $0) } ?? -1 }
    }

    /// When the call is, where a time is told.
    var time: Timestamp? { arrival.time ?? departure.time }
    /// Whether it says at which stop it is.
    var hasStop: Bool { stop != -1 }
    /// Whether it says when the call is, or that nobody knows.
    var hasTime: Bool { arrival.hasValue || departure.hasValue || relationship == .noData }
}
