internal import BoardCore
internal import BoardStore
internal import BoardThreads
internal import Logging
internal import Synchronization

// Looking at what is there; taking it anew is the service itself.
extension DirectoryService {
    /// How closely the files are looked at.
    enum CheckDepth {
        /// At the start: at what is told by the files' first pages.
        case quick
        /// At everything.
        case whole
        /// At everything if a question found a file damaged.
        case needed
    }

    /// Looks at the files: a damaged one is moved aside, one of an older version is brought up to date. What another
    /// process replaced is told as if it had been done here.
    func look(_ look: CheckDepth) async {
        await choose()
        let directory = directory
        let feeds = lists.withLock { Array($0.keys) }
        // Without a thread nothing can be looked at now: the next time will do.
        let found = try? await DedicatedThread.run("directory") { () -> (DirectoryResult<DirectoryEdition>, Bool) in
            let before = directory.editions()
            guard look == .whole || look == .needed && before.failures.contains(where: \.isCorrupt) else {
                return (before, false)
            }
            var isRepaired = false
            for feed in feeds where self.repair(feed) { isRepaired = true }
            return (directory.editions(), isRepaired)
        }
        guard let (answer, isRepaired) = found else { return }
        let now = clock.now()
        let isChanged = lists.withLock { lists in
            var isChanged = false
            for (feed, list) in lists {
                let completed = answer.found.first { $0.feed == feed }?.completed
                // A file that cannot be read at this moment is not gone.
                guard completed != list.schedule.completed, completed != nil || answer.failures.isEmpty else {
                    continue
                }
                isChanged = true
                if look == .quick {
                    lists[feed]?.schedule.completed = completed
                } else if let completed {
                    lists[feed]?.schedule.succeeded(at: now, completed: completed)
                    if case .failed = list.update { lists[feed]?.update = .idle }
                } else {
                    lists[feed]?.schedule.removed(at: now)
                }
            }
            return isChanged
        }
        // The board began before that, and may not have been able to read what was repaired.
        if isRepaired || isChanged && look != .quick { changed() }
    }

    /// Takes up the feeds that a person came to use, and lets go of those that nobody uses any more.
    private func choose() async {
        let directory = directory
        // What cannot be told now is told the next time.
        guard let kept = try? await DedicatedThread.run("directory", { try? directory.feeds() }) else { return }
        let wanted = choice(Set(kept))
        let now = clock.now()
        lists.withLock { lists in
            for feed in wanted where lists[feed] == nil { lists[feed] = List(from: now) }
            lists = lists.filter { wanted.contains($0.key) || $0.value.update.isRunning }
        }
    }

    /// - Returns: whether another file, or none, is there now.
    private func repair(_ feed: FeedName) -> Bool {
        do throws(DirectoryFailure) {
            switch try directory.repair(feed) {
            case .valid, .missing: return false
            case .migrated(let old, let new):
                log.log(.notice, "the list of \(feed)'s stops was brought from version \(old) to \(new)")
            case .setAside(let failure, let path):
                log.log(.warning, "\(failure). The damaged file is now \(path).")
            }
            return true
        } catch {
            // Who updates it now leaves it whole.
            guard error.kind != .busy else { return false }
            stopped(feed, by: .failure, "\(error)")
            return false
        }
    }
}
