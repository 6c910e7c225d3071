internal import BoardCore

/// A StopTimeUpdate: the update of one call. A message has thousands, so it stores numbers only.
struct StopTimeUpdate: Hashable, Sendable {
    /// `schedule_relationship` of the call; UNSCHEDULED counts as scheduled.
    enum Relationship: Hashable, Sendable {
        case scheduled
        case skipped
        /// No realtime data from here on.
        case noData
    }

    /// A StopTimeEvent: an arrival or departure.
    struct Event: Hashable, Sendable {
        /// Seconds since 1970; 0: no time.
        private var seconds: Int64 = 0
        private var late = Int32.min

        /// The absolute time, which takes precedence over the delay.
        var time: Timestamp? { seconds == 0 ? nil : Timestamp(seconds: seconds) }

        mutating func set(seconds newValue: Int64) {
            seconds = Timestamp.hasValue(newValue) ? newValue : 0
        }

        /// In seconds; negative: early.
        var delay: Int? {
            get { late == .min ? nil : Int(late) }
            set { late = newValue.map { Int32(clamping: $0) } ?? .min }
        }

        var hasValue: Bool { seconds != 0 || late != .min }
    }

    /// StopTimeProperties, which few calls have.
    struct Properties: Hashable, Sendable {
        /// `assigned_stop_id`: a changed platform.
        var assignedStop: String?
        var headsign: String?
        var boarding: Boarding?
    }

    var arrival = Event()
    var departure = Event()
    /// From 0 upwards a place, from -2 downwards an unknown stop; -1: no stop.
    private var stop: Int32 = -1
    private var sequenceNumber: Int32 = -1
    private var propertiesNumber: Int32 = -1
    var relationship = Relationship.scheduled

    /// `stop_id`: an index into ``Timetable/places``; nil if missing, or not in the timetable.
    var place: Int? {
        get { stop < 0 ? nil : Int(stop) }
        set { stop = newValue.map { Int32(clamping: $0) } ?? -1 }
    }

    /// `stop_id` of a stop that is not in the timetable: an index into ``TripUpdate/unknownStops``.
    var unknownStop: Int? {
        get { stop < -1 ? Int(-2 - stop) : nil }
        set { stop = newValue.map { -2 - Int32(clamping: $0) } ?? -1 }
    }

    var sequence: Int? {
        get { sequenceNumber < 0 ? nil : Int(sequenceNumber) }
        set { sequenceNumber = newValue.map { Int32(clamping: $0) } ?? -1 }
    }

    /// An index into ``TripUpdate/properties``, if any.
    var properties: Int? {
        get { propertiesNumber < 0 ? nil : Int(propertiesNumber) }
        set { propertiesNumber = newValue.map { Int32(clamping: $0) } ?? -1 }
    }

    var time: Timestamp? { arrival.time ?? departure.time }
    var hasStop: Bool { stop != -1 }
    /// Whether it is of a vehicle that calls there at a reported time.
    var hasTime: Bool { relationship == .scheduled && (arrival.hasValue || departure.hasValue) }
}
