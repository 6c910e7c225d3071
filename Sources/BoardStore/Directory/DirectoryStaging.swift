import BoardCore

/// The building file: the stops of a running update, in the order of importance regardless of the order of arrival.
///
/// A page is a transaction with a rollback journal, so after a kill the file contains all complete pages.
final class DirectoryStaging {
    /// The application ID of a building file: "bors" in ASCII.
    private static let applicationID: Int64 = 0x626f_7273
    /// The version of the tables below. A file with another version is not resumed.
    private static let version: Int64 = 4
    /// The allowed page numbers: more than any operator has.
    static let pages = 1...100_000_000

    let connection: SQLiteConnection
    /// The maximum number of SQLite pages of this file and the published one, to simulate a full disk; nil: no limit.
    let maximumPages: Int?

    /// Opens a building file, which may be empty or damaged.
    init(_ path: String, maximumPages: Int?) throws(StoreError) {
        self.maximumPages = maximumPages
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
    func begin(at moment: Timestamp) throws(StoreError) {
        try connection.transaction { () throws(StoreError) in
            try connection.execute(
                """
                CREATE TABLE state (began INTEGER NOT NULL, next_page INTEGER NOT NULL);
                CREATE TABLE stop (
                    id INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, kind INTEGER NOT NULL, name TEXT NOT NULL,
                    other_names TEXT NOT NULL, canonical TEXT NOT NULL, letter TEXT, towards TEXT, modes TEXT NOT NULL, lines TEXT NOT NULL,
                    latitude REAL, longitude REAL, parent TEXT, short_code TEXT);
                CREATE INDEX stop_importance ON stop (kind, canonical, letter, code);
                CREATE TABLE line (id TEXT PRIMARY KEY, name TEXT NOT NULL, mode TEXT, colour TEXT) WITHOUT ROWID;
                PRAGMA application_id = \(Self.applicationID);
                PRAGMA user_version = \(Self.version);
                """)
            try connection.prepare("INSERT INTO state VALUES (?, 1)").run(.integer(moment.microseconds))
        }
    }

    /// The next page, from 1; nil if the file is damaged, of another version, or was not begun in `span`.
    func nextPage(begunIn span: ClosedRange<Timestamp>) throws(StoreError) -> Int? {
        guard try connection.number("application_id") == Self.applicationID,
            try connection.number("user_version") == Self.version,
            try connection.pragmaValues("quick_check(1)") == ["ok"]
        else { return nil }
        return try connection.prepare("SELECT began, next_page FROM state").first { row in
            let page = Int(clamping: row.integer(1))
            return span.contains(Timestamp(microseconds: row.integer(0))) && Self.pages.contains(page) ? page : nil
        } ?? nil
    }

    func stops() throws(StoreError) -> Int {
        Int(try connection.statement("SELECT count(*) FROM stop").first { row in row.integer(0) } ?? 0)
    }

    /// Records that a page is complete.
    func end(page: Int) throws(StoreError) {
        try connection.statement("UPDATE state SET next_page = max(next_page, ?)").run(.integer(page + 1))
    }

    /// Adds or updates a stop.
    ///
    /// New values replace old ones, but missing values replace nothing: operators list the parts inside a station
    /// without their lines.
    func add(_ stop: ListedStop) throws(StoreError) {
        for line in stop.lines {
            try connection.statement(
                """
                INSERT INTO line VALUES (?, ?, ?, ?)
                ON CONFLICT DO UPDATE SET
                    name = excluded.name, mode = coalesce(excluded.mode, mode), colour = coalesce(excluded.colour, colour)
                WHERE name IS NOT excluded.name OR mode IS NOT coalesce(excluded.mode, mode)
                    OR colour IS NOT coalesce(excluded.colour, colour)
                """
            ).run(.text(line.line.id), .text(line.line.name), .optional(line.mode), .optional(line.colour))
        }
        let separator = String(DirectorySchema.separator)
        try connection.statement(
            """
            INSERT INTO stop (
                code, kind, name, other_names, canonical, letter, towards, modes, lines, latitude, longitude, parent, short_code)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
            ON CONFLICT DO UPDATE SET
                kind = excluded.kind, name = iif(excluded.name = '', name, excluded.name),
                other_names = iif(excluded.other_names = '', other_names, excluded.other_names),
                canonical = iif(excluded.name = '', canonical, excluded.canonical),
                letter = coalesce(excluded.letter, letter), towards = coalesce(excluded.towards, towards),
                modes = iif(excluded.modes = '', modes, excluded.modes),
                lines = iif(excluded.lines = '', lines, excluded.lines),
                latitude = coalesce(excluded.latitude, latitude), longitude = coalesce(excluded.longitude, longitude),
                parent = coalesce(excluded.parent, parent), short_code = coalesce(excluded.short_code, short_code)
            """
        ).run(
            .text(stop.id.code), .integer(stop.kind.importance), .text(stop.name),
            .text(stop.otherNames.joined(separator: separator)), .text(Folding.canonical(name: stop.name)),
            .optional(stop.letter), .optional(stop.towards), .text(stop.modes.joined(separator: separator)),
            .text(stop.lines.map(\.line.id).joined(separator: separator)),
            .optional(stop.coordinates?.latitude), .optional(stop.coordinates?.longitude),
            .optional(stop.parent.flatMap { $0.feed == stop.id.feed ? $0.code : nil }), .optional(stop.shortCode))
    }
}

extension DirectoryStaging {
    /// The page cache of the new file in kilobytes: its indices are written in random order.
    private static let cacheSize = 4096

    /// Builds a live file, at a path where there is none: every table, in the order of importance, with the word and
    /// location indices. It was complete at `now`.
    func publish(at path: String, of feed: FeedName, at now: Timestamp) throws(StoreError) {
        let connection = try SQLiteConnection(path, .readWrite)
        if let maximumPages { try connection.execute("PRAGMA max_page_count = \(maximumPages)") }
        // No one reads this file yet, and a failure removes it: no journal, and one fsync at the end.
        try connection.execute(
            """
            PRAGMA journal_mode = OFF;
            PRAGMA synchronous = OFF;
            PRAGMA locking_mode = EXCLUSIVE;
            PRAGMA secure_delete = OFF;
            PRAGMA cache_size = -\(Self.cacheSize);
            """)
        try DirectorySchema.current.migrate(connection, from: 0)
        try connection.transaction { () throws(StoreError) in try fill(connection, of: feed, at: now) }
        try connection.execute("INSERT INTO words (words) VALUES ('optimize')")
        try DirectorySchema.check(connection)
        try connection.execute("PRAGMA journal_mode = DELETE")
    }

    private func fill(_ connection: SQLiteConnection, of feed: FeedName, at now: Timestamp) throws(StoreError) {
        let lines = try copyLines(to: connection)
        let rows = try self.connection.prepare(
            """
            SELECT code, kind, name, canonical, letter, towards, modes, lines, latitude, longitude, parent, short_code, other_names
            FROM stop ORDER BY kind, canonical, letter, code
            """)
        let insert = try connection.prepare("INSERT INTO stop VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        let place = try connection.prepare("INSERT INTO place VALUES (?1, ?2, ?2, ?3, ?3)")
        let call = try connection.prepare("INSERT INTO call VALUES (?, ?, ?)")
        let index = try connection.prepare("INSERT INTO words (rowid, name, letter, also) VALUES (?, ?, ?, ?)")
        let vocabulary = try connection.prepare("INSERT OR IGNORE INTO word VALUES (?)")
        var rank = 0
        // The number of places at which each line calls.
        var stops: [Int: Int] = [:]
        try rows.each { row throws(StoreError) in
            rank += 1
            let name = row.text(2) ?? ""
            try insert.run(
                .integer(rank), .optional(row.text(0)), .integer(row.integer(1)), .text(name),
                .optional(row.text(3)), .optional(row.text(4)), .optional(row.text(5)), .optional(row.text(6)),
                .optional(row.real(8)), .optional(row.real(9)), .optional(row.text(10)), .optional(row.text(11)))
            let isOnePlace = ListedStop.Kind(importance: row.integer(1))?.isOnePlace == true
            if isOnePlace, let latitude = row.real(8), let longitude = row.real(9) {
                try place.run(.integer(rank), .real(latitude), .real(longitude))
            }
            for (position, id) in FeedDirectory.parts(row.text(7)).enumerated() {
                guard let line = lines[id] else { continue }
                try call.run(.integer(rank), .integer(position), .integer(line))
                if isOnePlace { stops[line, default: 0] += 1 }
            }
            let names = [name] + FeedDirectory.parts(row.text(12))
            // The word "stop" goes with the letter, so that "stop n" is found while the user types it.
            let letters = row.text(4).map { Folding.words($0) + ["stop"] } ?? []
            let also = ([row.text(5) ?? ""] + FeedDirectory.parts(row.text(6))).flatMap { Folding.spellings(of: $0) }
            try index.run(
                .integer(rank), .text(names.flatMap { Folding.spellings(of: $0) }.joined(separator: " ")),
                .text(letters.joined(separator: " ")), .text(also.joined(separator: " ")))
            for word in names.flatMap({ Folding.words($0) }) { try vocabulary.run(.text(word)) }
        }
        let update = try connection.prepare("UPDATE line SET stops = ? WHERE key = ?")
        for (line, count) in stops { try update.run(.integer(count), .integer(line)) }
        try connection.execute("DELETE FROM line WHERE NOT EXISTS (SELECT 1 FROM call WHERE call.line = line.key)")
        try connection.prepare("INSERT INTO edition VALUES (?, ?, ?, (SELECT count(*) FROM line))").run(
            .text(feed.description), .integer(now.microseconds), .integer(rank))
    }

    /// Copies every line; returns the key of each.
    private func copyLines(to connection: SQLiteConnection) throws(StoreError) -> [String: Int] {
        var keys: [String: Int] = [:]
        let insert = try connection.prepare("INSERT INTO line VALUES (?, ?, ?, ?, 0, ?)")
        try self.connection.prepare("SELECT id, name, mode, colour FROM line ORDER BY id").each {
            row throws(StoreError) in
            let id = row.text(0) ?? ""
            keys[id] = keys.count + 1
            try insert.run(
                .integer(keys.count), .text(id), .optional(row.text(1)), .optional(row.text(2)), .optional(row.text(3)))
        }
        return keys
    }
}
