/// A row of `routes.txt`.
struct GTFSRoute: Hashable, Sendable {
    /// `route_id`.
    let id: String
    /// `agency_id`; empty where there is but one.
    let agency: String
    /// `route_short_name`; empty where the feed gives none.
    let shortName: String
    /// `route_long_name`; empty where the feed gives none.
    let longName: String
    /// `route_type`: 0–12, or 100–1700.
    let type: Int

    /// What riders call it.
    var name: String { shortName.isEmpty ? longName.isEmpty ? id : longName : shortName }
}

extension GTFSArchive {
    /// The routes, in the order of the file. Rows without an identifier are passed over; a type that cannot be read is a bus.
    func routes() throws(GTFSFailure) -> [GTFSRoute] {
        var table = try Table(
            GTFSFile.routes.name, open(.routes),
            [
                .required("route_id"), .optional("agency_id"), .optional("route_short_name"),
                .optional("route_long_name"), .optional("route_type"),
            ])
        var routes: [GTFSRoute] = []
        while try table.next() {
            guard !table.row[0].isEmpty else { continue }
            routes.append(
                GTFSRoute(
                    id: table.text(0), agency: table.text(1), shortName: table.text(2), longName: table.text(3),
                    type: table.bytes.span.integer(table.row[4]) ?? 3))
        }
        return routes
    }

    /// The stops, one after the other.
    func stops() throws(GTFSFailure) -> GTFSStopRows {
        try GTFSStopRows(self)
    }
}
