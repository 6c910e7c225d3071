internal import BoardCore

/// What a run is called between a departure and its page: a trip on a day at a time, or what a message alone tells of.
///
/// Written `20240209/30600//T1`: the day, the start in seconds, the length of the entity's id with the id, the trip.
struct TripInstanceID: Hashable, Sendable {
    /// The service day; nil where nobody told it.
    var day: CivilDate?
    /// The first departure in seconds from the beginning of the service day; nil for a run that has no timetable.
    var start: Int?
    /// The entity that tells of it, of a run that has no timetable; empty for others.
    var entity = ""
    /// The trip.
    let trip: String

    /// A run of the timetable, under its own id or a copy's.
    init(_ run: Timetable.TripInstance, trip: String) {
        day = run.day
        start = run.start
        self.trip = trip
    }

    /// A run that a message alone tells of.
    init(_ update: TripUpdate) {
        day = update.trip.day
        entity = update.entity
        trip = update.newID ?? update.trip.id
    }

    /// Reads what ``text`` is; nil for any other text.
    init?(_ text: String) {
        let parts = text.split(separator: "/", maxSplits: 3, omittingEmptySubsequences: false)
        guard parts.count == 4, let length = parts[2].isEmpty ? 0 : Int(parts[2]) else { return nil }
        let rest = parts[3].unicodeScalars
        guard (0...rest.count).contains(length) else { return nil }
        day = CivilDate(gtfs: String(parts[0]))
        start = Int(parts[1])
        let end = rest.index(rest.startIndex, offsetBy: length)
        entity = String(rest[..<end])
        trip = String(rest[end...])
    }

    /// As a departure keeps it.
    var text: String {
        // Made for every row: as bytes, which is a third of what an interpolation takes.
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
