internal import BoardCore

/// A trip with realtime data: the timetable's calls with a message's updates, or a message's calls only.
struct LiveTrip: Sendable {
    /// A call. Most of thousands are never shown, so it stores numbers only.
    struct Call: Sendable {
        struct Times: Hashable, Sendable {
            var arrival: Timestamp
            var departure: Timestamp

            /// A missing pair: an optional one would take eight bytes more.
            static let none = Times(
                arrival: Timestamp(microseconds: .min), departure: Timestamp(microseconds: .min))
        }

        private var placeNumber: Int32
        private var updateNumber: Int32 = -1
        /// An index into ``Timetable/headsigns``; -1: the trip's headsign.
        let headsign: Int32
        var boarding: Boarding
        var isSkipped = false
        /// Whether ``live`` is only what the reports of other calls leave possible.
        var isUncertain = false
        private var plannedTimes = Times.none, liveTimes = Times.none

        init(place: Int?, planned: Times?, headsign: Int32 = -1, boarding: Boarding = .regular) {
            placeNumber = Int32(place ?? -1)
            self.headsign = headsign
            self.boarding = boarding
            self.planned = planned
        }

        var planned: Times? {
            get { plannedTimes == .none ? nil : plannedTimes }
            set { plannedTimes = newValue ?? .none }
        }

        /// The live times, if any; the departure is not before the arrival.
        var live: Times? {
            get { liveTimes == .none ? nil : liveTimes }
            set { liveTimes = newValue ?? .none }
        }

        /// An index into ``Timetable/places``; nil for a stop that is not in the timetable.
        var place: Int? {
            get { placeNumber < 0 ? nil : Int(placeNumber) }
            set { placeNumber = Int32(newValue ?? -1) }
        }

        /// An index into the update's stops; nil if the update does not have the call.
        var updateIndex: Int? {
            get { updateNumber < 0 ? nil : Int(updateNumber) }
            set { updateNumber = Int32(newValue ?? -1) }
        }
    }

    let id: TripInstanceID
    /// The scheduled trip, which this one replaces in the list of departures; nil if it is not in the timetable.
    var instance: Timetable.TripInstance?
    let line: Line
    var headsign: String
    /// `direction_id`; nil if missing.
    var direction: Int?
    var isCancelled = false
    /// Whether the trip is not shown (`DELETED`).
    var isHidden = false
    /// Whether the `trip_id` is not in our timetable, so that a scheduled departure may be the same vehicle.
    var isUnknownTrip = false
    var hasExactTimes = true
    /// When the update was made; nil without realtime data.
    var madeAt: Timestamp?
    var update: TripUpdate?
    var calls: [Call]
    /// How many updates are of calls that it does not make, or have times that no vehicle has.
    var badUpdates = 0

    /// The position of the last call that is not skipped: the terminus, which is not a departure.
    var end: Int? { calls.lastIndex { !$0.isSkipped } }

    func headsign(at position: Int, in timetable: Timetable) -> String {
        let call = calls[position]
        if let live = stopTimeUpdate(of: call).flatMap({ update?.properties(of: $0)?.headsign }) { return live }
        return call.headsign >= 0 ? timetable.headsigns[Int(call.headsign)] : headsign
    }

    func stopTimeUpdate(of call: Call) -> StopTimeUpdate? {
        guard let number = call.updateIndex, let stops = update?.stops, stops.indices.contains(number) else {
            return nil
        }
        return stops[number]
    }
}
