internal import BoardCore
internal import CSQLite

/// One feed's live file, open. For one thread at a time.
final class FeedDirectory {
    let feed: FeedName
    let file: String
    let connection: SQLiteConnection

    /// Opens a file and checks whether this program can read it.
    init(_ feed: FeedName, file: String, schema: DirectorySchema) throws(DirectoryFailure) {
        self.feed = feed
        self.file = file
        guard try DirectoryFiles.identity(file) != nil else { throw DirectoryFailure(.missing, file: file) }
        let connection = try DirectoryFailure.reading(file) { () throws(SQLiteFailure) in
            try SQLiteConnection(file, .immutable)
        }
        let incompatibility = try DirectoryFailure.reading(file) { () throws(SQLiteFailure) in
            try schema.incompatibility(to: connection, file: file)
        }
        if let incompatibility { throw incompatibility }
        self.connection = connection
    }

    /// The stop with the operator's code.
    func stop(_ code: String) throws(SQLiteFailure) -> ListedStop? {
        let found = try connection.statement("SELECT rank FROM stop WHERE code = ?1 COLLATE NOCASE AND code = ?1")
            .first(.text(code)) { row in row.integer(0) }
        return try found.flatMap(stop(rank:))
    }

    /// The stops with the parent `code`, in order of importance.
    func parts(of code: String) throws(SQLiteFailure) -> [ListedStop] {
        try stops(
            connection.statement("SELECT rank FROM stop WHERE parent = ? ORDER BY rank")
                .all(.text(code)) { row in row.integer(0) })
    }

    func stops(_ ranks: [Int64]) throws(SQLiteFailure) -> [ListedStop] {
        var stops: [ListedStop] = []
        for rank in ranks {
            if let stop = try stop(rank: rank) { stops.append(stop) }
        }
        return stops
    }

    func stop(rank: Int64) throws(SQLiteFailure) -> ListedStop? {
        let lines = try connection.statement(
            """
            SELECT line.id, line.name, line.mode FROM call JOIN line ON line.key = call.line
            WHERE call.stop = ? ORDER BY call.position
            """
        ).all(.integer(rank)) { row in
            ListedLine(Line(id: row.text(0) ?? "", name: row.text(1) ?? ""), mode: row.text(2))
        }
        return try connection.statement(
            """
            SELECT code, kind, name, letter, towards, modes, latitude, longitude, parent, short_code
            FROM stop WHERE rank = ?
            """
        ).first(.integer(rank)) { row throws(SQLiteFailure) in
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

    /// The file's own metadata.
    func edition(bytes: Int) throws(SQLiteFailure) -> DirectoryEdition {
        let edition = try connection.statement("SELECT stops, lines, completed FROM edition").first { row in
            DirectoryEdition(
                feed: feed, stops: Int(row.integer(0)), lines: Int(row.integer(1)),
                completed: Timestamp(microseconds: row.integer(2)), bytes: bytes)
        }
        guard let edition else { throw damage("no row in table edition") }
        return edition
    }

    /// Every line, in the order of the file.
    func lines() throws(SQLiteFailure) -> [DirectoryLine] {
        try connection.statement("SELECT id, name, mode, stops FROM line").all { row in
            DirectoryLine(
                feed: feed,
                line: ListedLine(Line(id: row.text(0) ?? "", name: row.text(1) ?? ""), mode: row.text(2)),
                stops: Int(row.integer(3)))
        }
    }

    /// The parts of a list that is stored as one text.
    static func parts(_ text: String?) -> [String] {
        text?.split(separator: DirectorySchema.separator).map(String.init) ?? []
    }

    private func id(_ code: String) -> StopID { StopID(feed: feed, code: code) }

    private func damage(_ message: String) -> SQLiteFailure {
        SQLiteFailure(code: SQLITE_CORRUPT, message: message, path: file)
    }
}
