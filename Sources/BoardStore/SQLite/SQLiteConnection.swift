import BoardCore
import BoardIO
import CSQLite
import Glibc

/// A connection to one database file. Calls block; for one thread at a time.
///
/// Uses little memory: a page cache of ``cacheSize`` and no memory map, since the kernel caches the file anyway and
/// shares its pages.
final class SQLiteConnection {
    enum Mode: Hashable, Sendable {
        /// Reads a file that is never written in place: no lock, no journal, no check for changes.
        case immutable
        /// Reads and writes; creates the file if there is none.
        case readWrite
    }

    /// The pointer; statements hold it too, and the last reference closes it.
    @safe
    final class Handle {
        fileprivate let connection: OpaquePointer

        fileprivate init(_ connection: OpaquePointer) { unsafe self.connection = connection }

        deinit { unsafe sqlite3_close_v2(connection) }

        /// The error of the last call.
        var failure: StoreError { unsafe StoreError(connection) }
    }

    /// The size of a connection's page cache in kilobytes.
    private static let cacheSize = 256
    /// The timeout for SQLite's locks, in milliseconds. There is no other writer: the builder holds a lock.
    private static let timeout: Int32 = 1000

    private let handle: Handle
    private var statements: [String: SQLiteStatement] = [:]

    /// Opens a file, not a link. SQLite reads it later: the first statement throws if it is not a database.
    init(_ path: String, _ mode: Mode) throws(StoreError) {
        var flags = SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE | SQLITE_OPEN_NOFOLLOW
        var address = "file:" + PercentEncoding.encoded(try Self.resolved(path), except: "/")
        switch mode {
        case .immutable:
            flags |= SQLITE_OPEN_READONLY
            address += "?immutable=1"
        case .readWrite: flags |= SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE
        }
        var pointer: OpaquePointer?
        let code = unsafe sqlite3_open_v2(address, &pointer, flags, nil)
        guard let pointer = unsafe pointer else {
            throw StoreError(code: code, message: unsafe String(cString: sqlite3_errstr(code)))
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
    func execute(_ sql: String) throws(StoreError) {
        let code = unsafe sqlite3_exec(handle.connection, sql, nil, nil, nil)
        guard code == SQLITE_OK else { throw handle.failure }
    }

    func prepare(_ sql: String) throws(StoreError) -> SQLiteStatement {
        var prepared: OpaquePointer?
        let code = unsafe sqlite3_prepare_v3(
            handle.connection, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
        guard code == SQLITE_OK else { throw handle.failure }
        guard let prepared = unsafe prepared else {
            throw StoreError(code: SQLITE_MISUSE, message: "no statement: \(sql)")
        }
        return unsafe SQLiteStatement(prepared, of: handle)
    }

    /// The cached statement of this text. Not for use while its own rows are read.
    func statement(_ sql: String) throws(StoreError) -> SQLiteStatement {
        if let cached = statements[sql] { return cached }
        let statement = try prepare(sql)
        statements[sql] = statement
        return statement
    }

    /// Runs `body` inside a transaction; an error rolls it back.
    func transaction(_ body: () throws(StoreError) -> Void) throws(StoreError) {
        try execute("BEGIN IMMEDIATE")
        do throws(StoreError) {
            try body()
            try execute("COMMIT")
        } catch {
            rollback()
            throw error
        }
    }

    /// Copies the database to a new file, with its application ID and version.
    func copy(to path: String) throws(StoreError) {
        try prepare("VACUUM INTO ?").run(.text(Self.resolved(path)))
    }

    /// Rolls back the transaction, if there is one.
    func rollback() {
        guard unsafe sqlite3_get_autocommit(handle.connection) == 0 else { return }
        // A rollback that fails leaves the journal, and the next connection rolls back.
        _ = unsafe sqlite3_exec(handle.connection, "ROLLBACK", nil, nil, nil)
    }

    /// The number of a PRAGMA; 0 if it returns none.
    func number(_ pragma: String) throws(StoreError) -> Int64 {
        try prepare("PRAGMA \(pragma)").first { row in row.integer(0) } ?? 0
    }

    /// The values of a PRAGMA, row by row.
    func pragmaValues(_ pragma: String) throws(StoreError) -> [String] {
        try prepare("PRAGMA \(pragma)").all { row in row.text(0) ?? "" }
    }

    /// The file's path with its folder's links resolved, since SQLite follows none (SQLITE_OPEN_NOFOLLOW).
    private static func resolved(_ path: String) throws(StoreError) -> String {
        let step = FilePath.Step(path)
        do throws(FileError) {
            let folder = try GuardedPath.resolvedFolder(step.folder)
            // Two leading slashes would introduce a host in a URI.
            return folder == "/" ? "/\(step.name)" : "\(folder)/\(step.name)"
        } catch {
            throw StoreError(
                code: SQLITE_CANTOPEN, message: "\(error)", systemError: error.number)
        }
    }
}

/// A prepared statement; finalised with its last reference. For one thread at a time, like its connection.
@safe
final class SQLiteStatement {
    private let connection: SQLiteConnection.Handle
    private let statement: OpaquePointer

    /// - Parameter statement: a prepared statement, which this object finalises.
    init(_ statement: OpaquePointer, of connection: SQLiteConnection.Handle) {
        self.connection = connection
        unsafe self.statement = statement
    }

    deinit { unsafe sqlite3_finalize(statement) }

    /// Runs the statement and ignores its rows.
    func run(_ values: SQLiteValue...) throws(StoreError) {
        try start(values)
        defer { reset() }
        while try step() {}
    }

    func each(_ values: SQLiteValue..., body: (SQLiteStatement) throws(StoreError) -> Void) throws(StoreError) {
        try start(values)
        defer { reset() }
        while try step() { try body(self) }
    }

    func all<Value>(
        _ values: SQLiteValue..., body: (SQLiteStatement) throws(StoreError) -> Value
    ) throws(StoreError) -> [Value] {
        try start(values)
        defer { reset() }
        var found: [Value] = []
        while try step() { found.append(try body(self)) }
        return found
    }

    /// Maps the first row; nil if there is none.
    func first<Value>(
        _ values: SQLiteValue..., body: (SQLiteStatement) throws(StoreError) -> Value
    ) throws(StoreError) -> Value? {
        try start(values)
        defer { reset() }
        return try step() ? body(self) : nil
    }

    /// A whole number of the row; 0 for NULL.
    func integer(_ column: Int32) -> Int64 { unsafe sqlite3_column_int64(statement, column) }

    /// A number of the row; nil for NULL.
    func real(_ column: Int32) -> Double? {
        guard unsafe sqlite3_column_type(statement, column) != SQLITE_NULL else { return nil }
        return unsafe sqlite3_column_double(statement, column)
    }

    /// A text of the row; nil for NULL. Repairs invalid UTF-8.
    func text(_ column: Int32) -> String? {
        guard let bytes = unsafe sqlite3_column_text(statement, column) else { return nil }
        let count = Int(unsafe sqlite3_column_bytes(statement, column))
        return unsafe String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
    }

    /// Replaces the content of `buffer` with the bytes of a text, without creating a string.
    func bytes(_ column: Int32, into buffer: inout [UInt8]) {
        buffer.removeAll(keepingCapacity: true)
        guard let bytes = unsafe sqlite3_column_text(statement, column) else { return }
        let count = Int(unsafe sqlite3_column_bytes(statement, column))
        unsafe buffer.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
    }

    private func start(_ values: [SQLiteValue]) throws(StoreError) {
        reset()
        for (offset, value) in values.enumerated() {
            let index = Int32(offset + 1)
            let code =
                switch value {
                case .null: unsafe sqlite3_bind_null(statement, index)
                case .integer(let number): unsafe sqlite3_bind_int64(statement, index, number)
                case .real(let number): unsafe sqlite3_bind_double(statement, index, number)
                case .text(let text): bind(text, at: index)
                }
            guard code == SQLITE_OK else { throw connection.failure }
        }
    }

    private func bind(_ text: String, at index: Int32) -> Int32 {
        var text = text
        return text.withUTF8 { bytes in
            guard let base = bytes.baseAddress else { return unsafe csqlite_bind_text(statement, index, "", 0) }
            return unsafe base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { letters in
                unsafe csqlite_bind_text(statement, index, letters, UInt64(bytes.count))
            }
        }
    }

    private func step() throws(StoreError) -> Bool {
        let code = unsafe sqlite3_step(statement)
        if code == SQLITE_ROW { return true }
        guard code == SQLITE_DONE else { throw connection.failure }
        return false
    }

    private func reset() {
        unsafe sqlite3_reset(statement)
        unsafe sqlite3_clear_bindings(statement)
    }
}

/// The value of a parameter.
enum SQLiteValue: Hashable, Sendable {
    case null
    case integer(Int64)
    case real(Double)
    case text(String)

    static func integer(_ value: Int) -> SQLiteValue { .integer(Int64(value)) }

    static func optional(_ value: Double?) -> SQLiteValue { value.map { .real($0) } ?? .null }

    static func optional(_ value: String?) -> SQLiteValue { value.map { .text($0) } ?? .null }
}

extension StoreError {
    /// An SQLite error without the file, which callers add (`reading`, `writing`).
    ///
    /// - Parameters:
    ///   - code: SQLite's extended result code; its lowest byte is the primary one.
    ///   - systemError: the `errno` of the failed system call; 0 if there is none.
    init(code: Int32, message: String, systemError: Int32 = 0) {
        self.init(.database(code: code, message: message, systemError: systemError), file: "")
    }

    fileprivate init(_ connection: OpaquePointer) {
        self.init(
            code: unsafe sqlite3_extended_errcode(connection),
            message: unsafe String(cString: sqlite3_errmsg(connection)),
            systemError: unsafe sqlite3_system_errno(connection))
    }
}
