public import BoardIO
internal import Glibc
internal import Synchronization

/// Keeps bytes in one file, so that the next start finds what the last one left.
///
/// The folder is meant to be a tmpfs: a write costs no disk, is not synchronised, and survives the process, not the
/// machine. A reader finds the old bytes or the new ones, never half of them. Calls block for as long as small files take.
public final class SnapshotFile: Sendable {
    private let folder: String
    private let name: String
    private let limit: Int
    private let writing = Mutex(())

    /// A file that need not be there yet.
    ///
    /// - Parameters:
    ///   - name: the file's name.
    ///   - folder: an existing folder.
    ///   - limit: the most bytes that are written or read.
    public init(_ name: String, in folder: String, limit: Int = 1_000_000) {
        self.folder = folder
        self.name = name
        self.limit = limit
    }

    /// The file's path.
    public var path: String { "\(folder)/\(name)" }

    /// Puts these bytes in place of what was kept; only this user may read them. May be called from any thread.
    ///
    /// - Throws: ``SnapshotFailure``; what was kept before is still there then.
    public func write(_ bytes: [UInt8]) throws(SnapshotFailure) {
        guard bytes.count <= limit else { throw SnapshotFailure(.tooLarge(limit), file: path) }
        try writing.withLock { _ throws(SnapshotFailure) in
            let new = "\(folder)/.\(name).new"
            // One that a killed process left, perhaps with another mode.
            _ = unsafe unlink(new)
            let flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC
            let descriptor = unsafe open(new, flags, 0o600)
            guard descriptor >= 0 else { throw SnapshotFailure(.notWritten(errno), file: path) }
            var number = Self.write(bytes, to: descriptor)
            close(descriptor)
            if number == 0, unsafe rename(new, path) != 0 { number = errno }
            guard number == 0 else {
                _ = unsafe unlink(new)
                throw SnapshotFailure(.notWritten(number), file: path)
            }
        }
    }

    /// What was kept; nil: nothing.
    ///
    /// - Throws: ``SnapshotFailure`` when there is something that cannot be read.
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

    /// Forgets what was kept.
    ///
    /// - Throws: ``SnapshotFailure`` when it is still there.
    public func remove() throws(SnapshotFailure) {
        guard unsafe unlink(path) == 0 || errno == ENOENT else { throw SnapshotFailure(.notWritten(errno), file: path) }
    }

    /// Writes all of the bytes; gives the `errno`, 0 when all is well.
    private static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = unsafe rest.withUnsafeBytes { unsafe Glibc.write(descriptor, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return count < 0 ? errno : ENOSPC }
            rest = rest.dropFirst(count)
        }
        return 0
    }
}

/// Why bytes were not kept, or not found again.
public struct SnapshotFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What went wrong.
    public enum Kind: Hashable, Sendable {
        /// There are more bytes than this limit.
        case tooLarge(Int)
        /// The file cannot be read.
        case notRead(FileAccessFailure)
        /// The file cannot be written or removed; the `errno`.
        case notWritten(Int32)
    }

    /// What went wrong.
    public let kind: Kind
    /// The file's path.
    public let file: String

    init(_ kind: Kind, file: String) {
        self.kind = kind
        self.file = file
    }

    /// Where, what and why.
    public var description: String {
        switch kind {
        case .tooLarge(let limit): "\(file): more than \(limit) bytes"
        case .notRead(let failure): "\(file) cannot be read: \(failure)"
        case .notWritten(let number): "\(file) cannot be written: \(errnoText(number))"
        }
    }
}
