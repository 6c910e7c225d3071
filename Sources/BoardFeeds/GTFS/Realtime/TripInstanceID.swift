internal import BoardCore

/// Identifies a trip instance from a departure to its detail page: a trip on a day at a time, or a trip of a message.
///
/// The text form is `20240209/30600//T1`: service day, start in seconds, length of the entity ID, then the entity ID and
/// the trip ID.
struct TripInstanceID: Hashable, Sendable {
    /// The `trip_id`, or that of a copy.
    let trip: String
    var day: CivilDate?
    /// The first departure in seconds from the beginning of the service day; nil for an unscheduled trip.
    var start: Int?
    /// The entity ID of an unscheduled trip; empty for others.
    var entity = ""
}

extension TripInstanceID {
    init(_ instance: Timetable.TripInstance, trip: String) {
        self.init(trip: trip, day: instance.day, start: instance.start)
    }

    init(_ update: TripUpdate) {
        self.init(trip: update.newID ?? update.trip.id, day: update.trip.day, entity: update.entity)
    }

    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let length = parts[2].isEmpty ? 0 : Int(parts[2]) else { return nil }
        let rest = parts[3].unicodeScalars
        guard (0...rest.count).contains(length) else { return nil }
        let end = rest.index(rest.startIndex, offsetBy: length)
        self.init(
            trip: String(rest[end...]), day: CivilDate(gtfs: String(parts[0])), start: Int(parts[1]),
            entity: String(rest[..<end]))
    }

    /// The text form, which a departure stores.
    var text: String {
        // Made for every row: bytes take a third of an interpolation's time.
        let slash = UInt8(ascii: "/")
        var text: [UInt8] = []
        text.reserveCapacity(32 + entity.utf8.count + trip.utf8.count)
        if let day { text += day.gtfs.utf8 }
        text.append(slash)
        if let start { text += String(start).utf8 }
        text.append(slash)
        if !entity.isEmpty { text += String(entity.unicodeScalars.count).utf8 }
        text.append(slash)
        text += entity.utf8
        text += trip.utf8
        return String(decoding: text, as: UTF8.self)
    }
}

/// Finds live trips by trip ID, day and start (feeds.md §4.3), the specification's key, of which many operators omit one or
/// two parts.
struct TripInstanceIndex {
    /// The index of the first trip with an ID, by its full ID and by its ID without day or start.
    private var numbers: [TripInstanceID: Int] = [:]

    /// Indexes trips; the first of two with one name counts.
    init(of live: [LiveTrip]) {
        numbers.reserveCapacity(live.count * 4)
        for (number, trip) in live.enumerated() {
            for name in Self.forms(of: trip.name) where numbers[name] == nil { numbers[name] = number }
        }
    }

    /// The index of a descriptor's trip; nil if none, or if the trip has frequencies and the descriptor no start.
    func trip(of descriptor: TripDescriptor, among live: [LiveTrip], in timetable: Timetable) -> Int? {
        let name = TripInstanceID(trip: descriptor.id, day: descriptor.day, start: descriptor.start)
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

    private static func forms(of id: TripInstanceID) -> [TripInstanceID] {
        [(id.day, id.start), (id.day, nil), (nil, id.start), (nil, nil)].map { day, start in
            TripInstanceID(trip: id.trip, day: day, start: start)
        }
    }
}

extension LiveTrip {
    /// The update's name of the trip, else the timetable's.
    fileprivate var name: TripInstanceID {
        guard let update else { return TripInstanceID(trip: id.trip, day: id.day, start: id.start) }
        let isCopy = update.trip.relationship == .duplicated
        return TripInstanceID(
            trip: isCopy ? id.trip : update.trip.id,
            day: (isCopy ? update.newDay : nil) ?? update.trip.day ?? id.day,
            start: (isCopy ? update.newStart : nil) ?? update.trip.start ?? id.start)
    }
}
