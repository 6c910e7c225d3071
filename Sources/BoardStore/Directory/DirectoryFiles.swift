import BoardCore
import BoardIO
import CSQLite
import Glibc

/// The files of a folder: one live file per feed, and the files of its update.
struct DirectoryFiles: Hashable, Sendable {
    private static let beginning = "stops-"
    private static let ending = ".sqlite"
    /// All users may read the directory, whatever the umask.
    static let mode: mode_t = 0o644

    let folder: String

    /// The file for queries.
    func live(_ feed: FeedName) -> String {
        "\(folder)/\(Self.beginning)\(PercentEncoding.encoded(feed.description))\(Self.ending)"
    }

    /// The file that collects the stops of an update, page by page.
    func building(_ feed: FeedName) -> String { live(feed) + ".building" }

    /// The path to which a damaged file is moved.
    func corrupt(_ feed: FeedName) -> String { live(feed) + ".corrupt" }

    /// The feeds that have a live file, sorted by name; empty if there is no folder.
    func feeds() throws(StoreError) -> [FeedName] {
        let names: [String]
        do throws(FileError) {
            names = try SmallFile.names(in: folder)
        } catch {
            if error.number == ENOENT { return [] }
            throw .reading(error, file: folder)
        }
        let feeds = names.compactMap { name -> String? in
            guard name.hasPrefix(Self.beginning), name.hasSuffix(Self.ending),
                name.count > Self.beginning.count + Self.ending.count
            else { return nil }
            let text = name.dropFirst(Self.beginning.count).dropLast(Self.ending.count)
            return PercentEncoding.decoded(text).map { String(decoding: $0, as: UTF8.self) } ?? String(text)
        }
        return feeds.filter { !$0.isEmpty }.sorted().map { FeedName($0) }
    }

    /// The identity of the file at a path; nil if there is none.
    static func identity(_ path: String) throws(StoreError) -> FileIdentity? {
        var status = stat()
        // boardd creates no links here: a link is not one of its files.
        guard unsafe lstat(path, &status) == 0 else {
            // A file whose name is too long cannot exist.
            if errno == ENOENT || errno == ENAMETOOLONG { return nil }
            throw .reading(FileError(errno: errno), file: path)
        }
        // Opening a pipe would block.
        guard status.st_mode & S_IFMT == S_IFREG else { throw StoreError(.corrupt("not a regular file"), file: path) }
        return FileIdentity(status)
    }

    /// Builds a new file and durably replaces a feed's live one with it. An error leaves only the old live file.
    func replace(_ feed: FeedName, _ build: (String) throws(StoreError) -> Void) throws(StoreError) {
        let (live, fresh) = (live(feed), live(feed) + ".new")
        func remove() { for path in [fresh, fresh + "-journal"] { unsafe unlink(path) } }
        // Left over from a process that was killed at this point.
        remove()
        do throws(StoreError) {
            try StoreError.writing(fresh) { () throws(StoreError) in try build(fresh) }
            do throws(FileError) {
                try AtomicFile.replace(live, with: fresh, mode: Self.mode, owner: owner)
            } catch {
                throw .writing(error, file: live)
            }
        } catch {
            remove()
            throw error
        }
    }

    /// The folder, whose owner owns the files: otherwise the daemon could not resume an update that root began.
    var owner: stat? {
        var status = stat()
        return unsafe stat(folder, &status) == 0 ? status : nil
    }
}

/// The tables of a live file, and the migrations from each version to the next.
struct DirectorySchema: Sendable {
    typealias Step = @Sendable (SQLiteConnection) throws(StoreError) -> Void

    /// The application ID of a stop directory file: "bord" in ASCII.
    static let applicationID: Int64 = 0x626f_7264
    /// Separates the parts of a list that is stored as one text: ASCII's unit separator, which occurs in no name.
    static let separator: Character = "\u{1f}"

    /// The schema of this program. Released migrations never change; new ones are appended.
    static let current = DirectorySchema(steps: [first, script("ALTER TABLE line ADD COLUMN colour TEXT")])

    /// The migrations: the first creates the tables of version 1, the next leads from 1 to 2, and so on.
    let steps: [Step]

    /// The version after all migrations, stored in the file as `user_version`.
    var version: Int { steps.count }

    /// A migration in SQL alone.
    static func script(_ sql: String) -> Step {
        { connection throws(StoreError) in try connection.execute(sql) }
    }

    /// Migrates a file from `version` to the current one, in one transaction.
    func migrate(_ connection: SQLiteConnection, from version: Int) throws(StoreError) {
        try connection.transaction { () throws(StoreError) in
            for step in steps.dropFirst(version) { try step(connection) }
            try connection.execute("PRAGMA application_id = \(Self.applicationID)")
            try connection.execute("PRAGMA user_version = \(self.version)")
        }
    }

    /// Why this program cannot read a file, by the file's application ID and version; nil if it can.
    func incompatibility(to connection: SQLiteConnection) throws(StoreError) -> StoreError.Kind? {
        guard try connection.number("application_id") == Self.applicationID else {
            return .corrupt("not a stop directory file")
        }
        let found = Int(try connection.number("user_version"))
        if found == version { return nil }
        guard found > 0 else { return .corrupt("no schema version") }
        return found > version ? .newer(version: found, supported: version) : .older(version: found, supported: version)
    }

    /// Checks every page and index of a complete, writable file.
    static func check(_ connection: SQLiteConnection) throws(StoreError) {
        var results = try connection.pragmaValues("integrity_check(1)")
        if results == ["ok"] {
            // The word and location indices are virtual tables, for which integrity_check covers only the outer level.
            try connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
            results = try connection.prepare("SELECT rtreecheck('place')").all { row in row.text(0) ?? "" }
        }
        guard results == ["ok"] else {
            throw StoreError(code: SQLITE_CORRUPT, message: results.first ?? "integrity_check returned nothing")
        }
    }

    /// Version 1.
    ///
    /// `stop.rank` is the order of importance: the kind of place, then the name, then the letter. Both virtual tables
    /// use it as their row number, so the first matches are the most important, and a search can stop there.
    /// `canonical` is the name as ``Folding`` compares it. The word index stores neither the text nor the positions of
    /// the words, which no query uses.
    private static let first = script(
        """
        CREATE TABLE edition (
            feed TEXT NOT NULL, completed INTEGER NOT NULL, stops INTEGER NOT NULL, lines INTEGER NOT NULL);
        CREATE TABLE stop (
            rank INTEGER PRIMARY KEY, code TEXT NOT NULL, kind INTEGER NOT NULL, name TEXT NOT NULL,
            canonical TEXT NOT NULL, letter TEXT, towards TEXT, modes TEXT NOT NULL, latitude REAL, longitude REAL,
            parent TEXT, short_code TEXT);
        CREATE INDEX stop_code ON stop (code COLLATE NOCASE);
        CREATE INDEX stop_short_code ON stop (short_code) WHERE short_code IS NOT NULL;
        CREATE INDEX stop_parent ON stop (parent) WHERE parent IS NOT NULL;
        CREATE INDEX stop_name ON stop (kind, canonical, letter);
        CREATE TABLE line (
            key INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, name TEXT NOT NULL, mode TEXT, stops INTEGER NOT NULL);
        CREATE TABLE call (
            stop INTEGER NOT NULL, position INTEGER NOT NULL, line INTEGER NOT NULL,
            PRIMARY KEY (stop, position)) WITHOUT ROWID;
        CREATE INDEX call_line ON call (line, stop);
        CREATE TABLE word (word TEXT PRIMARY KEY) WITHOUT ROWID;
        CREATE VIRTUAL TABLE words USING fts5 (
            name, letter, also, content = '', columnsize = 0, detail = column, prefix = '1 2 3', tokenize = 'ascii');
        CREATE VIRTUAL TABLE place USING rtree (rank, south, north, west, east);
        """)
}

extension ListedStop.Kind {
    /// The importance of a kind of stop in a list of matches: 0 first.
    var importance: Int {
        switch self {
        case .interchange: 0
        case .station: 1
        case .area: 2
        case .pole: 3
        }
    }

    init?(importance: Int64) {
        guard let kind = Self.allCases.first(where: { $0.importance == importance }) else { return nil }
        self = kind
    }

    /// Whether vehicles call here: an area is both sides of a road.
    var isOnePlace: Bool { self == .pole || self == .station }
}
