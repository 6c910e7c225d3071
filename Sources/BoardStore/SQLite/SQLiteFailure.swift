internal import CSQLite
internal import Glibc

/// An SQLite error, with the file and SQLite's message.
struct SQLiteFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// SQLite's extended result code; its lowest byte is the primary one.
    let code: Int32
    let message: String
    /// The `errno` of the failed system call; 0 where there is none.
    let systemError: Int32
    let path: String

    /// The primary result code: `SQLITE_CORRUPT` of `SQLITE_CORRUPT_VTAB`.
    var primaryCode: Int32 { code & 0xff }

    var description: String { "\(path): \(message) (SQLite's code \(code))" }

    /// The last error of a connection.
    init(_ connection: OpaquePointer?, code: Int32, path: String) {
        self.code = unsafe connection == nil ? code : sqlite3_extended_errcode(connection)
        message = unsafe String(cString: connection == nil ? sqlite3_errstr(code) : sqlite3_errmsg(connection))
        systemError = unsafe connection == nil ? 0 : sqlite3_system_errno(connection)
        self.path = path
    }

    /// An error that boardd found itself.
    init(code: Int32, message: String, systemError: Int32 = 0, path: String) {
        self.code = code
        self.message = message
        self.systemError = systemError
        self.path = path
    }
}
