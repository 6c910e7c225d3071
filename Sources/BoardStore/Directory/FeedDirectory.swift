internal import BoardCore
internal import BoardIO
internal import CSQLite

/// One feed's live file, open. For one thread at a time.
final class FeedDirectory {
    let feed: FeedName
    let connection: SQLiteConnection
    /// The size of the file in bytes.
    private let size: Int

    /// Opens a file and checks whether this program can read it.
    init(_ feed: FeedName, file: String, schema: DirectorySchema) throws(DirectoryFailure) {
        guard let identity = try DirectoryFiles.identity(file) else { throw DirectoryFailure(.missing, file: file) }
        let (connection, incompatibility) = try DirectoryFailure.reading(file) { () throws(SQLiteFailure) in
            let connection = try SQLiteConnection(file, .immutable)
            return (connection, try schema.incompatibility(to: connection))
        }
        if let incompatibility { throw DirectoryFailure(incompatibility, file: file) }
        self.feed = feed
        self.connection = connection
        size = Int(identity.size)
    }

    func stop(_ code: String) throws(SQLiteFailure) -> ListedStop? {
        let found = try connection.statement("SELECT rank FROM stop WHERE code = ?1 COLLATE NOCASE AND code = ?1")
            .first(.text(code)) { row in row.integer(0) }
        return try found.flatMap(stop(rank:))
    }

    /// The stops with the parent `code`, in order of importance.
    func parts(of code: String) throws(SQLiteFailure) -> [ListedStop] {
        try connection.statement("SELECT rank FROM stop WHERE parent = ? ORDER BY rank")
            .all(.text(code)) { row in row.integer(0) }.map(stop(rank:)).compactMap { $0 }
    }

    func stop(rank: Int64) throws(SQLiteFailure) -> ListedStop? {
        let lines = try connection.statement(
            """
            SELECT line.id, line.name, line.mode FROM call JOIN line ON line.key = call.line
            WHERE call.stop = ? ORDER BY call.position
            """
        ).all(.integer(rank)) { row in Self.line(row) }
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

    func edition() throws(SQLiteFailure) -> DirectoryEdition {
        let edition = try connection.statement("SELECT stops, lines, completed FROM edition").first { row in
            DirectoryEdition(
                feed: feed, stops: Int(row.integer(0)), lines: Int(row.integer(1)),
                completed: Timestamp(microseconds: row.integer(2)), bytes: size)
        }
        guard let edition else { throw damage("no row in table edition") }
        return edition
    }

    /// Every line, in the order of the file.
    func lines() throws(SQLiteFailure) -> [DirectoryLine] {
        try connection.statement("SELECT id, name, mode, stops FROM line").all { row in
            DirectoryLine(feed: feed, line: Self.line(row), stops: Int(row.integer(3)))
        }
    }

    /// The parts of a list that is stored as one text.
    static func parts(_ text: String?) -> [String] {
        text?.split(separator: DirectorySchema.separator).map(String.init) ?? []
    }

    /// A line from a row with its ID, name and mode.
    private static func line(_ row: SQLiteStatement) -> ListedLine {
        ListedLine(Line(id: row.text(0) ?? "", name: row.text(1) ?? ""), mode: row.text(2))
    }

    private func id(_ code: String) -> StopID { StopID(feed: feed, code: code) }

    private func damage(_ message: String) -> SQLiteFailure {
        SQLiteFailure(code: SQLITE_CORRUPT, message: message)
    }
}
