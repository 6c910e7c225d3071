public import BoardCore
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
    /// Checks one feed's whole file: header, version, every page, every index. Needs write access to the folder, since it
    /// opens the file for writing.
    ///
    /// - Throws: ``DirectoryFailure``: `missing`, `corrupt`, `newer`, `older` and others.
    public func check(_ feed: FeedName) throws(DirectoryFailure) {
        let path = files.live(feed)
        // First read-only: a foreign file, or a newer boardd's, must not be written.
        _ = try FeedDirectory(feed, file: path, schema: schema)
        let damage = try DirectoryFailure.reading(path) { () throws(SQLiteFailure) in
            try DirectorySchema.damage(in: SQLiteConnection(path, .readWrite))
        }
        if let damage { throw DirectoryFailure(.corrupt(damage), file: path) }
    }

    /// Renames one feed's file to `stops-….sqlite.corrupt`, over an older one.
    ///
    /// - Returns: the new path; nil when there was no file.
    /// - Throws: ``DirectoryFailure``; `busy` while the feed is being updated, which replaces the file anyway.
    @discardableResult
    public func setAside(_ feed: FeedName) throws(DirectoryFailure) -> String? {
        let lock = try DirectoryLock(files, building: files.building(feed))
        return try withExtendedLifetime(lock) { () throws(DirectoryFailure) in try moveAside(feed) }
    }

    /// Migrates an older boardd's file: a copy is migrated and replaces it.
    ///
    /// - Returns: the old and the new version; nil when there was nothing to do.
    /// - Throws: ``DirectoryFailure``: `missing`, `corrupt`, `newer` (the file is unchanged), `busy`, `full` and others.
    @discardableResult
    public func migrate(_ feed: FeedName) throws(DirectoryFailure) -> (from: Int, to: Int)? {
        let lock = try DirectoryLock(files, building: files.building(feed))
        return try withExtendedLifetime(lock) { () throws(DirectoryFailure) in try migrateLocked(feed) }
    }

    /// Checks a feed's file, migrates it, or moves a damaged one aside so that it is rebuilt. The daemon calls this at the
    /// start, and after a query found damage.
    ///
    /// - Returns: what was done, for the log.
    /// - Throws: ``DirectoryFailure``: `newer` (the file is unchanged), `busy`, `unwritable` and others.
    public func repair(_ feed: FeedName) throws(DirectoryFailure) -> DirectoryRepair {
        let lock = try DirectoryLock(files, building: files.building(feed))
        return try withExtendedLifetime(lock) { () throws(DirectoryFailure) in
            do throws(DirectoryFailure) {
                if let versions = try migrateLocked(feed) { return .migrated(from: versions.from, to: versions.to) }
                try check(feed)
                return .valid
            } catch {
                if error.kind == .missing { return .missing }
                guard error.isCorrupt else { throw error }
                guard let path = try moveAside(feed) else { return .missing }
                return .setAside(error, path: path)
            }
        }
    }

    private func moveAside(_ feed: FeedName) throws(DirectoryFailure) -> String? {
        let live = files.live(feed)
        let aside = files.corrupt(feed)
        guard unsafe rename(live, aside) == 0 else {
            if errno == ENOENT { return nil }
            throw .writing(errno: errno, file: live)
        }
        try DirectoryWriting.synchronise(folder)
        return aside
    }

    private func migrateLocked(_ feed: FeedName) throws(DirectoryFailure) -> (from: Int, to: Int)? {
        let live = files.live(feed)
        do throws(DirectoryFailure) {
            _ = try FeedDirectory(feed, file: live, schema: schema)
            return nil
        } catch {
            guard case .older(let version, let supported) = error.kind else { throw error }
            try migrate(live, from: version, through: files.fresh(feed))
            return (version, supported)
        }
    }

    private func migrate(_ live: String, from version: Int, through fresh: String) throws(DirectoryFailure) {
        do throws(DirectoryFailure) {
            try DirectoryWriting.copy(live, to: fresh, in: folder)
            let damage = try DirectoryFailure.writing(fresh) { () throws(SQLiteFailure) in
                let connection = try SQLiteConnection(fresh, .readWrite)
                try schema.migrate(connection, from: version)
                return try DirectorySchema.damage(in: connection)
            }
            if let damage { throw DirectoryFailure(.corrupt(damage), file: live) }
            try DirectoryWriting.replace(live, with: fresh, in: folder)
        } catch {
            for leftover in [fresh, fresh + "-journal"] { unsafe unlink(leftover) }
            throw error
        }
    }
}
