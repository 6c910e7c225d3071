internal import BoardCore

/// Finds live trips by trip ID, day and start (feeds.md §4.3), the specification's key, of which many operators omit one or
/// two parts.
struct TripInstanceIndex: Sendable {
    fileprivate struct Name: Hashable {
        let trip: String
        let day: CivilDate?
        let start: Int?
    }

    /// The index of the first trip with a name, by its full name and by its name without day or start.
    private var numbers: [Name: Int] = [:]

    init() {}

    /// Indexes trips; the first of two with one name counts.
    init(of live: [LiveTrip]) {
        numbers.reserveCapacity(live.count * 4)
        for (number, trip) in live.enumerated() {
            for name in Self.forms(of: trip.name) where numbers[name] == nil { numbers[name] = number }
        }
    }

    /// The index of a descriptor's trip; nil if none, or if the trip has frequencies and the descriptor no start.
    func trip(of descriptor: TripDescriptor, among live: [LiveTrip], in timetable: Timetable) -> Int? {
        let name = Name(trip: descriptor.id, day: descriptor.day, start: descriptor.start)
        let found = Self.forms(of: name).lazy.compactMap { numbers[$0] }.first { number in
            let other = live[number].name
            return (name.day == nil || other.day == nil || name.day == other.day)
                && (name.start == nil || other.start == nil || name.start == other.start)
        }
        return found.flatMap { number in
            let trip = live[number].instance.map { timetable.trips[$0.trip] }
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
    /// The update's name of the trip, else the timetable's.
    fileprivate var name: TripInstanceIndex.Name {
        guard let update else { return TripInstanceIndex.Name(trip: id.trip, day: id.day, start: id.start) }
        let isCopy = update.trip.relationship == .duplicated
        return TripInstanceIndex.Name(
            trip: isCopy ? id.trip : update.trip.id,
            day: (isCopy ? update.newDay : nil) ?? update.trip.day ?? id.day,
            start: (isCopy ? update.newStart : nil) ?? update.trip.start ?? id.start)
    }
}
