internal import BoardFormats

/// The columns used of `trips.txt`.
enum TripColumn: Int, TableColumns {
    case id, route, service, headsign, shortName, direction

    static let file = GTFSFile.trips

    var column: Table.Column {
        switch self {
        case .id: .required("trip_id")
        case .route: .required("route_id")
        case .service: .required("service_id")
        case .headsign: .optional("trip_headsign")
        case .shortName: .optional("trip_short_name")
        case .direction: .optional("direction_id")
        }
    }
}

extension Table {
    /// `direction_id` of the current row of `trips.txt`; nil unless 0 or 1.
    var direction: Int? {
        bytes.span.integer(field(TripColumn.direction)).flatMap { [0, 1].contains($0) ? $0 : nil }
    }
}
