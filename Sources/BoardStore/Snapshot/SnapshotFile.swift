import BoardCore
import BoardIO
import Glibc

/// Stores bytes in a file for the next start of the process.
///
/// The folder should be on a tmpfs: a write costs no disk access, is not synchronised, and survives the process but not
/// a reboot. Writes are atomic; only one thread may write at a time. Calls block while they read or write a small file.
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
    public func write(_ bytes: [UInt8]) throws {
        guard bytes.count <= limit else { throw tooLarge }
        do {
            try AtomicFile.write(bytes.span, to: path, through: newPath, mode: 0o600)
        } catch {
            throw PlainError("\(path) cannot be written: \(error)")
        }
    }

    /// The stored bytes; nil if there is no file. Throws if it exists and cannot be read.
    public func read() throws -> [UInt8]? {
        let bytes: [UInt8]
        do throws(FileError) {
            bytes = try SmallFile.read(path, limit: limit).bytes
        } catch {
            if error.number == ENOENT { return nil }
            throw PlainError("\(path) cannot be read: \(error)")
        }
        guard bytes.count <= limit else { throw tooLarge }
        return bytes
    }

    /// Removes the file; throws if it remains.
    public func remove() throws {
        guard unsafe unlink(path) == 0 || errno == ENOENT else {
            throw PlainError("\(path) cannot be removed: \(errnoText(errno))")
        }
    }

    private var tooLarge: PlainError { PlainError("\(path): more than \(limit) bytes") }
}
