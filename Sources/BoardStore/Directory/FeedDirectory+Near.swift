internal import BoardCore

extension FeedDirectory {
    /// The first look goes so far, in metres; each next one so many times as far, until enough is found or the
    /// wished distance is reached. So a wish for the three nearest stops of a whole county reads a street.
    private static let firstLook = 250.0
    private static let growth = 2.0

    /// The nearest poles and stations, nearest first.
    ///
    /// - Parameters:
    ///   - metres: how far away they may be.
    ///   - modes: what must call there, in any case; empty: anything.
    ///   - limit: how many at most; more than none.
    func near(
        _ point: Coordinates, metres: Double, modes: Set<String>, limit: Int
    ) throws(SQLiteFailure) -> [(rank: Int64, metres: Double)] {
        var reach = min(Self.firstLook, metres)
        while true {
            let found = try within(reach, of: point, modes: modes)
            if found.count >= limit || reach >= metres {
                return Array(found.sorted { ($0.metres, $0.rank) < ($1.metres, $1.rank) }.prefix(limit))
            }
            reach = min(reach * Self.growth, metres)
        }
    }

    private func within(
        _ metres: Double, of point: Coordinates, modes: Set<String>
    ) throws(SQLiteFailure) -> [(rank: Int64, metres: Double)] {
        var found: [(rank: Int64, metres: Double)] = []
        for box in GreatCircle.boxes(around: point, metres: metres) {
            try connection.statement(
                """
                SELECT stop.rank, stop.latitude, stop.longitude, stop.modes
                FROM place CROSS JOIN stop ON stop.rank = place.rank
                WHERE place.north >= ? AND place.south <= ? AND place.east >= ? AND place.west <= ?
                """
            ).each(.real(box.south), .real(box.north), .real(box.west), .real(box.east)) { row in
                guard let latitude = row.real(1), let longitude = row.real(2),
                    let place = Coordinates(latitude: latitude, longitude: longitude)
                else { return true }
                let distance = GreatCircle.distance(point, place)
                guard distance <= metres else { return true }
                if modes.isEmpty || Self.parts(row.text(3)).contains(where: { modes.contains($0.lowercased()) }) {
                    found.append((row.integer(0), distance))
                }
                return true
            }
        }
        return found
    }
}
