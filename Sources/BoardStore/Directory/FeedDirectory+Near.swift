internal import BoardCore

extension FeedDirectory {
    /// The first look goes so far, in metres, and each next one twice as far, until enough is found: a wish for the three
    /// nearest stops of a whole county reads a street.
    private static let initialRadius = 250.0
    /// So many stops are read at once without a second thought. Where a look would read more, as the first that reaches
    /// a town from far outside, it goes less far.
    private static let batchSize = 1000
    /// Looks that differ by less, in metres or as a part of the distance, are the same.
    private static let finest = (metres: 25.0, part: 0.01)

    /// The nearest poles and stations, nearest first.
    ///
    /// - Parameters:
    ///   - metres: how far away they may be.
    ///   - modes: what must call there, in any case; empty: anything.
    ///   - limit: how many at most; more than none.
    func near(
        _ point: Coordinates, metres: Double, modes: Set<String>, limit: Int
    ) throws(SQLiteFailure) -> [(rank: Int64, metres: Double)] {
        var known = 0.0
        var reach = min(Self.initialRadius, metres)
        var most = Self.batchSize
        while true {
            let boxes = point.boxes(within: Metres(reach))
            let count = try count(in: boxes, upTo: most + 1)
            if count > most {
                if boxes.contains(where: \.isBand) {
                    // Right around Earth: a shorter look would be as wide, and many of them dearer than one.
                    reach = metres
                } else if reach - known > max(Self.finest.metres, known * Self.finest.part) {
                    reach = (known + reach) / 2
                    continue
                }
            }
            let found = try within(reach, of: point, modes: modes)
            if found.count >= limit || reach >= metres {
                return Array(found.sorted { ($0.metres, $0.rank) < ($1.metres, $1.rank) }.prefix(limit))
            }
            // What has been read and was not enough is read again: twice as much makes that no more than as much again.
            most = max(most, 2 * count)
            known = reach
            reach = min(reach * 2, metres)
        }
    }

    private func count(
        in boxes: [CoordinateBox], upTo most: Int
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
                    .real(box.south), .real(box.north), .real(box.west), .real(box.east), .integer(most)
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
                else { return true }
                let distance = point.distance(to: place).count
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
