internal import BoardCore

/// A row of `stops.txt`, as it stands there.
struct GTFSStop: Hashable, Sendable {
    /// What is there (`location_type`).
    enum Kind: Int, Sendable {
        /// A stop, or a platform of a station.
        case stop
        case station
        case entrance
        /// A corner of a station's plan.
        case node
        /// A part of a platform.
        case boardingArea
    }

    /// `stop_id`.
    let id: String
    /// `stop_code`: the number that riders know.
    let code: String?
    let name: String
    /// `platform_code`.
    let platform: String?
    /// Nil where there are none, or none that are possible.
    let coordinates: Coordinates?
    let kind: Kind
    /// `parent_station`.
    let parent: String?
}

/// The stops of an archive, one after the other.
struct GTFSStopRows: ~Copyable {
    private var table: Table

    init(_ archive: GTFSArchive) throws(GTFSFailure) {
        table = try Table(
            GTFSFile.stops.name, archive.open(.stops),
            [
                .required("stop_id"), .optional("stop_code"), .optional("stop_name"), .optional("platform_code"),
                .optional("stop_lat"), .optional("stop_lon"), .optional("location_type"), .optional("parent_station"),
            ])
    }

    /// The next stop; nil after the last. Rows without an identifier are passed over.
    mutating func next() throws(GTFSFailure) -> GTFSStop? {
        while try table.next() {
            guard !table.row[0].isEmpty else { continue }
            let latitude = table.bytes.span.decimal(table.row[4])
            let longitude = table.bytes.span.decimal(table.row[5])
            // A place nobody measured is written as zeros, off the coast of Africa.
            let isPlace = latitude != 0 || longitude != 0
            return GTFSStop(
                id: table.text(0), code: table.textIfAny(1), name: table.text(2), platform: table.textIfAny(3),
                coordinates: latitude.flatMap { latitude in
                    longitude.flatMap { isPlace ? Coordinates(latitude: latitude, longitude: $0) : nil }
                },
                kind: table.bytes.span.integer(table.row[6]).flatMap(GTFSStop.Kind.init) ?? .stop,
                parent: table.textIfAny(7))
        }
        return nil
    }
}
