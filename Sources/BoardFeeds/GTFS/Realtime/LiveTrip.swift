internal import BoardCore

/// A run with what is known of it: the timetable's calls with a message's corrections, or a message's calls alone.
struct LiveTrip: Sendable {
    /// A call. There are thousands, most of which are never shown: it holds numbers only.
    struct Call: Sendable {
        /// When it arrives and departs.
        struct Times: Hashable, Sendable {
            var arrival: Timestamp
            var departure: Timestamp

            fileprivate static var zero: Times {
                Times(arrival: Timestamp(seconds: 0), departure: Timestamp(seconds: 0))
            }
        }

        /// What ``State`` is without its times: beside these it takes a byte, in it a word.
        private enum Kind {
            case scheduled, skipped, expected
        }

        /// What is known of it.
        enum State: Hashable, Sendable {
            /// Nothing but the timetable.
            case scheduled
            /// It is left out.
            case skipped
            /// Live times; the departure is not before the arrival.
            case expected(Times)
        }

        private var placeNumber: Int32
        private var updateNumber: Int32 = -1
        /// A place in ``Timetable/headsigns``; -1: the run's own.
        let headsign: Int32
        /// Whether people may get on.
        var allowsBoarding: Bool
        private var kind = Kind.scheduled
        private var hasPlanned = false
        private var plannedTimes = Times.zero, liveTimes = Times.zero

        init(place: Int?, planned: Times?, headsign: Int32 = -1, allowsBoarding: Bool = true) {
            placeNumber = Int32(place ?? -1)
            self.headsign = headsign
            self.allowsBoarding = allowsBoarding
            if let planned { (hasPlanned, plannedTimes) = (true, planned) }
        }

        /// The timetable's times; nil where there are none.
        var planned: Times? {
            get { hasPlanned ? plannedTimes : nil }
            set { (hasPlanned, plannedTimes) = (newValue != nil, newValue ?? .zero) }
        }

        var state: State {
            get {
                switch kind {
                case .scheduled: .scheduled
                case .skipped: .skipped
                case .expected: .expected(liveTimes)
                }
            }
            set {
                switch newValue {
                case .scheduled: kind = .scheduled
                case .skipped: kind = .skipped
                case .expected(let times): (kind, liveTimes) = (.expected, times)
                }
            }
        }

        /// Where: a place in ``Timetable/places``; nil: a stop of which the timetable knows nothing.
        var place: Int? {
            get { placeNumber < 0 ? nil : Int(placeNumber) }
            set { placeNumber = Int32(newValue ?? -1) }
        }

        /// Which of the message's calls it is; nil: it is not among them.
        var updateIndex: Int? {
            get { updateNumber < 0 ? nil : Int(updateNumber) }
            set { updateNumber = Int32(newValue ?? -1) }
        }

        /// The live times, where there are any.
        var live: Times? {
            kind == .expected ? liveTimes : nil
        }
    }

    let id: TripInstanceID
    /// The timetable's run, of which nothing else is shown then; nil: the run is none of the timetable's.
    var run: Timetable.TripInstance?
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
    var isUnknownTrip = false
    /// Whether the timetable promises its times; otherwise, only how often a vehicle comes.
    var hasExactTimes = true
    /// When what is known was made; nil: nothing is known but the timetable.
    var madeAt: Timestamp?
    /// What a message tells of it.
    var update: TripUpdate?
    var calls: [Call]
    /// What the message told of calls that the timetable's run does not make.
    var unmatchedUpdates: [StopTimeUpdate] = []

    /// The last call that is made: where the run ends, which is no departure.
    var end: Int? { calls.lastIndex { $0.state != .skipped } }

    /// Where it goes from a call on.
    func headsign(at position: Int, in timetable: Timetable) -> String {
        let call = calls[position]
        if let told = stopTimeUpdate(of: call).flatMap({ update?.properties(of: $0)?.headsign }) { return told }
        return call.headsign >= 0 ? timetable.headsigns[Int(call.headsign)] : headsign
    }

    /// What the message told of a call.
    func stopTimeUpdate(of call: Call) -> StopTimeUpdate? {
        guard let told = call.updateIndex, let stops = update?.stops, stops.indices.contains(told) else { return nil }
        return stops[told]
    }
}
