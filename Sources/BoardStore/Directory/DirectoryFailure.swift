public import BoardCore
import BoardIO
import CSQLite
import Glibc

/// Why the stop directory cannot be read or updated: the file, the reason, and what to do.
public struct DirectoryFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        case missing
        /// The file is damaged; SQLite's message.
        case corrupt(String)
        /// A newer boardd wrote the file.
        case newer(version: Int, supported: Int)
        /// An older boardd wrote the file, and it has not been migrated.
        case older(version: Int, supported: Int)
        /// The system's message.
        case unreadable(String)
        /// The file or its folder cannot be written; the system's message.
        case unwritable(String)
        case full
        /// Another process is updating this feed's stops.
        case busy
        /// The update returned no stops.
        case empty
        /// The update returned less than half of the previous stops.
        case tooFewStops(found: Int, before: Int)
        /// Another failure; SQLite's message or the system's.
        case other(String)
    }

    public let kind: Kind
    /// The path of the file, or of the folder where there is no file.
    public let file: String

    public init(_ kind: Kind, file: String) {
        self.kind = kind
        self.file = file
    }

    /// Whether the file is damaged, so that it must be moved aside and rebuilt.
    public var isCorrupt: Bool {
        if case .corrupt = kind { true } else { false }
    }

    /// Whether only a replacement of the file can help.
    var isLasting: Bool {
        switch kind {
        case .corrupt, .newer, .older: true
        default: false
        }
    }

    public var description: String {
        switch kind {
        case .missing:
            "no stop directory in \(file) yet: run boardd setup, or boardd stops update FEED, such as tfl"
        case .corrupt(let reason):
            "\(file) is damaged (\(reason)): the daemon rebuilds it, or run: boardd stops update"
        case .newer(let version, let supported):
            "\(file) has schema version \(version), this boardd supports \(supported): "
                + "upgrade boardd, or remove the file and run: boardd stops update"
        case .older(let version, let supported):
            "\(file) has schema version \(version), this boardd needs \(supported): "
                + "start the daemon to migrate it, or run: boardd stops update"
        case .unreadable(let reason):
            "\(file) cannot be read (\(reason)): set mode 0644, and 0755 on its folder"
        case .unwritable(let reason):
            "\(file) cannot be written (\(reason)): leave updates to the daemon, or run this as root"
        case .full:
            "no space is left for \(file): free some; the stop directory is unchanged"
        case .busy:
            "an update of \(file) is already running: wait until it ends"
        case .empty:
            "the update of \(file) returned no stops: the old list stays; try again later"
        case .tooFewStops(let found, let before):
            "the update of \(file) returned \(found) stops, the old list has \(before): the old list stays; "
                + "if so few are right, remove the file and run: boardd stops update"
        case .other(let reason):
            "\(file): \(reason)"
        }
    }

    static func reading<Value>(
        _ file: String, _ body: () throws(SQLiteFailure) -> Value
    ) throws(DirectoryFailure) -> Value {
        do throws(SQLiteFailure) { return try body() } catch { throw .reading(error, file: file) }
    }

    static func writing<Value>(
        _ file: String, _ body: () throws(SQLiteFailure) -> Value
    ) throws(DirectoryFailure) -> Value {
        do throws(SQLiteFailure) { return try body() } catch { throw .writing(error, file: file) }
    }

    /// The failure for an SQLite error while reading with valid statements: where SQLite finds no table or an impossible
    /// value, the file is damaged.
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

    /// The failure for an SQLite error while writing.
    static func writing(_ failure: SQLiteFailure, file: String) -> DirectoryFailure {
        switch failure.primaryCode {
        case SQLITE_CORRUPT, SQLITE_NOTADB:
            DirectoryFailure(.corrupt(failure.message), file: file)
        case SQLITE_FULL:
            DirectoryFailure(.full, file: file)
        case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
            if [ENOSPC, EDQUOT].contains(failure.systemError) {
                DirectoryFailure(.full, file: file)
            } else {
                DirectoryFailure(.unwritable(reason(failure)), file: file)
            }
        case SQLITE_BUSY, SQLITE_LOCKED:
            DirectoryFailure(.busy, file: file)
        default:
            DirectoryFailure(.other(failure.description), file: file)
        }
    }

    /// The failure for a file or folder that cannot be read.
    static func reading(_ failure: FileAccessFailure, file: String) -> DirectoryFailure {
        DirectoryFailure(failure.number == ENOENT ? .missing : .unreadable("\(failure)"), file: file)
    }

    /// The failure for a file that cannot be locked, written or replaced.
    static func writing(_ failure: FileAccessFailure, file: String) -> DirectoryFailure {
        switch failure.number {
        case EWOULDBLOCK: DirectoryFailure(.busy, file: file)
        case ENOSPC, EDQUOT: DirectoryFailure(.full, file: file)
        default: DirectoryFailure(.unwritable("\(failure)"), file: file)
        }
    }

    private static func reason(_ failure: SQLiteFailure) -> String {
        failure.systemError == 0 ? failure.message : errnoText(failure.systemError)
    }
}

/// The results of a query, and the files that could not be read: one damaged file does not hide other feeds' stops.
public struct DirectoryResult<Element: Sendable>: Sendable {
    /// The results, best first.
    public let found: [Element]
    public let failures: [DirectoryFailure]

    public init(found: [Element], failures: [DirectoryFailure] = []) {
        self.found = found
        self.failures = failures
    }
}

extension DirectoryResult: Equatable where Element: Equatable {}

public struct DirectoryLine: Hashable, Sendable {
    public let feed: FeedName
    public let line: ListedLine
    /// The number of poles and stations at which it calls; areas and interchanges repeat their poles' lines and do not count.
    public let stops: Int
}

/// One feed's part of the directory.
public struct DirectoryEdition: Hashable, Sendable {
    public let feed: FeedName
    public let stops: Int
    public let lines: Int
    /// When the download of the operator's list was complete.
    public let completed: Timestamp
    /// The size of the file in bytes.
    public let bytes: Int
}
