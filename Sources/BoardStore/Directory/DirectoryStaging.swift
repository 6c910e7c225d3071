internal import BoardCore

/// The building file: the stops of a running update, in the order of importance regardless of the order of arrival.
///
/// A page is a transaction with a rollback journal, so that the file of a killed process contains all complete pages.
final class DirectoryStaging {
    /// The application ID of a building file: "bors" in ASCII.
    private static let applicationID: Int64 = 0x626f_7273
    /// The version of the tables below. A file with another version is not resumed.
    private static let version: Int64 = 1

    let connection: SQLiteConnection

    /// Opens a building file, which may be empty or damaged.
    init(_ path: String, maximumPages: Int?) throws(SQLiteFailure) {
        connection = try SQLiteConnection(path, .readWrite)
        if let maximumPages { try connection.execute("PRAGMA max_page_count = \(maximumPages)") }
        try connection.execute(
            """
            PRAGMA journal_mode = DELETE;
            PRAGMA synchronous = FULL;
            PRAGMA secure_delete = OFF;
            """)
    }

    /// Creates the tables.
    func begin(at moment: Timestamp) throws(SQLiteFailure) {
        try connection.transaction { () throws(SQLiteFailure) in
            try connection.execute(
                """
                CREATE TABLE state (began INTEGER NOT NULL, next_page INTEGER NOT NULL, stops INTEGER NOT NULL);
                CREATE TABLE stop (
                    id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, kind INTEGER NOT NULL, name TEXT NOT NULL,
                    canonical TEXT NOT NULL, letter TEXT, towards TEXT, modes TEXT NOT NULL, lines TEXT NOT NULL,
                    latitude REAL, longitude REAL, parent TEXT, short_code TEXT);
                CREATE INDEX stop_importance ON stop (kind, canonical, letter, code);
                CREATE TABLE line (id TEXT PRIMARY KEY, name TEXT NOT NULL, mode TEXT) WITHOUT ROWID;
                PRAGMA application_id = \(Self.applicationID);
                PRAGMA user_version = \(Self.version);
                """)
            try connection.prepare("INSERT INTO state VALUES (?, 1, 0)").run(.integer(moment.microseconds))
        }
    }

    /// Whether the file is an undamaged building file of this version that was begun in `span`.
    func canResume(begunIn span: ClosedRange<Timestamp>) throws(SQLiteFailure) -> Bool {
        guard try connection.number("application_id") == Self.applicationID,
            try connection.number("user_version") == Self.version,
            try connection.pragmaValues("quick_check(1)") == ["ok"]
        else { return false }
        let began = try connection.prepare("SELECT began FROM state").first { row in row.integer(0) }
        return began.map { span.contains(Timestamp(microseconds: $0)) } ?? false
    }

    /// The next page, from 1.
    func nextPage() throws(SQLiteFailure) -> Int {
        Int(try connection.statement("SELECT next_page FROM state").first { row in row.integer(0) } ?? 1)
    }

    func stops() throws(SQLiteFailure) -> Int {
        Int(try connection.statement("SELECT stops FROM state").first { row in row.integer(0) } ?? 0)
    }

    /// Records that a page is complete.
    func end(page: Int, newStops: Int) throws(SQLiteFailure) {
        try connection.statement("UPDATE state SET next_page = max(next_page, ?), stops = stops + ?")
            .run(.integer(page + 1), .integer(newStops))
    }

    /// Adds or updates a stop.
    ///
    /// New values replace old ones, but missing values replace nothing: inside a station an operator lists its parts
    /// without their lines.
    ///
    /// - Returns: whether the stop is new.
    func add(_ stop: ListedStop) throws(SQLiteFailure) -> Bool {
        for line in stop.lines {
            try connection.statement(
                """
                INSERT INTO line VALUES (?, ?, ?)
                ON CONFLICT DO UPDATE SET name = excluded.name, mode = coalesce(excluded.mode, mode)
                WHERE name IS NOT excluded.name OR mode IS NOT coalesce(excluded.mode, mode)
                """
            ).run(.text(line.line.id), .text(line.line.name), .optional(line.mode))
        }
        let separator = String(DirectorySchema.separator)
        let values: [SQLiteValue] = [
            .text(stop.id.code), .integer(stop.kind.importance), .text(stop.name),
            .text(Folding.canonical(name: stop.name)), .optional(stop.letter), .optional(stop.towards),
            .text(stop.modes.joined(separator: separator)),
            .text(stop.lines.map(\.line.id).joined(separator: separator)),
            .optional(stop.coordinates?.latitude), .optional(stop.coordinates?.longitude),
            .optional(stop.parent.flatMap { $0.feed == stop.id.feed ? $0.code : nil }), .optional(stop.shortCode),
        ]
        try connection.statement(
            """
            INSERT OR IGNORE INTO stop (
                code, kind, name, canonical, letter, towards, modes, lines, latitude, longitude, parent, short_code)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            """
        ).run(values)
        if connection.changes > 0 { return true }
        try connection.statement(
            """
            UPDATE stop SET
                kind = ?2, name = iif(?3 = '', name, ?3), canonical = iif(?3 = '', canonical, ?4),
                letter = coalesce(?5, letter), towards = coalesce(?6, towards), modes = iif(?7 = '', modes, ?7),
                lines = iif(?8 = '', lines, ?8), latitude = coalesce(?9, latitude),
                longitude = coalesce(?10, longitude), parent = coalesce(?11, parent),
                short_code = coalesce(?12, short_code)
            WHERE code = ?1
            """
        ).run(values)
        return false
    }
}
