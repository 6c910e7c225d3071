internal import BoardCore

extension FeedDirectory {
    /// The radius of the first query, in metres. Each further query doubles it until there are enough stops: a search for
    /// the three nearest stops of a whole county reads only a street.
    private static let initialRadius = 250.0
    /// The number of stops that one query may read. A query that would read more, such as the first to reach a town from far
    /// outside, gets a smaller radius.
    private static let batchSize = 1000
    /// Radii that differ by less, in metres or as a fraction of the radius, count as equal.
    private static let finest = (metres: 25.0, part: 0.01)

    /// The nearest poles and stations within some metres, nearest first; at most `limit`, which is at least 1.
    ///
    /// - Parameter modes: the modes that must call, in lower case; empty: any.
    func near(
        _ point: Coordinates, metres: Double, modes: Set<String>, limit: Int
    ) throws(SQLiteFailure) -> [(rank: Int64, metres: Double)] {
        var searched = 0.0
        var radius = min(Self.initialRadius, metres)
        var budget = Self.batchSize
        while true {
            let boxes = point.boxes(within: Metres(radius))
            let count = try count(in: boxes, upTo: budget + 1)
            if count > budget {
                if boxes.contains(where: \.isBand) {
                    // All around the Earth: a smaller radius would be as wide, and many queries cost more than one.
                    radius = metres
                } else if radius - searched > max(Self.finest.metres, searched * Self.finest.part) {
                    radius = (searched + radius) / 2
                    continue
                }
            }
            let found = try within(radius, of: point, modes: modes)
            if found.count >= limit || radius >= metres {
                return Array(found.sorted { ($0.metres, $0.rank) < ($1.metres, $1.rank) }.prefix(limit))
            }
            // The next query reads these stops again: doubling the budget bounds that cost by the total.
            budget = max(budget, 2 * count)
            searched = radius
            radius = min(radius * 2, metres)
        }
    }

    private func count(
        in boxes: [CoordinateBox], upTo maximum: Int
    ) throws(SQLiteFailure) -> Int {
        var count = 0
        for box in boxes {
            count +=
                try connection.statement(
                    """
                    SELECT count(*) FROM (
                        SELECT 1 FROM place WHERE north >= ? AND south <= ? AND east >= ? AND west <= ? LIMIT ?)
                    """
                ).first(
                    .real(box.south), .real(box.north), .real(box.west), .real(box.east), .integer(maximum)
                ) { row in Int(row.integer(0)) } ?? 0
        }
        return count
    }

    private func within(
        _ metres: Double, of point: Coordinates, modes: Set<String>
    ) throws(SQLiteFailure) -> [(rank: Int64, metres: Double)] {
        var found: [(rank: Int64, metres: Double)] = []
        for box in point.boxes(within: Metres(metres)) {
            try connection.statement(
                """
                SELECT stop.rank, stop.latitude, stop.longitude, stop.modes
                FROM place CROSS JOIN stop ON stop.rank = place.rank
                WHERE place.north >= ? AND place.south <= ? AND place.east >= ? AND place.west <= ?
                """
            ).each(.real(box.south), .real(box.north), .real(box.west), .real(box.east)) { row in
                guard let latitude = row.real(1), let longitude = row.real(2),
                    let place = Coordinates(latitude: latitude, longitude: longitude)
                else { return }
                let distance = point.distance(to: place).count
                guard distance <= metres else { return }
                if modes.isEmpty || Self.parts(row.text(3)).contains(where: { modes.contains($0.lowercased()) }) {
                    found.append((row.integer(0), distance))
                }
            }
        }
        return found
    }
}
