public import BoardCore
internal import Glibc

/// What was found of one feed's file, and what was done about it.
public enum DirectoryRepair: Hashable, Sendable {
    /// It is sound.
    case sound
    /// There is none yet.
    case missing
    /// It was made by an older boardd and has been brought up to date.
    case migrated(from: Int, to: Int)
    /// It was damaged and now stands elsewhere: the feed needs an update.
    case setAside(DirectoryFailure, path: String)
}

extension StopDirectory {
    /// Looks at all of one feed's file: header, version, every page, every index. For somebody who may write to the
    /// folder: it opens the file as a writer would.
    ///
    /// - Throws: ``DirectoryFailure``: `missing`, `corrupt`, `newer`, `older` and others.
    public func check(_ feed: FeedName) throws(DirectoryFailure) {
        let path = files.live(feed)
        // First as a reader, who never writes: not into a file that is none of ours, nor into a newer boardd's.
        _ = try FeedDirectory(feed, file: path, schema: schema)
        let damage = try DirectoryFailure.reading(path) { () throws(SQLiteFailure) in
            try DirectorySchema.damage(in: SQLiteConnection(path, .readWrite))
        }
        if let damage { throw DirectoryFailure(.corrupt(damage), file: path) }
    }

    /// Renames one feed's file to `stops-….sqlite.corrupt`, over an older one.
    ///
    /// - Returns: where it is now; nil when there was none.
    /// - Throws: ``DirectoryFailure``; `busy` while the feed is being updated, which replaces the file anyway.
    @discardableResult
    public func setAside(_ feed: FeedName) throws(DirectoryFailure) -> String? {
        let lock = try DirectoryLock(files, building: files.building(feed))
        return try withExtendedLifetime(lock) { () throws(DirectoryFailure) in try moveAside(feed) }
    }

    /// Brings an older boardd's file up to date: a copy of it is changed and takes its place.
    ///
    /// - Returns: the versions that it came from and has now; nil when there was nothing to do.
    /// - Throws: ``DirectoryFailure``: `missing`, `corrupt`, `newer` (which is left alone), `busy`, `full` and others. The
    ///   file is as it was then.
    @discardableResult
    public func migrate(_ feed: FeedName) throws(DirectoryFailure) -> (from: Int, to: Int)? {
        let lock = try DirectoryLock(files, building: files.building(feed))
        return try withExtendedLifetime(lock) { () throws(DirectoryFailure) in try migrateLocked(feed) }
    }

    /// What the daemon does with a feed's file when it starts, and after a question found it damaged: checks it, brings
    /// it up to date, or moves it aside so that it is made anew.
    ///
    /// - Returns: what was done, to be said to people.
    /// - Throws: ``DirectoryFailure``: `newer` (the file is left alone), `busy`, `unwritable` and others.
    public func repair(_ feed: FeedName) throws(DirectoryFailure) -> DirectoryRepair {
        let lock = try DirectoryLock(files, building: files.building(feed))
        return try withExtendedLifetime(lock) { () throws(DirectoryFailure) in
            do throws(DirectoryFailure) {
                if let versions = try migrateLocked(feed) { return .migrated(from: versions.from, to: versions.to) }
                try check(feed)
                return .sound
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
            guard case .older(let version, let known) = error.kind else { throw error }
            try migrate(live, from: version, through: files.fresh(feed))
            return (version, known)
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
            try DirectoryWriting.swap(fresh, over: live, in: folder)
        } catch {
            for left in [fresh, fresh + "-journal"] { unsafe unlink(left) }
            throw error
        }
    }
}
