internal import BoardFormats

/// A row of `routes.txt`.
struct GTFSRoute: Hashable, Sendable {
    /// `route_id`.
    let id: String
    /// `agency_id`; empty if the feed has one agency.
    let agency: String
    /// The name that riders use: `route_short_name`, else `route_long_name`, else the ID.
    let name: String
    /// `route_type`: 0–12, or 100–1700; 3 (bus) if unreadable.
    let type: Int
}

/// The columns used of `routes.txt`.
enum RouteColumn: Int, TableColumns {
    case id, shortName, longName, agency, type

    static let file = GTFSFile.routes

    var column: Table.Column {
        switch self {
        case .id: .required("route_id")
        case .shortName: .optional("route_short_name")
        case .longName: .optional("route_long_name")
        case .agency: .optional("agency_id")
        case .type: .optional("route_type")
        }
    }
}

extension Table {
    /// The current row of `routes.txt`.
    var route: GTFSRoute {
        let id = text(RouteColumn.id)
        return GTFSRoute(
            id: id, agency: text(RouteColumn.agency),
            name: nameIfAny(RouteColumn.shortName) ?? nameIfAny(RouteColumn.longName) ?? id,
            type: bytes.span.integer(field(RouteColumn.type)) ?? 3)
    }
}

extension GTFSArchive {
    /// The routes, in the order of the file. Rows without a `route_id` are skipped.
    func routes() throws(GTFSFailure) -> [GTFSRoute] {
        var table = try Table(RouteColumn.self, in: self)
        var routes: [GTFSRoute] = []
        var text = 0
        while try table.next() {
            guard !table.field(RouteColumn.id).isEmpty else { continue }
            routes.append(table.route)
            text += table.textCount(RouteColumn.id, .shortName, .longName, .agency)
            try GTFSLimits.check(routes.count, limits.routes, "lines", .routes)
            try GTFSLimits.check(text, limits.text, "bytes of their names", .routes)
        }
        return routes
    }
}
