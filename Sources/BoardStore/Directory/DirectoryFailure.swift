internal import BoardIO
internal import CSQLite
internal import Glibc

/// What keeps the stop directory from answering or from being made anew: which file, why, and what to do.
public struct DirectoryFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What is wrong.
    public enum Kind: Hashable, Sendable {
        /// There is no directory yet.
        case missing
        /// The file is damaged; SQLite's words.
        case corrupt(String)
        /// A newer boardd made the file.
        case newer(version: Int, known: Int)
        /// An older boardd made the file, and it has not been brought up to date.
        case older(version: Int, known: Int)
        /// The file cannot be read; the system's words.
        case unreadable(String)
        /// The file or its folder cannot be written; the system's words.
        case unwritable(String)
        /// The disk is full.
        case full
        /// Somebody else is updating this feed's stops.
        case busy
        /// An update found no stop at all.
        case nothing
        /// An update found less than half of the stops that there were.
        case half(found: Int, before: Int)
        /// Something else; SQLite's words or the system's.
        case other(String)
    }

    /// What is wrong.
    public let kind: Kind
    /// The path of the file, or of the folder where there is no file.
    public let file: String

    /// A failure of a file.
    public init(_ kind: Kind, file: String) {
        self.kind = kind
        self.file = file
    }

    /// Whether the file itself is at fault, so that setting it aside and making it anew is the remedy.
    public var isCorrupt: Bool {
        if case .corrupt = kind { true } else { false }
    }

    /// What is wrong, where, and what to do.
    public var description: String {
        switch kind {
        case .missing:
            "there are no stops in \(file) yet: wait until the daemon has fetched them, or run: boardd stops update"
        case .corrupt(let reason):
            "\(file) is damaged (\(reason)): the daemon makes it anew, or run: boardd stops update"
        case .newer(let version, let known):
            "\(file) was made by a newer boardd (its version is \(version), this program knows \(known)): "
                + "install that boardd again, or remove the file and run: boardd stops update"
        case .older(let version, let known):
            "\(file) was made by an older boardd (its version is \(version), this program wants \(known)): "
                + "start the daemon, which brings it up to date, or run: boardd stops update"
        case .unreadable(let reason):
            "\(file) cannot be read (\(reason)): it must be readable by everybody (mode 0644), its folder too (0755)"
        case .unwritable(let reason):
            "\(file) cannot be written (\(reason)): leave updates to the daemon, or run this as root"
        case .full:
            "no space is left for \(file): make some free; until then the stops stay as they were"
        case .busy:
            "an update of \(file) is under way already: wait until it has ended"
        case .nothing:
            "the update of \(file) found no stop at all: the stops stay as they were; try again later"
        case .half(let found, let before):
            "the update of \(file) found \(found) stops where there were \(before): the stops stay as they were; "
                + "if so few are right, remove the file and run: boardd stops update"
        case .other(let reason):
            "\(file): \(reason)"
        }
    }
}

extension DirectoryFailure {
    /// Runs `body`, which only reads `file`.
    static func reading<Value>(
        _ file: String, _ body: () throws(SQLiteFailure) -> Value
    ) throws(DirectoryFailure) -> Value {
        do throws(SQLiteFailure) { return try body() } catch { throw .reading(error, file: file) }
    }

    /// Runs `body`, which writes `file`.
    static func writing<Value>(
        _ file: String, _ body: () throws(SQLiteFailure) -> Value
    ) throws(DirectoryFailure) -> Value {
        do throws(SQLiteFailure) { return try body() } catch { throw .writing(error, file: file) }
    }

    /// What SQLite's failure means for a file that is only read, by statements that are right: where SQLite finds no
    /// table or an impossible value, the file is at fault.
    static func reading(_ failure: SQLiteFailure, file: String) -> DirectoryFailure {
        switch failure.primaryCode {
        case SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_RANGE,
            SQLITE_READONLY:
            DirectoryFailure(.corrupt(failure.message), file: file)
        case SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_PERM, SQLITE_AUTH:
            DirectoryFailure(.unreadable(reason(failure)), file: file)
        default:
            writing(failure, file: file)
        }
    }

    /// What SQLite's failure means for a file that is written.
    static func writing(_ failure: SQLiteFailure, file: String) -> DirectoryFailure {
        switch failure.primaryCode {
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            DirectoryFailure(.corrupt(failure.message), file: file)
        case SQLITE_FULL:
            DirectoryFailure(.full, file: file)
        case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
            writing(errno: failure.systemError, otherwise: failure.message, file: file)
        case SQLITE_BUSY, SQLITE_LOCKED:
            DirectoryFailure(.busy, file: file)
        default:
            DirectoryFailure(.other(failure.description), file: file)
        }
    }

    /// What a system call's failure means for a file that is written.
    static func writing(errno number: Int32, otherwise: String = "unknown", file: String) -> DirectoryFailure {
        switch number {
        case 0: DirectoryFailure(.unwritable(otherwise), file: file)
        case ENOSPC, EDQUOT: DirectoryFailure(.full, file: file)
        default: DirectoryFailure(.unwritable(errnoText(number)), file: file)
        }
    }

    /// What it means for a folder that it cannot be read.
    static func reading(_ failure: FileAccessFailure, file: String) -> DirectoryFailure {
        if case .system(let number) = failure.kind { return reading(errno: number, file: file) }
        return DirectoryFailure(.unreadable("\(failure)"), file: file)
    }

    /// What a system call's failure means for a file that is read.
    static func reading(errno number: Int32, file: String) -> DirectoryFailure {
        DirectoryFailure(
            number == ENOENT ? .missing : .unreadable(errnoText(number)), file: file)
    }

    private static func reason(_ failure: SQLiteFailure) -> String {
        failure.systemError == 0 ? failure.message : errnoText(failure.systemError)
    }
}
