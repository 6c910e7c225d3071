import BoardCore
import BoardIO
import BoardService
import BoardStore
import Logging
import ServiceLifecycle
import Synchronization

/// Updates the stop directory: downloads each operator's list again a week after its last update, in parallel with the
/// board and without delaying it. A damaged file is moved aside and made again.
final class DirectoryService: Service, DirectoryUpdating {
    /// Returns the feeds with a stop list to download, given those with a stored one.
    typealias FeedSelection = @Sendable (Set<FeedName>) -> Set<FeedName>

    /// What the service stores about one feed's list.
    struct ListState: Sendable {
        var update = DirectoryState.Update.idle
        var schedule: DirectorySchedule
        /// Whether a failure is in the log and not resolved: one line when a fault begins, one when it ends.
        var isFailureLogged = false

        init(from now: Instant) {
            schedule = DirectorySchedule(from: now, share: Double.random(in: 0...1))
        }
    }

    /// The clock may change, and a query may find a file damaged, without an event.
    private static let maximumSleep = Duration.seconds(3_600)

    let directory: StopDirectory
    private let folder: String
    let clock: any MachineClock
    let log: RateLimitedLog
    let changed: @Sendable () -> Void
    let selectFeeds: FeedSelection
    private let source: LocalBoardService.CatalogueSource
    private let startDelay: Duration
    private let progressed: @Sendable (FeedName, DirectoryUpdate.Progress) -> Void
    let lists: Mutex<[FeedName: ListState]>
    private let requests = BufferedSignal()

    /// - Parameters:
    ///   - folder: its folder, which this process may write.
    ///   - source: makes the feeds' catalogues from the current configuration.
    ///   - changed: is called after a list was replaced, by any process.
    ///   - progressed: is called after every page, from any thread.
    ///   - startDelay: how long after the start the files are not read, unless an update is requested.
    init(
        _ directory: StopDirectory, folder: String, feeds selectFeeds: @escaping FeedSelection, clock: any MachineClock,
        log: RateLimitedLog,
        source: @escaping LocalBoardService.CatalogueSource, changed: @escaping @Sendable () -> Void,
        startDelay: Duration = DirectorySchedule.firstWait,
        progressed: @escaping @Sendable (FeedName, DirectoryUpdate.Progress) -> Void = { _, _ in }
    ) {
        self.directory = directory
        self.folder = folder
        self.clock = clock
        self.log = log
        self.changed = changed
        self.selectFeeds = selectFeeds
        self.source = source
        self.startDelay = startDelay
        self.progressed = progressed
        let now = clock.now()
        lists = Mutex(Dictionary(uniqueKeysWithValues: selectFeeds([]).map { ($0, ListState(from: now)) }))
    }

    var report: [FeedName: (update: DirectoryState.Update, next: Instant?)] {
        let now = clock.now()
        let reading = clock.reading()
        return lists.withLock { lists in
            lists.mapValues { list in
                (list.update, list.update.state == .running ? nil : list.schedule.next(at: now, reading))
            }
        }
    }

    func request(_ feed: FeedName?) {
        let now = clock.now()
        lists.withLock { lists in
            if let feed, lists[feed] == nil { lists[feed] = ListState(from: now) }
            for (name, list) in lists where list.update.state != .running && (feed ?? name) == name {
                let feed = name
                // A client that polls the state must not take the moment before the update begins for its end.
                lists[feed]?.update = .running(pages: 0, fraction: nil)
                lists[feed]?.schedule.requestNow()
            }
        }
        requests.send()
    }

    func run() async throws {
        await checkFiles(.quick)
        await cancelWhenGracefulShutdown {
            // The first frame and the first departures need the SD card; a full check reads all of a large file.
            await self.sleep(atMost: self.startDelay)
            guard !Task.isCancelled else { return }
            await self.checkFiles(.full)
            while !Task.isCancelled {
                await self.updateWhatIsDue()
                await self.sleep(atMost: Self.maximumSleep)
                await self.checkFiles(.ifDamaged)
            }
        }
        // Updates that were due no longer run.
        lists.withLock { lists in
            for (feed, list) in lists where list.update.state == .running { lists[feed]?.update = .idle }
        }
    }

    private func updateWhatIsDue() async {
        let now = clock.now()
        let reading = clock.reading()
        let due = lists.withLock { lists in
            lists.filter { $0.value.schedule.next(at: now, reading) <= now }.keys
                .sorted { $0.description < $1.description }
        }
        for feed in due where !Task.isCancelled { await update(feed) }
    }

    private func update(_ feed: FeedName) async {
        let catalogue: any StopCatalogue
        lists.withLock { $0[feed]?.schedule.begin() }
        do {
            guard let made = try source(feed) else {
                _ = lists.withLock { $0.removeValue(forKey: feed) }
                return
            }
            catalogue = made
        } catch {
            return stopped(feed, by: .failure, ServiceError(.failed, "\(error)"))
        }
        set(feed, .running(pages: 0, fraction: nil))
        do {
            try await DirectoryUpdate(feed: feed, catalogue: catalogue, folder: folder, clock: clock).run { progress in
                self.set(feed, .running(pages: progress.pages, fraction: progress.fraction))
                self.progressed(feed, progress)
            }
            await updated(feed)
        } catch is CancellationError {
            set(feed, .idle)
        } catch let failure as StoreError {
            stopped(feed, by: failure.kind == .busy ? .busy : .failure, ServiceError(failure))
        } catch let failure as FeedError {
            stopped(feed, by: failure.retryReason(clock.reading()), ServiceError(failure))
        } catch {
            stopped(feed, by: .failure, ServiceError(.failed, "\(error)"))
        }
    }

    private func updated(_ feed: FeedName) async {
        let directory = directory
        let editions = try? await DedicatedThread.run("directory") { directory.editions().found }
        let edition = editions?.first { $0.feed == feed }
        let now = clock.now()
        let wasFailureLogged = lists.withLock { lists in
            let before = lists[feed]?.isFailureLogged ?? false
            lists[feed]?.update = .idle
            lists[feed]?.isFailureLogged = false
            lists[feed]?.schedule.succeeded(at: now, completed: edition?.completed ?? clock.reading().wall)
            return before
        }
        let amount = edition.map { ": \($0.stops) stops, \($0.lines) lines" } ?? ""
        let sentence = "stop list of \(feed) updated\(amount)"
        if wasFailureLogged { log.log(.notice, sentence) } else { log.debug(sentence) }
        changed()
    }

    /// Records a failed update, and logs it unless that was done already.
    func stopped(_ feed: FeedName, by retryReason: DirectorySchedule.RetryReason, _ error: ServiceError) {
        let now = clock.now()
        // The board itself shows a missing network or time; another process is updating a busy list.
        let (isNew, hasOld) = lists.withLock { lists in
            let list = lists[feed]
            lists[feed]?.update = .failed(error)
            lists[feed]?.schedule.stopped(at: now, by: retryReason)
            guard retryReason == .failure, let list, !list.isFailureLogged else { return (false, false) }
            lists[feed]?.isFailureLogged = true
            return (true, list.schedule.completed != nil)
        }
        guard isNew else { return }
        let rest = hasOld ? "Keeping the old list. Retrying." : "Retrying."
        log.log(.warning, "stop list of \(feed): update failed: \(error). \(rest)")
    }

    private func set(_ feed: FeedName, _ update: DirectoryState.Update) {
        lists.withLock { $0[feed]?.update = update }
    }

    /// Sleeps until a list is due, or an update is requested.
    private func sleep(atMost longest: Duration) async {
        // A stream ends for good with the task that read it; requests in between are buffered for the next one.
        let incoming = requests.signals()
        let now = clock.now()
        let reading = clock.reading()
        let next = lists.withLock { $0.values.map { $0.schedule.next(at: now, reading) }.min() }
        let wait = min(max((next ?? now + longest) - now, .zero), longest)
        _ = await clock.first(of: incoming, within: wait)
    }
}

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

    /// Checks the files: moves a damaged one aside and migrates one of an older version. A file that another process
    /// replaced is reported like an update by this one.
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

    /// Adds the feeds that are used now, and drops those that are no longer used.
    private func choose() async {
        let directory = directory
        // Without a thread or a readable folder, it is done the next time.
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
        do throws(StoreError) {
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
