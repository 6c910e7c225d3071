import BoardCore
import BoardIO
import CSQLite

/// One feed's live file, open. For one thread at a time.
final class FeedDirectory {
    let feed: FeedName
    let connection: SQLiteConnection
    /// The size of the file in bytes.
    private let size: Int

    /// Opens a file and checks whether this program can read it.
    init(_ feed: FeedName, file: String, schema: DirectorySchema) throws(StoreError) {
        guard let identity = try DirectoryFiles.identity(file) else { throw StoreError(.missing, file: file) }
        let (connection, incompatibility) = try StoreError.reading(file) { () throws(StoreError) in
            let connection = try SQLiteConnection(file, .immutable)
            return (connection, try schema.incompatibility(to: connection))
        }
        if let incompatibility { throw StoreError(incompatibility, file: file) }
        self.feed = feed
        self.connection = connection
        size = Int(identity.size)
    }

    func stop(_ code: String) throws(StoreError) -> ListedStop? {
        let found = try connection.statement("SELECT rank FROM stop WHERE code = ?1 COLLATE NOCASE AND code = ?1")
            .first(.text(code)) { row in row.integer(0) }
        return try found.flatMap(stop(rank:))
    }

    /// The stops with the parent `code`, in order of importance.
    func parts(of code: String) throws(StoreError) -> [ListedStop] {
        try connection.statement("SELECT rank FROM stop WHERE parent = ? ORDER BY rank")
            .all(.text(code)) { row in row.integer(0) }.map(stop(rank:)).compactMap { $0 }
    }

    func stop(rank: Int64) throws(StoreError) -> ListedStop? {
        let lines = try connection.statement(
            """
            SELECT line.id, line.name, line.mode, line.colour FROM call JOIN line ON line.key = call.line
            WHERE call.stop = ? ORDER BY call.position
            """
        ).all(.integer(rank)) { row in Self.line(row) }
        return try connection.statement(
            """
            SELECT code, kind, name, letter, towards, modes, latitude, longitude, parent, short_code
            FROM stop WHERE rank = ?
            """
        ).first(.integer(rank)) { row throws(StoreError) in
            guard let kind = ListedStop.Kind(importance: row.integer(1)) else { throw damage("a stop without a kind") }
            var coordinates: Coordinates?
            if let latitude = row.real(6), let longitude = row.real(7) {
                coordinates = Coordinates(latitude: latitude, longitude: longitude)
            }
            return ListedStop(
                id: id(row.text(0) ?? ""), kind: kind, name: row.text(2) ?? "", letter: row.text(3),
                towards: row.text(4), modes: Self.parts(row.text(5)), lines: lines, coordinates: coordinates,
                parent: row.text(8).map(id), shortCode: row.text(9))
        }
    }

    func edition() throws(StoreError) -> DirectoryEdition {
        let edition = try connection.statement("SELECT stops, lines, completed FROM edition").first { row in
            DirectoryEdition(
                feed: feed, stops: Int(row.integer(0)), lines: Int(row.integer(1)),
                completed: Timestamp(microseconds: row.integer(2)), bytes: size)
        }
        guard let edition else { throw damage("no row in table edition") }
        return edition
    }

    /// Every line, in the order of the file.
    func lines() throws(StoreError) -> [DirectoryLine] {
        try connection.statement("SELECT id, name, mode, colour, stops FROM line").all { row in
            DirectoryLine(feed: feed, line: Self.line(row), stops: Int(row.integer(4)))
        }
    }

    /// The parts of a list that is stored as one text.
    static func parts(_ text: String?) -> [String] {
        text?.split(separator: DirectorySchema.separator).map(String.init) ?? []
    }

    /// A line from a row with its ID, name, mode and colour.
    private static func line(_ row: SQLiteStatement) -> ListedLine {
        ListedLine(Line(id: row.text(0) ?? "", name: row.text(1) ?? ""), mode: row.text(2), colour: row.text(3))
    }

    private func id(_ code: String) -> StopID { StopID(feed: feed, code: code) }

    private func damage(_ message: String) -> StoreError {
        StoreError(code: SQLITE_CORRUPT, message: message)
    }
}

extension FeedDirectory {
    /// The number of interchanges, stations and poles in a box, and the ranks of the most important ones, in this
    /// order; at most `limit`. The index stores 32-bit coordinates: stops up to half a metre outside may be included.
    func ranks(in box: BoundingBox, limit: Int) throws(StoreError) -> (ranks: [Int64], total: Int) {
        // The index of places has only those where vehicles call. There are few interchanges.
        let sources = [
            "SELECT rank FROM stop WHERE kind = \(ListedStop.Kind.interchange.importance)"
                + " AND latitude >= ? AND latitude <= ? AND longitude >= ? AND longitude <= ?",
            "SELECT rank FROM place WHERE north >= ? AND south <= ? AND east >= ? AND west <= ?",
        ]
        var ranks: [Int64] = []
        for part in box.parts {
            for source in sources {
                try connection.statement(source).each(
                    .real(part.south), .real(part.north), .real(part.west), .real(part.east)
                ) { row in ranks.append(row.integer(0)) }
            }
        }
        let total = ranks.count
        ranks.sort()
        return (Array(ranks.prefix(limit)), total)
    }
}

extension FeedDirectory {
    /// The radius of the first query, in metres. Each further query doubles it until there are enough stops: a search
    /// of a whole county for the three nearest stops reads only a street.
    private static let initialRadius = 250.0
    /// The number of stops that one query may read. A query that would read more, such as the first to reach a town
    /// from far outside, gets a smaller radius.
    private static let batchSize = 1000
    /// Radii that differ by less, in metres or as a fraction of the radius, count as equal.
    private static let finest = (metres: 25.0, part: 0.01)

    /// The nearest poles and stations within a distance, nearest first; at most `limit`, which is at least 1.
    ///
    /// - Parameter modes: in lower case, one of which must call; empty: any.
    func near(
        _ point: Coordinates, metres: Double, modes: Set<String>, limit: Int
    ) throws(StoreError) -> [(rank: Int64, metres: Double)] {
        var searched = 0.0
        var radius = min(Self.initialRadius, metres)
        var budget = Self.batchSize
        while true {
            let boxes = point.boxes(within: Metres(radius))
            let count = try count(in: boxes, upTo: budget + 1)
            if count > budget {
                if boxes.contains(where: \.isBand) {
                    // All around the Earth: a smaller radius is just as wide, and many queries cost more than one.
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

    private func count(in boxes: [BoundingBox], upTo maximum: Int) throws(StoreError) -> Int {
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
    ) throws(StoreError) -> [(rank: Int64, metres: Double)] {
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
