internal import CSQLite
internal import Glibc

/// An SQLite error with SQLite's message.
struct SQLiteFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// SQLite's extended result code; its lowest byte is the primary one.
    let code: Int32
    let message: String
    /// The `errno` of the failed system call; 0 where there is none.
    var systemError: Int32 = 0

    /// The primary result code: `SQLITE_CORRUPT` of `SQLITE_CORRUPT_VTAB`.
    var primaryCode: Int32 { code & 0xff }

    var description: String { "\(message) (SQLite's code \(code))" }
}

extension SQLiteFailure {
    init(_ connection: OpaquePointer) {
        code = unsafe sqlite3_extended_errcode(connection)
        message = unsafe String(cString: sqlite3_errmsg(connection))
        systemError = unsafe sqlite3_system_errno(connection)
    }
}
