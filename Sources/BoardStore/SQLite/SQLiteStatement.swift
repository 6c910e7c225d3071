internal import CSQLite

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

    deinit {
        unsafe sqlite3_finalize(statement)
    }

    /// Runs the statement and ignores its rows.
    func run(_ values: SQLiteValue...) throws(SQLiteFailure) {
        try start(values)
        defer { reset() }
        while try step() {}
    }

    /// Passes each row to `body`.
    func each(
        _ values: SQLiteValue..., body: (SQLiteStatement) throws(SQLiteFailure) -> Void
    ) throws(SQLiteFailure) {
        try start(values)
        defer { reset() }
        while try step() { try body(self) }
    }

    func all<Value>(
        _ values: SQLiteValue..., body: (SQLiteStatement) throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> [Value] {
        try start(values)
        defer { reset() }
        var found: [Value] = []
        while try step() { found.append(try body(self)) }
        return found
    }

    /// Maps the first row; nil when there is none.
    func first<Value>(
        _ values: SQLiteValue..., body: (SQLiteStatement) throws(SQLiteFailure) -> Value
    ) throws(SQLiteFailure) -> Value? {
        try start(values)
        defer { reset() }
        return try step() ? body(self) : nil
    }

    /// A whole number of the row; 0 for NULL.
    func integer(_ column: Int32) -> Int64 {
        unsafe sqlite3_column_int64(statement, column)
    }

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

    /// Replaces the content of `buffer` by the bytes of a text, without creating a string.
    func bytes(_ column: Int32, into buffer: inout [UInt8]) {
        buffer.removeAll(keepingCapacity: true)
        guard let bytes = unsafe sqlite3_column_text(statement, column) else { return }
        let count = Int(unsafe sqlite3_column_bytes(statement, column))
        unsafe buffer.append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
    }

    private func start(_ values: [SQLiteValue]) throws(SQLiteFailure) {
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
            guard let base = bytes.baseAddress else {
                return unsafe csqlite_bind_text(statement, index, "", 0)
            }
            return unsafe base.withMemoryRebound(to: CChar.self, capacity: bytes.count) { letters in
                unsafe csqlite_bind_text(statement, index, letters, UInt64(bytes.count))
            }
        }
    }

    private func step() throws(SQLiteFailure) -> Bool {
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
