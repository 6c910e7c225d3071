internal import BoardCore

/// A run with what is known of it: the timetable's calls with a message's corrections, or a message's calls alone.
struct LiveRun: Sendable {
    /// A call.
    struct Call: Sendable {
        /// What is known of it.
        enum State: Hashable, Sendable {
            /// Nothing but the timetable.
            case timetabled
            /// It is left out.
            case skipped
            /// Live times; the departure is not before the arrival.
            case expected(arrival: Timestamp, departure: Timestamp)
        }

        /// Where: a place in ``Timetable/places``; nil: a stop of which the timetable knows nothing.
        var place: Int?
        /// The id of a stop of which the timetable knows nothing.
        var unknownStop = ""
        /// The timetable's times; nil where there are none.
        var arrival: Timestamp?
        var departure: Timestamp?
        var state = State.timetabled
        /// Where it goes from there on, where that is another place than the run's.
        var headsign: String?
        /// Whether people may get on.
        var takesRiders = true
        /// Whether the message told of this very call.
        var isTold = false
    }

    let id: RunID
    /// The timetable's run, of which nothing else is shown then; nil: the run is none of the timetable's.
    var run: Timetable.Run?
    let line: Line
    /// Where it goes.
    var headsign: String
    /// `direction_id`; nil where it is not told.
    var direction: Int?
    /// Whether it does not run.
    var isCancelled = false
    /// Whether nobody is to be told of it.
    var isHidden = false
    /// Whether the message means a trip of the timetable that is not in ours: some row of the timetable may be the same
    /// train.
    var isUnmatched = false
    /// Whether the timetable promises its times; otherwise, only how often a vehicle comes.
    var isPromised = true
    /// The operator's name of the vehicle; empty when not told.
    var vehicle = ""
    /// When what is known was made; nil: nothing is known but the timetable.
    var made: Timestamp?
    var calls: [Call]
    /// What the message told of calls that the timetable's run does not make.
    var strays: [StopUpdate] = []

    /// The last call that is made: where the run ends, which is no departure.
    var end: Int? { calls.lastIndex { $0.state != .skipped } }
}
