internal import BoardCore
internal import CSQLite

/// The tables of a live file, and the steps that lead from each version of them to the next.
struct DirectorySchema: Sendable {
    /// Brings a file from one version to the next.
    typealias Step = @Sendable (SQLiteConnection) throws(SQLiteFailure) -> Void

    /// What marks a file as a stop directory: "bord" in ASCII.
    static let applicationID: Int64 = 0x626f_7264
    /// What separates the parts of a list that is kept as one text: ASCII's unit separator, which no name has.
    static let separator: Character = "\u{1f}"

    /// The schema that this program makes and reads. A step that shipped is never changed; a new one follows it.
    static let current = DirectorySchema(steps: [first])

    /// The steps: the first makes the tables of version 1, the next leads from 1 to 2, and so on.
    let steps: [Step]

    /// The version to which the steps lead, kept in the file as `user_version`.
    var version: Int { steps.count }

    /// A step that SQL alone can take.
    static func script(_ sql: String) -> Step {
        { connection throws(SQLiteFailure) in try connection.execute(sql) }
    }

    /// Takes a file from `version` to this schema's, all or nothing.
    func migrate(_ connection: SQLiteConnection, from version: Int) throws(SQLiteFailure) {
        try connection.transaction { () throws(SQLiteFailure) in
            for step in steps.dropFirst(version) { try step(connection) }
            try connection.execute("PRAGMA application_id = \(Self.applicationID)")
            try connection.execute("PRAGMA user_version = \(self.version)")
        }
    }

    /// How a file's own numbers relate to this schema; nil when they say that this program can read it.
    func incompatibility(to connection: SQLiteConnection, file: String) throws(SQLiteFailure) -> DirectoryFailure? {
        guard try connection.number("application_id") == Self.applicationID else {
            return DirectoryFailure(.corrupt("it is no stop directory"), file: file)
        }
        let found = Int(try connection.number("user_version"))
        if found == version { return nil }
        if found > version { return DirectoryFailure(.newer(version: found, known: version), file: file) }
        guard found > 0 else { return DirectoryFailure(.corrupt("it has no version"), file: file) }
        return DirectoryFailure(.older(version: found, known: version), file: file)
    }

    /// Looks at all of a file that may be written; nil when it is sound.
    static func damage(in connection: SQLiteConnection) throws(SQLiteFailure) -> String? {
        let answers = try connection.pragmaValues("integrity_check(1)")
        guard answers == ["ok"] else { return answers.first ?? "no answer" }
        // The indices for words and places are tables of tables, of which the check above sees the outermost.
        try connection.execute("INSERT INTO words (words) VALUES ('integrity-check')")
        let places = try connection.prepare("SELECT rtreecheck('place')").first { row in row.text(0) ?? "" }
        return places == "ok" ? nil : places
    }

    /// Version 1.
    ///
    /// `stop.rank` is the order of importance: the kind of place, then the name, then the letter. Both virtual tables use
    /// it as their row number, so that the first matches that are found are the ones that matter most, and a search ends
    /// there. `canonical` is the name as ``Folding`` compares it. The words are kept without their text and without their
    /// places in it, which nobody asks for.
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
    /// How much a kind of place matters in a list of matches: 0 first.
    var importance: Int {
        switch self {
        case .interchange: 0
        case .station: 1
        case .area: 2
        case .pole: 3
        }
    }

    /// The kind of this importance.
    init?(importance: Int64) {
        guard let kind = Self.allCases.first(where: { $0.importance == importance }) else { return nil }
        self = kind
    }

    /// Whether a person who stands there can wait for something: an area is two sides of a road.
    var isOnePlace: Bool { self == .pole || self == .station }
}
