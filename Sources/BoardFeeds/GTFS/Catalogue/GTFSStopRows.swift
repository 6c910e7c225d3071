internal import BoardCore
internal import BoardFormats

/// A row of `stops.txt`.
struct GTFSStop: Hashable, Sendable {
    /// `location_type`.
    enum Kind: Int, Sendable {
        /// A stop, or a platform of a station.
        case stop
        case station
        case entrance
        /// A node of a station's plan.
        case node
        /// A part of a platform.
        case boardingArea
    }

    /// `stop_id`.
    let id: String
    /// `stop_code`: the number shown to riders.
    let code: String?
    let name: String
    /// `platform_code`.
    let platform: String?
    /// Nil if missing or out of range.
    let coordinates: Coordinates?
    let kind: Kind
    /// `parent_station`.
    let parent: String?
}

/// The columns used of `stops.txt`.
enum StopColumn: Int, TableColumns {
    case id, parent, kind, code, name, platform, latitude, longitude

    static let file = GTFSFile.stops

    var column: Table.Column {
        switch self {
        case .id: .required("stop_id")
        case .parent: .optional("parent_station")
        case .kind: .optional("location_type")
        case .code: .optional("stop_code")
        case .name: .optional("stop_name")
        case .platform: .optional("platform_code")
        case .latitude: .optional("stop_lat")
        case .longitude: .optional("stop_lon")
        }
    }
}

extension Table {
    /// The current row of `stops.txt`.
    fileprivate var stop: GTFSStop {
        let latitude = bytes.span.decimal(field(StopColumn.latitude))
        let longitude = bytes.span.decimal(field(StopColumn.longitude))
        // Some operators write 0, 0 for unmeasured coordinates.
        let isPlace = latitude != 0 || longitude != 0
        return GTFSStop(
            id: text(StopColumn.id), code: nameIfAny(StopColumn.code), name: nameIfAny(StopColumn.name) ?? "",
            platform: nameIfAny(StopColumn.platform),
            coordinates: latitude.flatMap { latitude in
                longitude.flatMap { isPlace ? Coordinates(latitude: latitude, longitude: $0) : nil }
            },
            kind: stopKind, parent: textIfAny(StopColumn.parent))
    }

    /// `location_type` of the current row; a stop if unreadable.
    var stopKind: GTFSStop.Kind {
        bytes.span.integer(field(StopColumn.kind)).flatMap(GTFSStop.Kind.init) ?? .stop
    }
}

/// The stops of an archive, row by row.
struct GTFSStopRows: ~Copyable {
    private var table: Table

    init(_ archive: GTFSArchive) throws(GTFSFailure) {
        table = try Table(StopColumn.self, in: archive)
    }

    /// The next stop; nil after the last. Rows without a `stop_id` are skipped.
    mutating func next() throws(GTFSFailure) -> GTFSStop? {
        while try table.next() {
            if !table.field(StopColumn.id).isEmpty { return table.stop }
        }
        return nil
    }
}

extension GTFSArchive {
    func stops() throws(GTFSFailure) -> GTFSStopRows {
        try GTFSStopRows(self)
    }
}
