public import BoardCore
internal import BoardIO
internal import Glibc

/// The result of a file's check, and its repair.
public enum DirectoryRepair: Hashable, Sendable {
    case valid
    /// There is no file yet.
    case missing
    /// An older boardd wrote the file; it has been migrated.
    case migrated(from: Int, to: Int)
    /// The file was damaged and has been moved: the feed needs an update.
    case setAside(DirectoryFailure, path: String)
}

extension StopDirectory {
    /// Checks one feed's whole file (header, version, every page, every index), migrates an older boardd's, or moves a damaged
    /// one aside so that it is rebuilt. The daemon calls this at the start, and after a query found damage.
    ///
    /// - Returns: what was done, for the log.
    /// - Throws: ``DirectoryFailure``: `newer` (the file is unchanged), `busy`, `unwritable` and others.
    public func repair(_ feed: FeedName) throws(DirectoryFailure) -> DirectoryRepair {
        let lock = try DirectoryLock(feed, of: files)
        return try withExtendedLifetime(lock) { () throws(DirectoryFailure) in
            do throws(DirectoryFailure) {
                return try checkOrMigrate(feed)
            } catch {
                if error.kind == .missing { return .missing }
                guard error.isCorrupt else { throw error }
                return try moveAside(feed).map { .setAside(error, path: $0) } ?? .missing
            }
        }
    }

    private func checkOrMigrate(_ feed: FeedName) throws(DirectoryFailure) -> DirectoryRepair {
        let live = files.live(feed)
        do throws(DirectoryFailure) {
            // Opened first read-only: a foreign file, or a newer boardd's, must not be written.
            _ = try FeedDirectory(feed, file: live, schema: schema)
        } catch {
            guard case .older(let version, let supported) = error.kind else { throw error }
            try files.replace(feed) { fresh throws(SQLiteFailure) in
                try SQLiteConnection(live, .immutable).copy(to: fresh)
                let connection = try SQLiteConnection(fresh, .readWrite)
                try schema.migrate(connection, from: version)
                try DirectorySchema.check(connection)
            }
            return .migrated(from: version, to: supported)
        }
        try DirectoryFailure.reading(live) { () throws(SQLiteFailure) in
            try DirectorySchema.check(SQLiteConnection(live, .readWrite))
        }
        return .valid
    }

    /// Renames a feed's file to `stops-….sqlite.corrupt`, over an older one; returns the new path, nil when there was
    /// no file.
    private func moveAside(_ feed: FeedName) throws(DirectoryFailure) -> String? {
        let live = files.live(feed)
        do throws(FileAccessFailure) {
            try AtomicFile.rename(live, to: files.corrupt(feed), isDurable: true)
            return files.corrupt(feed)
        } catch {
            if error.number == ENOENT { return nil }
            throw .writing(error, file: live)
        }
    }
}
