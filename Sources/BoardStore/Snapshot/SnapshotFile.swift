import BoardIO
import Glibc

/// Stores bytes in a file for the next start of the process.
///
/// The folder should be a tmpfs: a write costs no disk access, is not synchronised, and survives the process, not the
/// machine. Writes are atomic, by one thread at a time. Calls block while they read or write a small file.
public struct SnapshotFile: Sendable {
    public let path: String
    private let newPath: String
    private let limit: Int

    /// A file that may be missing, in an existing folder, of at most `limit` bytes.
    public init(_ name: String, in folder: String, limit: Int = 1_000_000) {
        path = "\(folder)/\(name)"
        newPath = "\(folder)/.\(name).new"
        self.limit = limit
    }

    public var exists: Bool { unsafe access(path, F_OK) == 0 }

    /// Replaces the content; only this user may read the file. After a failure the old content is unchanged.
    public func write(_ bytes: [UInt8]) throws(SnapshotFailure) {
        guard bytes.count <= limit else { throw tooLarge }
        do {
            try AtomicFile.write(bytes.span, to: path, through: newPath, mode: 0o600)
        } catch {
            throw SnapshotFailure(description: "\(path) cannot be written: \(error)")
        }
    }

    /// The stored bytes; nil where there are none. Throws when the file exists and cannot be read.
    public func read() throws(SnapshotFailure) -> [UInt8]? {
        let bytes: [UInt8]
        do {
            bytes = try SmallFile.read(path, limit: limit).bytes
        } catch {
            if error.number == ENOENT { return nil }
            throw SnapshotFailure(description: "\(path) cannot be read: \(error)")
        }
        guard bytes.count <= limit else { throw tooLarge }
        return bytes
    }

    /// Removes the file; throws when it remains.
    public func remove() throws(SnapshotFailure) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else {
            throw SnapshotFailure(description: "\(path) cannot be removed: \(errnoText(errno))")
        }
    }

    private var tooLarge: SnapshotFailure { SnapshotFailure(description: "\(path): more than \(limit) bytes") }
}

/// Why a snapshot could not be written, read or removed.
public struct SnapshotFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public let description: String
}
