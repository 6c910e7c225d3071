internal import CSQLite
internal import Glibc

/// What SQLite refused, of which file, in its own words.
struct SQLiteFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// SQLite's extended result code; its lowest byte is the primary one.
    let code: Int32
    /// SQLite's words.
    let message: String
    /// The `errno` of the system call that failed; 0 when none did.
    let systemError: Int32
    /// The file's path.
    let path: String

    /// The family of the code: `SQLITE_CORRUPT` of `SQLITE_CORRUPT_VTAB`.
    var primaryCode: Int32 { code & 0xff }

    /// The file, the words and the code.
    var description: String { "\(path): \(message) (SQLite's code \(code))" }

    /// What went wrong last on a connection.
    init(_ connection: OpaquePointer?, code: Int32, path: String) {
        self.code = unsafe connection == nil ? code : sqlite3_extended_errcode(connection)
        message = unsafe String(cString: connection == nil ? sqlite3_errstr(code) : sqlite3_errmsg(connection))
        systemError = unsafe connection == nil ? 0 : sqlite3_system_errno(connection)
        self.path = path
    }

    /// A failure that SQLite did not find itself.
    init(code: Int32, message: String, systemError: Int32 = 0, path: String) {
        self.code = code
        self.message = message
        self.systemError = systemError
        self.path = path
    }
}
