internal import BoardCore

/// Identifies a trip instance from a departure to its detail page: a trip on a day at a time, or a trip of a message.
///
/// The text form is `20240209/30600//T1`: service day, start in seconds, length of the entity ID, then the entity ID and
/// the trip ID.
struct TripInstanceID: Hashable, Sendable {
    /// The service day; nil if unknown.
    var day: CivilDate?
    /// The first departure in seconds from the beginning of the service day; nil for an unscheduled trip.
    var start: Int?
    /// The entity ID of an unscheduled trip; empty for others.
    var entity = ""
    /// The `trip_id`.
    let trip: String

    /// - Parameter trip: the trip's ID, or a copy's.
    init(_ instance: Timetable.TripInstance, trip: String) {
        day = instance.day
        start = instance.start
        self.trip = trip
    }

    /// An unscheduled trip.
    init(_ update: TripUpdate) {
        day = update.trip.day
        entity = update.entity
        trip = update.newID ?? update.trip.id
    }

    /// Parses ``text``; nil if malformed.
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
