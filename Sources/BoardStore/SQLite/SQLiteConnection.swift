internal import BoardIO
internal import CSQLite

/// A connection to one database file. Calls block; for one thread at a time.
///
/// Little memory: a page cache of ``cacheSize`` and no memory map, since the kernel caches the file anyway and its pages are
/// everybody's.
final class SQLiteConnection {
    /// How a file is opened.
    enum Mode: Hashable, Sendable {
        /// To read a file that nobody writes in place: no lock, no journal, no look whether it changed.
        case immutable
        /// To read and write, made where there is none.
        case readWrite
    }

    /// The pointer, closed with its last reference: a statement keeps it.
    @safe
    final class Handle {
        fileprivate let connection: OpaquePointer
        private let path: String

        fileprivate init(_ connection: OpaquePointer, path: String) {
            unsafe self.connection = connection
            self.path = path
        }

        deinit {
            unsafe sqlite3_close_v2(connection)
        }

        /// What went wrong last.
        func failure(_ code: Int32) -> SQLiteFailure {
            unsafe SQLiteFailure(connection, code: code, path: path)
        }
    }

    /// Bytes of pages that a connection keeps, in kilobytes.
    private static let cacheSize = 256
    /// How long it waits for somebody else's lock, in milliseconds. Nobody else writes: the builder holds a lock.
    private static let timeout: Int32 = 1000

    /// The file's path.
    let path: String
    private let handle: Handle
    private var statements: [String: SQLiteStatement] = [:]

    /// Opens a file, which is no link. SQLite reads it later: only the first statement finds out that it is no database.
    init(_ path: String, _ mode: Mode) throws(SQLiteFailure) {
        self.path = path
        var flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW
        var address = "file:" + Self.escaped(try Self.resolved(path))
        switch mode {
        case .immutable:
            flags |= SQLITE_OPEN_READONLY
            address += "?immutable=1"
        case .readWrite:
            flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
        var opened: OpaquePointer?
        let code = unsafe sqlite3_open_v2(address, &opened, flags, nil)
        guard let opened = unsafe opened else { throw unsafe SQLiteFailure(nil, code: code, path: path) }
        unsafe handle = Handle(opened, path: path)
        guard code == SQLITE_OK else { throw handle.failure(code) }
        unsafe sqlite3_busy_timeout(opened, Self.timeout)
        if mode == .immutable {
            let code = unsafe csqlite_distrust(opened)
            guard code == SQLITE_OK else { throw handle.failure(code) }
        }
        // Sorting happens in memory: a daemon in a sandbox may have no other folder to write to.
        try execute("PRAGMA temp_store = MEMORY")
        try execute("PRAGMA mmap_size = 0")
        try execute("PRAGMA cell_size_check = ON")
        try execute("PRAGMA cache_size = -\(Self.cacheSize)")
    }

    /// Runs one or several statements whose rows do not matter.
    func execute(_ sql: String) throws(SQLiteFailure) {
        let code = unsafe sqlite3_exec(handle.connection, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw handle.failure(code) }
    }

    /// Prepares a statement.
    func prepare(_ sql: String) throws(SQLiteFailure) -> SQLiteStatement {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            handle.connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK else { throw handle.failure(code) }
        guard let prepared = unsafe prepared else {
            throw SQLiteFailure(code: SQLITE_MISUSE, message: "no statement: \(sql)", path: path)
        }
        return unsafe SQLiteStatement(prepared, of: handle)
    }

    /// The statement of this text, prepared once and kept. Not for use inside its own rows.
    func statement(_ sql: String) throws(SQLiteFailure) -> SQLiteStatement {
        if let known = statements[sql] { return known }
        let made = try prepare(sql)
        statements[sql] = made
        return made
    }

    /// Runs `body` inside a transaction, of which nothing stays when it throws.
    func transaction(_ body: () throws(SQLiteFailure) -> Void) throws(SQLiteFailure) {
        try execute("BEGIN IMMEDIATE")
        do throws(SQLiteFailure) {
            try body()
            try execute("COMMIT")
        } catch {
            rollback()
            throw error
        }
    }

    /// Undoes the transaction, if there is one.
    func rollback() {
        guard isInTransaction else { return }
        // A rollback that fails leaves the journal, and the next one who opens the file rolls back.
        _ = unsafe sqlite3_exec(handle.connection, "ROLLBACK", nil, nil, nil)
    }

    /// Whether a transaction is open.
    var isInTransaction: Bool {
        unsafe sqlite3_get_autocommit(handle.connection) == 0
    }

    /// How many rows the last statement changed.
    var changes: Int {
        Int(unsafe sqlite3_changes64(handle.connection))
    }

    /// A number that a PRAGMA tells; 0 when it tells none.
    func number(_ pragma: String) throws(SQLiteFailure) -> Int64 {
        try prepare("PRAGMA \(pragma)").first { row in row.integer(0) } ?? 0
    }

    /// What a PRAGMA tells, row by row.
    func pragmaValues(_ pragma: String) throws(SQLiteFailure) -> [String] {
        try prepare("PRAGMA \(pragma)").all { row in row.text(0) ?? "" }
    }

    /// The file's path with the links to its folder followed, of which SQLite follows none (SQLITE_OPEN_NOFOLLOW).
    private static func resolved(_ path: String) throws(SQLiteFailure) -> String {
        let step = FilePath.Step(path)
        do throws(FileAccessFailure) {
            return try "\(GuardedPath.resolvedFolder(step.folder))/\(step.name)"
        } catch {
            throw SQLiteFailure(
                code: SQLITE_CANTOPEN, message: "\(error)", systemError: error.number, path: path)
        }
    }

    /// A path as a URI writes it.
    private static func escaped(_ path: String) -> String {
        var text = ""
        for byte in path.utf8 {
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
                UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "/"), UInt8(ascii: "."), UInt8(ascii: "-"),
                UInt8(ascii: "_"):
                text.unicodeScalars.append(Unicode.Scalar(byte))
            default:
                let digits = String(byte, radix: 16, uppercase: true)
                text += digits.count == 1 ? "%0\(digits)" : "%\(digits)"
            }
        }
        // Two slashes at the beginning would name a host.
        while text.hasPrefix("//") { text.removeFirst() }
        return text
    }
}
