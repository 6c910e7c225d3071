internal import BoardCore

/// What is told of one call. There are thousands in a message, so that it is kept small.
struct StopUpdate: Hashable, Sendable {
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

        /// How many seconds later than by the timetable; negative: earlier.
        var delay: Int? {
            get { late == .min ? nil : Int(late) }
            set { late = newValue.map { Int32(clamping: $0) } ?? .min }
        }

        /// Whether anything is told.
        var isTold: Bool { seconds != 0 || late != .min }
    }

    /// What few calls have.
    struct Properties: Hashable, Sendable {
        /// `assigned_stop_id`: the platform that it has instead.
        var assignedStop: String?
        /// `stop_headsign`.
        var headsign: String?
        /// Whether people may get on, where that is told.
        var takesRiders: Bool?
    }

    /// A box, since most calls have none.
    private indirect enum Extra: Hashable, Sendable {
        case none
        case told(Properties)
    }

    /// `stop_id`; empty where it is not told.
    var stop = ""
    var arrival = Event()
    var departure = Event()
    private var place: Int32 = -1
    var relationship = Relationship.scheduled
    private var extra = Extra.none

    /// `stop_sequence`.
    var sequence: Int? {
        get { place < 0 ? nil : Int(place) }
        set { place = newValue.map { Int32(clamping: $0) } ?? -1 }
    }

    var properties: Properties? {
        get { if case .told(let properties) = extra { properties } else { nil } }
        set { extra = newValue.map { .told($0) } ?? .none }
    }
}
