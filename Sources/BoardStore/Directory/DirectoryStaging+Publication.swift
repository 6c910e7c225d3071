internal import BoardCore

extension DirectoryStaging {
    /// The page cache of the new file in kilobytes: its indices are written in random order.
    private static let cacheSize = 4096

    /// Builds a live file, at a path where there is none: every table, in the order of importance, with the word and location
    /// indices. It was complete at `now`.
    func publish(at path: String, of feed: FeedName, at now: Timestamp) throws(SQLiteFailure) {
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
        try connection.transaction { () throws(SQLiteFailure) in
            try fill(connection, of: feed, at: now)
        }
        try connection.execute("INSERT INTO words (words) VALUES ('optimize')")
        try DirectorySchema.check(connection)
        try connection.execute("PRAGMA journal_mode = DELETE")
    }

    private func fill(
        _ connection: SQLiteConnection, of feed: FeedName, at now: Timestamp
    ) throws(SQLiteFailure) {
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
        try rows.each { row throws(SQLiteFailure) in
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
    private func copyLines(to connection: SQLiteConnection) throws(SQLiteFailure) -> [String: Int] {
        var keys: [String: Int] = [:]
        let insert = try connection.prepare("INSERT INTO line VALUES (?, ?, ?, ?, 0)")
        try self.connection.prepare("SELECT id, name, mode FROM line ORDER BY id").each {
            row throws(SQLiteFailure) in
            let id = row.text(0) ?? ""
            keys[id] = keys.count + 1
            try insert.run(.integer(keys.count), .text(id), .optional(row.text(1)), .optional(row.text(2)))
        }
        return keys
    }
}
