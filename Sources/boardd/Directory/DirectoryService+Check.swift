internal import BoardCore
internal import BoardIO
internal import BoardService
internal import BoardStore
internal import Logging
internal import Synchronization

// Checks of the stored files; the service itself updates them.
extension DirectoryService {
    /// How thoroughly the files are checked.
    enum CheckDepth {
        /// At the start: their first pages.
        case quick
        /// Everything.
        case full
        /// Everything if a query found a file damaged.
        case ifDamaged
    }

    /// Checks the files: moves a damaged one aside and migrates one of an older version. A file that another process replaced is
    /// reported like an update of this one.
    func checkFiles(_ depth: CheckDepth) async {
        await choose()
        let directory = directory
        let feeds = lists.withLock { Array($0.keys) }
        // Without a thread the check waits for the next time.
        let found = try? await DedicatedThread.run("directory") { () -> (DirectoryResult<DirectoryEdition>, Bool) in
            let before = directory.editions()
            guard depth == .full || depth == .ifDamaged && before.failures.contains(where: \.isCorrupt) else {
                return (before, false)
            }
            var isRepaired = false
            for feed in feeds where self.repair(feed) { isRepaired = true }
            return (directory.editions(), isRepaired)
        }
        guard let (result, isRepaired) = found else { return }
        let now = clock.now()
        let isChanged = lists.withLock { lists in
            var isChanged = false
            for (feed, list) in lists {
                let completed = result.found.first { $0.feed == feed }?.completed
                // A file that is temporarily unreadable is not gone.
                guard completed != list.schedule.completed, completed != nil || result.failures.isEmpty else {
                    continue
                }
                isChanged = true
                if depth == .quick {
                    lists[feed]?.schedule.completed = completed
                } else if let completed {
                    lists[feed]?.schedule.succeeded(at: now, completed: completed)
                    if list.update.state == .failed { lists[feed]?.update = .idle }
                } else {
                    lists[feed]?.schedule.removed(at: now)
                }
            }
            return isChanged
        }
        // The board started before that, and may not have been able to read what was repaired.
        if isRepaired || isChanged && depth != .quick { changed() }
    }

    /// Adds the feeds that are used now, and drops those that are not used any more.
    private func choose() async {
        let directory = directory
        // Without a thread, or an unreadable folder, the next time.
        guard let stored = try? await DedicatedThread.run("directory", { try? directory.feeds() }) else { return }
        let wanted = selectFeeds(Set(stored))
        let now = clock.now()
        lists.withLock { lists in
            for feed in wanted where lists[feed] == nil { lists[feed] = ListState(from: now) }
            lists = lists.filter { wanted.contains($0.key) || $0.value.update.state == .running }
        }
    }

    /// - Returns: whether the file was replaced or removed.
    private func repair(_ feed: FeedName) -> Bool {
        do throws(DirectoryFailure) {
            switch try directory.repair(feed) {
            case .valid, .missing: return false
            case .migrated(let old, let new):
                log.log(.notice, "stop list of \(feed) migrated from version \(old) to \(new)")
            case .setAside(let failure, let path):
                log.log(.warning, "\(failure). The damaged file is now \(path).")
            }
            return true
        } catch {
            // A file that is being updated stays intact.
            guard error.kind != .busy else { return false }
            stopped(feed, by: .failure, ServiceError(error))
            return false
        }
    }
}
