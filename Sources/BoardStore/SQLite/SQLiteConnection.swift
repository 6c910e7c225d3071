internal import BoardCore
internal import BoardIO
internal import CSQLite

/// A connection to one database file. Calls block; for one thread at a time.
///
/// Uses little memory: a page cache of ``cacheSize`` and no memory map, since the kernel caches the file anyway and shares
/// its pages.
final class SQLiteConnection {
    enum Mode: Hashable, Sendable {
        /// Reads a file that is never written in place: no lock, no journal, no check for changes.
        case immutable
        /// Reads and writes; creates the file where there is none.
        case readWrite
    }

    /// The pointer; statements hold it too, and the last reference closes it.
    @safe
    final class Handle {
        fileprivate let connection: OpaquePointer

        fileprivate init(_ connection: OpaquePointer) {
            unsafe self.connection = connection
        }

        deinit {
            unsafe sqlite3_close_v2(connection)
        }

        /// The error of the last call.
        var failure: SQLiteFailure { unsafe SQLiteFailure(connection) }
    }

    /// The size of a connection's page cache in kilobytes.
    private static let cacheSize = 256
    /// The timeout for SQLite's locks in milliseconds. There is no other writer: the builder holds a lock.
    private static let timeout: Int32 = 1000

    private let handle: Handle
    private var statements: [String: SQLiteStatement] = [:]

    /// Opens a file, which must not be a link. SQLite reads it later: the first statement reports a file that is not a database.
    init(_ path: String, _ mode: Mode) throws(SQLiteFailure) {
        var flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW
        var address = "file:" + PercentEncoding.encoded(try Self.resolved(path), except: "/")
        switch mode {
        case .immutable:
            flags |= SQLITE_OPEN_READONLY
            address += "?immutable=1"
        case .readWrite:
            flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
        var pointer: OpaquePointer?
        let code = unsafe sqlite3_open_v2(address, &pointer, flags, nil)
        guard let pointer = unsafe pointer else {
            throw SQLiteFailure(code: code, message: unsafe String(cString: sqlite3_errstr(code)))
        }
        unsafe handle = Handle(pointer)
        guard code == SQLITE_OK else { throw handle.failure }
        unsafe sqlite3_busy_timeout(pointer, Self.timeout)
        if mode == .immutable {
            let code = unsafe csqlite_distrust(pointer)
            guard code == SQLITE_OK else { throw handle.failure }
        }
        // Sorts in memory: a sandboxed daemon may have no writable temporary folder.
        try execute("PRAGMA temp_store = MEMORY")
        try execute("PRAGMA mmap_size = 0")
        try execute("PRAGMA cell_size_check = ON")
        try execute("PRAGMA cache_size = -\(Self.cacheSize)")
    }

    /// Runs one or more statements and ignores their rows.
    func execute(_ sql: String) throws(SQLiteFailure) {
        let code = unsafe sqlite3_exec(handle.connection, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw handle.failure }
    }

    func prepare(_ sql: String) throws(SQLiteFailure) -> SQLiteStatement {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            handle.connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK else { throw handle.failure }
        guard let prepared = unsafe prepared else {
            throw SQLiteFailure(code: SQLITE_MISUSE, message: "no statement: \(sql)")
        }
        return unsafe SQLiteStatement(prepared, of: handle)
    }

    /// The cached statement of this text. Not for use inside its own rows.
    func statement(_ sql: String) throws(SQLiteFailure) -> SQLiteStatement {
        if let cached = statements[sql] { return cached }
        let statement = try prepare(sql)
        statements[sql] = statement
        return statement
    }

    /// Runs `body` inside a transaction; an error rolls it back.
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

    /// Copies the database to a new file, with its application ID and version.
    func copy(to path: String) throws(SQLiteFailure) {
        try prepare("VACUUM INTO ?").run(.text(Self.resolved(path)))
    }

    /// Rolls back the transaction, if there is one.
    func rollback() {
        guard unsafe sqlite3_get_autocommit(handle.connection) == 0 else { return }
        // A rollback that fails leaves the journal, and the next connection rolls back.
        _ = unsafe sqlite3_exec(handle.connection, "ROLLBACK", nil, nil, nil)
    }

    /// The number of a PRAGMA; 0 where it returns none.
    func number(_ pragma: String) throws(SQLiteFailure) -> Int64 {
        try prepare("PRAGMA \(pragma)").first { row in row.integer(0) } ?? 0
    }

    /// The values of a PRAGMA, row by row.
    func pragmaValues(_ pragma: String) throws(SQLiteFailure) -> [String] {
        try prepare("PRAGMA \(pragma)").all { row in row.text(0) ?? "" }
    }

    /// The file's path with its folder's links resolved, since SQLite follows none (SQLITE_OPEN_NOFOLLOW).
    private static func resolved(_ path: String) throws(SQLiteFailure) -> String {
        let step = FilePath.Step(path)
        do throws(FileAccessFailure) {
            let folder = try GuardedPath.resolvedFolder(step.folder)
            // Two leading slashes would introduce a host in a URI.
            return folder == "/" ? "/\(step.name)" : "\(folder)/\(step.name)"
        } catch {
            throw SQLiteFailure(
                code: SQLITE_CANTOPEN, message: "\(error)", systemError: error.number)
        }
    }
}
