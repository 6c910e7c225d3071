internal import BoardCore

/// Which runs messages mean by a trip, its day and its start (feeds.md §4.3): the key of the format, of which many leave out
/// a part or two.
struct TripInstanceIndex: Sendable {
    fileprivate struct Name: Hashable {
        let trip: String
        let day: CivilDate?
        let start: Int?
    }

    /// The first run of a name, under its whole name and under what is left of it without a part.
    private var runs: [Name: Int] = [:]

    /// None.
    init() {}

    /// Those of some runs. Of two trains of one name the first is meant.
    init(of live: [LiveTrip]) {
        runs.reserveCapacity(live.count * 4)
        for (number, run) in live.enumerated() {
            for name in Self.forms(of: run.name) where runs[name] == nil { runs[name] = number }
        }
    }

    /// The run that a descriptor means; nil: none of these, or one of several that start again and again.
    func run(of told: TripDescriptor, among live: [LiveTrip], of timetable: Timetable) -> Int? {
        let name = Name(trip: told.id, day: told.day, start: told.start)
        let found = Self.forms(of: name).lazy.compactMap { runs[$0] }.first { number in
            let other = live[number].name
            return (name.day == nil || other.day == nil || name.day == other.day)
                && (name.start == nil || other.start == nil || name.start == other.start)
        }
        return found.flatMap { number in
            let trip = live[number].run.map { timetable.trips[$0.trip] }
            return name.start != nil || trip?.frequencies.isEmpty ?? true ? number : nil
        }
    }

    private static func forms(of name: Name) -> [Name] {
        [
            name, Name(trip: name.trip, day: name.day, start: nil), Name(trip: name.trip, day: nil, start: name.start),
            Name(trip: name.trip, day: nil, start: nil),
        ]
    }
}

extension LiveTrip {
    /// What a message calls the run: what it was told by, else what the run of the timetable is.
    fileprivate var name: TripInstanceIndex.Name {
        guard let update else { return TripInstanceIndex.Name(trip: id.trip, day: id.day, start: id.start) }
        let isCopy = update.trip.relationship == .duplicated
        return TripInstanceIndex.Name(
            trip: isCopy ? id.trip : update.trip.id,
            day: (isCopy ? update.newDay : nil) ?? update.trip.day ?? id.day,
            start: (isCopy ? update.newStart : nil) ?? update.trip.start ?? id.start)
    }
}
