internal import BoardCore
internal import CSQLite
internal import Glibc

/// Builds a live file from a building file: every table, in the order of importance, with the word and location indices.
struct DirectoryPublication {
    /// The page cache of the new file in kilobytes: its indices are written in random order.
    private static let cacheSize = 4096

    let feed: FeedName
    let files: DirectoryFiles
    let schema: DirectorySchema
    let maximumPages: Int?

    /// Builds the file and replaces the live one. On an error it leaves no file.
    func publish(_ staging: DirectoryStaging, at now: Timestamp) throws(DirectoryFailure) {
        let fresh = files.fresh(feed)
        // Left by a process that was killed at this point.
        unsafe unlink(fresh)
        do throws(DirectoryFailure) {
            do throws(SQLiteFailure) {
                try build(fresh, of: staging, at: now)
            } catch {
                throw .writing(error, file: fresh)
            }
            try DirectoryWriting.replace(files.live(feed), with: fresh, in: files.folder)
        } catch {
            unsafe unlink(fresh)
            throw error
        }
    }

    private func build(_ path: String, of staging: DirectoryStaging, at now: Timestamp) throws(SQLiteFailure) {
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
        try schema.migrate(connection, from: 0)
        try connection.transaction { () throws(SQLiteFailure) in
            try fill(connection, from: staging, at: now)
        }
        try connection.execute("INSERT INTO words (words) VALUES ('optimize')")
        if let damage = try DirectorySchema.damage(in: connection) {
            throw SQLiteFailure(code: SQLITE_CORRUPT, message: damage, path: path)
        }
        try connection.execute("PRAGMA journal_mode = DELETE")
    }

    private func fill(
        _ connection: SQLiteConnection, from staging: DirectoryStaging, at now: Timestamp
    ) throws(SQLiteFailure) {
        var lines = try copyLines(from: staging, to: connection)
        let rows = try staging.connection.prepare(
            """
            SELECT code, kind, name, canonical, letter, towards, modes, lines, latitude, longitude, parent, short_code
            FROM stop ORDER BY kind, canonical, letter, code
            """)
        let insert = try connection.prepare("INSERT INTO stop VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)")
        let place = try connection.prepare("INSERT INTO place VALUES (?1, ?2, ?2, ?3, ?3)")
        let call = try connection.prepare("INSERT INTO call VALUES (?, ?, ?)")
        let index = try WordIndex(connection)
        var rank = 0
        try rows.each { row throws(SQLiteFailure) in
            rank += 1
            let name = row.text(2) ?? ""
            let latitude = row.real(8)
            let longitude = row.real(9)
            try insert.run(
                .integer(rank), .optional(row.text(0)), .integer(row.integer(1)), .text(name),
                .optional(row.text(3)), .optional(row.text(4)), .optional(row.text(5)), .optional(row.text(6)),
                .optional(latitude), .optional(longitude), .optional(row.text(10)), .optional(row.text(11)))
            let isOnePlace = ListedStop.Kind(importance: row.integer(1))?.isOnePlace == true
            if isOnePlace, let latitude, let longitude {
                try place.run(.integer(rank), .real(latitude), .real(longitude))
            }
            for (position, id) in FeedDirectory.parts(row.text(7)).enumerated() {
                guard var line = lines[id] else { continue }
                try call.run(.integer(rank), .integer(position), .integer(line.key))
                line.stops += isOnePlace ? 1 : 0
                line.isCalled = true
                lines[id] = line
            }
            try index.add(
                rank, name: name, letter: row.text(4), towards: row.text(5), modes: FeedDirectory.parts(row.text(6)))
            return true
        }
        try count(lines.values, in: connection)
        try connection.prepare("INSERT INTO edition VALUES (?, ?, ?, (SELECT count(*) FROM line))").run(
            .text(feed.description), .integer(now.microseconds), .integer(rank))
    }

    private struct StagedLine {
        let key: Int64
        var stops = 0
        var isCalled = false
    }

    private func copyLines(
        from staging: DirectoryStaging, to connection: SQLiteConnection
    ) throws(SQLiteFailure) -> [String: StagedLine] {
        var lines: [String: StagedLine] = [:]
        let insert = try connection.prepare("INSERT INTO line VALUES (?, ?, ?, ?, 0)")
        try staging.connection.prepare("SELECT id, name, mode FROM line ORDER BY id").each {
            row throws(SQLiteFailure) in
            let line = StagedLine(key: Int64(lines.count + 1))
            let id = row.text(0) ?? ""
            try insert.run(.integer(line.key), .text(id), .optional(row.text(1)), .optional(row.text(2)))
            lines[id] = line
            return true
        }
        return lines
    }

    /// Stores the number of stops of each line, and deletes lines that no longer call anywhere.
    private func count(
        _ lines: some Sequence<StagedLine>, in connection: SQLiteConnection
    ) throws(SQLiteFailure) {
        let update = try connection.prepare("UPDATE line SET stops = ? WHERE key = ?")
        let delete = try connection.prepare("DELETE FROM line WHERE key = ?")
        for line in lines {
            if line.isCalled {
                try update.run(.integer(line.stops), .integer(line.key))
            } else {
                try delete.run(.integer(line.key))
            }
        }
    }
}

/// Adds the words of stops to the index of a new file.
private struct WordIndex {
    private let insert: SQLiteStatement
    private let vocabulary: SQLiteStatement

    init(_ connection: SQLiteConnection) throws(SQLiteFailure) {
        insert = try connection.prepare("INSERT INTO words (rowid, name, letter, also) VALUES (?, ?, ?, ?)")
        vocabulary = try connection.prepare("INSERT OR IGNORE INTO word VALUES (?)")
    }

    func add(
        _ rank: Int, name: String, letter: String?, towards: String?, modes: [String]
    ) throws(SQLiteFailure) {
        let words = Folding.words(name)
        // The word "stop" goes with the letter, so that "stop n" is found while the user types it.
        let letters = letter.map { Folding.words($0) + ["stop"] } ?? []
        let also = Folding.words(towards ?? "") + modes.flatMap { Folding.words($0) }
        try insert.run(
            .integer(rank), .text(Self.spelt(words)), .text(letters.joined(separator: " ")), .text(Self.spelt(also)))
        for word in words { try vocabulary.run(.text(word)) }
    }

    /// The words in every spelling, so that the prefix of any spelling is found.
    private static func spelt(_ words: [String]) -> String {
        words.flatMap { [$0] + Folding.otherSpellings(of: $0) }.joined(separator: " ")
    }
}
