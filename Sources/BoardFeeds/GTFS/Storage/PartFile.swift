internal import BoardCore
internal import BoardFormats
internal import BoardIO
internal import Glibc
internal import Synchronization

/// A download in progress, beside the archive that it will replace. A file lock excludes other writers as long as the file
/// has its name.
final class PartFile: Sendable {
    /// Shared by the thread that receives the download and the task that ends it; nil: renamed or removed.
    private let lock: Mutex<FileLock?>
    let path: String
    private let feed: String
    private let mode: mode_t

    /// Creates an empty file at `path`; nil if another process is writing it. Overwrites an interrupted download.
    ///
    /// - Parameter feed: the name of the feed, for errors.
    init?(_ path: String, mode: mode_t, feed: String) throws(ArchiveStoreFailure) {
        self.path = path
        self.feed = feed
        self.mode = mode
        do throws(FileAccessFailure) {
            lock = Mutex(try Self.lock(path, mode))
        } catch {
            if error.number == EWOULDBLOCK { return nil }
            throw ArchiveStoreFailure(path, of: feed, code: error.number)
        }
        try restart()
    }

    private static func lock(_ path: String, _ mode: mode_t) throws(FileAccessFailure) -> FileLock {
        let lock = try FileLock.file(path, mode: mode)
        // The umask must not restrict the mode.
        AtomicFile.setMode(mode, owner: nil, of: lock.descriptor)
        return lock
    }

    /// Replaces a zip of zips by one of them: the open file is read while a new one with its name is written.
    func unpack(_ member: String) throws(TableFailure) {
        let outer = try ZipArchive(path: path)
        guard let index = outer.names.firstIndex(of: member) else {
            let zips = outer.names.filter { $0.lowercased().hasSuffix(".zip") }.prefix(8).joined(separator: ", ")
            throw TableFailure(
                kind: .noFile, file: member,
                detail: "is not in it; \(zips.isEmpty ? "it has no zips" : "it has \(zips)")")
        }
        let source = try outer.open(UInt64(index), member, limit: GTFSArchive.largest)
        do throws(FileAccessFailure) {
            try lock.withLock { lock throws(FileAccessFailure) in
                _ = unsafe unlink(path)
                lock = nil
                lock = try Self.lock(path, mode)
            }
        } catch {
            throw TableFailure(kind: .unopened, file: path, detail: "cannot be written (\(error))")
        }
        var buffer = [UInt8](repeating: 0, count: 65_536)
        while true {
            let count = try source.read(into: &buffer, 0..<buffer.count)
            do throws(ArchiveStoreFailure) {
                guard count > 0 else { return try sync() }
                try write(buffer.span.extracting(0..<count))
            } catch {
                throw TableFailure(kind: .unopened, file: path, detail: "cannot be written (\(error))")
            }
        }
    }

    func write(_ bytes: Span<UInt8>) throws(ArchiveStoreFailure) {
        let number = lock.withLock { writeAll(bytes, to: $0?.descriptor ?? -1) }
        guard number == 0 else { throw ArchiveStoreFailure(path, of: feed, code: number) }
    }

    /// Truncates the file, for a body that starts again.
    func restart() throws(ArchiveStoreFailure) {
        let isEmpty = lock.withLock { lock in
            let descriptor = lock?.descriptor ?? -1
            return ftruncate(descriptor, 0) == 0 && lseek(descriptor, 0, SEEK_SET) == 0
        }
        guard isEmpty else { throw ArchiveStoreFailure(path, of: feed) }
    }

    /// Flushes the file to disk, so that a power cut does not leave an empty file. The lock stays.
    func sync() throws(ArchiveStoreFailure) {
        guard lock.withLock({ fsync($0?.descriptor ?? -1) == 0 }) else { throw ArchiveStoreFailure(path, of: feed) }
    }

    /// Renames the file, replacing the target, and releases the lock.
    func move(to target: String) throws(ArchiveStoreFailure) {
        do throws(FileAccessFailure) {
            try lock.withLock { lock throws(FileAccessFailure) in
                guard lock != nil else { throw FileAccessFailure(errno: EBADF) }
                try AtomicFile.rename(path, to: target)
                lock = nil
            }
        } catch {
            throw ArchiveStoreFailure(target, of: feed, code: error.number)
        }
    }

    /// Removes the file and releases the lock. A second call does nothing: the name may belong to another download.
    func discard() {
        lock.withLock { lock in
            if lock != nil { _ = unsafe unlink(path) }
            lock = nil
        }
    }
}
