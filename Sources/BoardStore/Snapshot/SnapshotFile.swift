public import BoardIO
internal import Glibc
internal import Synchronization

/// Stores bytes in a file for the next start of the process.
///
/// The folder should be a tmpfs: a write costs no disk access, is not synchronised, and survives the process, not the
/// machine. Writes are atomic. Calls block while they read or write a small file.
public final class SnapshotFile: Sendable {
    private let folder: String
    private let name: String
    private let limit: Int
    private let writing = Mutex(())

    /// A file that may be missing.
    ///
    /// - Parameters:
    ///   - name: the file's name.
    ///   - folder: an existing folder.
    ///   - limit: the maximum size in bytes.
    public init(_ name: String, in folder: String, limit: Int = 1_000_000) {
        self.folder = folder
        self.name = name
        self.limit = limit
    }

    public var path: String { "\(folder)/\(name)" }

    /// Replaces the content; only this user may read the file. Any thread may call.
    ///
    /// - Throws: ``SnapshotFailure``; the old content is then unchanged.
    public func write(_ bytes: [UInt8]) throws(SnapshotFailure) {
        guard bytes.count <= limit else { throw SnapshotFailure(.tooLarge(limit), file: path) }
        try writing.withLock { _ throws(SnapshotFailure) in
            let new = "\(folder)/.\(name).new"
            // Left by a killed process, perhaps with another mode.
            _ = unsafe unlink(new)
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let descriptor = unsafe open(new, flags, 0o600)
            guard descriptor >= 0 else { throw SnapshotFailure(.notWritten(errno), file: path) }
            var number = writeAll(bytes.span, to: descriptor)
            close(descriptor)
            if number == 0, unsafe rename(new, path) != 0 { number = errno }
            guard number == 0 else {
                _ = unsafe unlink(new)
                throw SnapshotFailure(.notWritten(number), file: path)
            }
        }
    }

    /// The stored bytes; nil where there are none.
    ///
    /// - Throws: ``SnapshotFailure`` when the file exists and cannot be read.
    public func read() throws(SnapshotFailure) -> [UInt8]? {
        let bytes: [UInt8]
        do {
            bytes = try SmallFile.read(path, limit: limit).bytes
        } catch {
            if error == FileAccessFailure(errno: ENOENT) { return nil }
            throw SnapshotFailure(.notRead(error), file: path)
        }
        guard bytes.count <= limit else { throw SnapshotFailure(.tooLarge(limit), file: path) }
        return bytes
    }

    /// Removes the file.
    ///
    /// - Throws: ``SnapshotFailure`` when the file remains.
    public func remove() throws(SnapshotFailure) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw SnapshotFailure(.notWritten(errno), file: path) }
    }

}

/// Why a snapshot could not be written or read.
public struct SnapshotFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// The content exceeds this limit.
        case tooLarge(Int)
        case notRead(FileAccessFailure)
        /// The file cannot be written or removed; the `errno`.
        case notWritten(Int32)
    }

    public let kind: Kind
    public let file: String

    init(_ kind: Kind, file: String) {
        self.kind = kind
        self.file = file
    }

    public var description: String {
        switch kind {
        case .tooLarge(let limit): "\(file): more than \(limit) bytes"
        case .notRead(let failure): "\(file) cannot be read: \(failure)"
        case .notWritten(let number): "\(file) cannot be written: \(errnoText(number))"
        }
    }
}
