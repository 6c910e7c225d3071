public import BoardCore
import BoardIO
import CSQLite
import Glibc

/// Why the stop directory cannot be read or updated: the file, the reason, and what to do.
public struct StoreError: Error, Hashable, Sendable, CustomStringConvertible {
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
        /// The update returned fewer than half of the previous stops.
        case tooFewStops(found: Int, before: Int)
        /// Another failure; SQLite's message or the system's.
        case other(String)
        /// SQLite's extended result code and message, with the `errno` of the failed system call, or 0; without a file.
        case database(code: Int32, message: String, systemError: Int32)
    }

    public let kind: Kind
    /// The path of the file, or of the folder if there is no file.
    public let file: String

    public init(_ kind: Kind, file: String) {
        self.kind = kind
        self.file = file
    }

    /// Whether the file is damaged, so that it must be moved aside and rebuilt.
    public var isCorrupt: Bool {
        if case .corrupt = kind { true } else { false }
    }

    /// Whether only replacing the file can help.
    var isLasting: Bool {
        switch kind {
        case .corrupt, .newer, .older: true
        default: false
        }
    }

    public var description: String {
        switch kind {
        case .missing: "no stop directory in \(file) yet: run boardd setup, or boardd stops update FEED, such as tfl"
        case .corrupt(let reason): "\(file) is damaged (\(reason)): the daemon rebuilds it, or run: boardd stops update"
        case .newer(let version, let supported):
            "\(file) has schema version \(version), this boardd supports \(supported): "
                + "upgrade boardd, or remove the file and run: boardd stops update"
        case .older(let version, let supported):
            "\(file) has schema version \(version), this boardd needs \(supported): "
                + "start the daemon to migrate it, or run: boardd stops update"
        case .unreadable(let reason): "\(file) cannot be read (\(reason)): set mode 0644, and 0755 on its folder"
        case .unwritable(let reason):
            "\(file) cannot be written (\(reason)): leave updates to the daemon, or run this as root"
        case .full: "no space is left for \(file): free some; the stop directory is unchanged"
        case .busy: "an update of \(file) is already running: wait until it ends"
        case .empty: "the update of \(file) returned no stops: the old list stays; try again later"
        case .tooFewStops(let found, let before):
            "the update of \(file) returned \(found) stops, the old list has \(before): the old list stays; "
                + "if the new number is right, remove the file and run: boardd stops update"
        case .other(let reason): "\(file): \(reason)"
        case .database(let code, let message, _): "\(message) (SQLite's code \(code))"
        }
    }

    static func reading<Value>(_ file: String, _ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        do throws(StoreError) { return try body() } catch { throw .reading(error, file: file) }
    }

    static func writing<Value>(_ file: String, _ body: () throws(StoreError) -> Value) throws(StoreError) -> Value {
        do throws(StoreError) { return try body() } catch { throw .writing(error, file: file) }
    }

    /// The failure for an SQLite error while reading with valid statements: if SQLite finds no table or an impossible
    /// value, the file is damaged.
    static func reading(_ failure: StoreError, file: String) -> StoreError {
        guard case .database(let code, let message, let systemError) = failure.kind else { return failure }
        return switch code & 0xff {
        case SQLITE_ERROR, SQLITE_SCHEMA, SQLITE_TOOBIG, SQLITE_CONSTRAINT, SQLITE_MISMATCH, SQLITE_RANGE,
            SQLITE_READONLY:
            StoreError(.corrupt(message), file: file)
        case SQLITE_CANTOPEN, SQLITE_IOERR, SQLITE_PERM, SQLITE_AUTH:
            StoreError(.unreadable(systemError == 0 ? message : errnoText(systemError)), file: file)
        default: writing(failure, file: file)
        }
    }

    /// The failure for an SQLite error while writing.
    static func writing(_ failure: StoreError, file: String) -> StoreError {
        guard case .database(let code, let message, let systemError) = failure.kind else { return failure }
        return switch code & 0xff {
        case SQLITE_CORRUPT, SQLITE_NOTADB: StoreError(.corrupt(message), file: file)
        case SQLITE_FULL: StoreError(.full, file: file)
        case SQLITE_IOERR, SQLITE_CANTOPEN, SQLITE_READONLY, SQLITE_PERM, SQLITE_AUTH:
            if [ENOSPC, EDQUOT].contains(systemError) {
                StoreError(.full, file: file)
            } else {
                StoreError(.unwritable(systemError == 0 ? message : errnoText(systemError)), file: file)
            }
        case SQLITE_BUSY, SQLITE_LOCKED: StoreError(.busy, file: file)
        default: StoreError(.other(failure.description), file: file)
        }
    }

    /// The failure for a file or folder that cannot be read.
    static func reading(_ failure: FileError, file: String) -> StoreError {
        StoreError(failure.number == ENOENT ? .missing : .unreadable("\(failure)"), file: file)
    }

    /// The failure for a file that cannot be locked, written or replaced.
    static func writing(_ failure: FileError, file: String) -> StoreError {
        switch failure.number {
        case EWOULDBLOCK: StoreError(.busy, file: file)
        case ENOSPC, EDQUOT: StoreError(.full, file: file)
        default: StoreError(.unwritable("\(failure)"), file: file)
        }
    }
}

/// The results of a query, and the files that could not be read: one damaged file does not hide other feeds' stops.
public struct DirectoryResult<Element: Sendable>: Sendable {
    /// In the order of the query: for a search, best first.
    public let found: [Element]
    public let failures: [StoreError]

    public init(found: [Element], failures: [StoreError] = []) {
        self.found = found
        self.failures = failures
    }
}

extension DirectoryResult: Equatable where Element: Equatable {}

public struct DirectoryLine: Hashable, Sendable {
    public let feed: FeedName
    public let line: ListedLine
    /// The number of poles and stations where it calls; areas and interchanges only repeat the lines of their poles.
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
