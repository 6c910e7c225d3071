internal import BoardCore
internal import BoardStore
internal import BoardThreads
internal import Logging
internal import ServiceLifecycle
internal import Synchronization

/// Keeps the stop directory: a week after each operator's list was taken, it is taken again, in parallel with the board
/// and never in its way. A damaged file is moved aside and made anew.
final class DirectoryService: Service {
    /// Makes the catalogue of a feed, with a transport of its own; nil: the feed has no list.
    typealias Source = @Sendable (FeedName) throws -> (any StopCatalogue)?

    /// Says of which feeds a list is kept, given those of which there is one.
    typealias FeedSelection = @Sendable (Set<FeedName>) -> Set<FeedName>

    /// How it stands with one feed's list.
    struct State: Hashable, Sendable {
        /// What is being done.
        enum Update: Hashable, Sendable {
            case idle
            /// It is under way, or next in turn.
            case running(DirectoryUpdate.Progress)
            /// The last update failed, with this sentence.
            case failed(String)
        }

        var update = Update.idle
        /// When the next update begins; nil: while one is under way.
        var next: Instant?
    }

    /// What is remembered of one feed's list.
    struct List: Sendable {
        var update = State.Update.idle
        var schedule: DirectorySchedule
        /// What was said of it in the log and has not been taken back: one sentence when a fault begins, one when it ends.
        var isFailureLogged = false

        init(from now: Instant) {
            schedule = DirectorySchedule(from: now, share: Double.random(in: 0...1))
        }
    }

    /// The wall clock may be put right, and a question may find a file damaged, while nobody looks.
    private static let longestSleep = Duration.seconds(3_600)

    let directory: StopDirectory
    private let folder: String
    let clock: any MachineClock
    let log: RateLimitedLog
    let changed: @Sendable () -> Void
    let choice: FeedSelection
    private let source: Source
    private let startDelay: Duration
    let lists: Mutex<[FeedName: List]>
    private let requests = BufferedStream<Void>(keeping: 1)

    /// - Parameters:
    ///   - directory: what is kept, for those who read.
    ///   - folder: its folder, which this process may write.
    ///   - feeds: says of which feeds a list is kept, by the configuration that holds then.
    ///   - source: makes their catalogues, of the configuration that holds then.
    ///   - changed: is told when a list was replaced, by whomever.
    ///   - calm: how long after the start the files are left alone, unless somebody asks.
    init(
        _ directory: StopDirectory, folder: String, feeds choice: @escaping FeedSelection, clock: any MachineClock,
        log: RateLimitedLog,
        source: @escaping Source, changed: @escaping @Sendable () -> Void,
        startDelay: Duration = DirectorySchedule.firstWait
    ) {
        self.directory = directory
        self.folder = folder
        self.clock = clock
        self.log = log
        self.changed = changed
        self.choice = choice
        self.source = source
        self.startDelay = startDelay
        let now = clock.now()
        lists = Mutex(Dictionary(uniqueKeysWithValues: choice([]).map { ($0, List(from: now)) }))
    }

    /// How it stands with every list.
    var report: [FeedName: State] {
        let now = clock.now()
        let reading = clock.reading()
        return lists.withLock { lists in
            lists.mapValues { list in
                State(update: list.update, next: list.update.isRunning ? nil : list.schedule.next(at: now, reading))
            }
        }
    }

    /// Asks for an update now, from any thread; one that is under way goes on.
    ///
    /// - Parameter feed: whose list, which may be one that was never taken; nil: every list that is kept.
    func request(_ feed: FeedName? = nil) {
        let now = clock.now()
        lists.withLock { lists in
            if let feed, lists[feed] == nil { lists[feed] = List(from: now) }
            for (name, list) in lists where !list.update.isRunning && (feed ?? name) == name {
                let feed = name
                // Whoever asks and then looks must not take the moment before it begins for its end.
                lists[feed]?.update = .running(.init(pages: 0, fraction: nil))
                lists[feed]?.schedule.requestNow()
            }
        }
        requests.send(())
    }

    func run() async throws {
        await look(.quick)
        await cancelWhenGracefulShutdown {
            // The first frame and the first departures want the SD card; a whole check reads all of a large file.
            await self.sleep(atMost: self.startDelay)
            guard !Task.isCancelled else { return }
            await self.look(.whole)
            while !Task.isCancelled {
                await self.updateWhatIsDue()
                await self.sleep(atMost: Self.longestSleep)
                await self.look(.needed)
            }
        }
        // Whatever was in turn is not any more.
        lists.withLock { lists in
            for (feed, list) in lists where list.update.isRunning { lists[feed]?.update = .idle }
        }
    }
}

// MARK: - Updating

extension DirectoryService {
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
            return stopped(feed, by: .failure, "\(error)")
        }
        set(feed, .running(.init(pages: 0, fraction: nil)))
        do {
            try await DirectoryUpdate(feed: feed, catalogue: catalogue, folder: folder, clock: clock).run { progress in
                self.set(feed, .running(progress))
            }
            await updated(feed)
        } catch is CancellationError {
            set(feed, .idle)
        } catch let failure as DirectoryFailure {
            stopped(feed, by: failure.kind == .busy ? .busy : .failure, "\(failure)")
        } catch let failure as FeedFailure {
            stopped(feed, by: failure.retryReason(clock.reading()), failure.detail)
        } catch {
            stopped(feed, by: .failure, "\(error)")
        }
    }

    private func updated(_ feed: FeedName) async {
        let directory = directory
        let editions = try? await DedicatedThread.run("directory") { directory.editions().found }
        let edition = editions?.first { $0.feed == feed }
        let now = clock.now()
        let wasComplainedOf = lists.withLock { lists in
            let before = lists[feed]?.isFailureLogged ?? false
            lists[feed]?.update = .idle
            lists[feed]?.isFailureLogged = false
            lists[feed]?.schedule.succeeded(at: now, completed: edition?.completed ?? clock.reading().wall)
            return before
        }
        let amount = edition.map { ": \($0.stops) stops, \($0.lines) lines" } ?? ""
        let sentence = "the list of \(feed)'s stops was taken anew\(amount)"
        if wasComplainedOf { log.log(.notice, sentence) } else { log.debug(sentence) }
        changed()
    }

    /// Notes that a list could not be taken or kept, and says so where nobody has yet.
    func stopped(_ feed: FeedName, by retryReason: DirectorySchedule.RetryReason, _ sentence: String) {
        let now = clock.now()
        // That there is no network or no time says the board itself; who updates it now will have done so.
        let (isNew, hasOld) = lists.withLock { lists in
            let list = lists[feed]
            lists[feed]?.update = .failed(sentence)
            lists[feed]?.schedule.stopped(at: now, by: retryReason)
            guard retryReason == .failure, let list, !list.isFailureLogged else { return (false, false) }
            lists[feed]?.isFailureLogged = true
            return (true, list.schedule.completed != nil)
        }
        guard isNew else { return }
        let rest = hasOld ? "The old list stays, and the new one is tried again." : "It is tried again."
        log.log(.warning, "the list of \(feed)'s stops: \(sentence). \(rest)")
    }

    private func set(_ feed: FeedName, _ update: State.Update) {
        lists.withLock { $0[feed]?.update = update }
    }

    /// Sleeps until a list is due, or somebody asks.
    private func sleep(atMost longest: Duration) async {
        // A stream ends for good with the task that read it; what was asked in between is kept for the next one.
        let asked = requests.elements()
        let now = clock.now()
        let reading = clock.reading()
        let next = lists.withLock { $0.values.map { $0.schedule.next(at: now, reading) }.min() }
        let wait = min(max((next ?? now + longest) - now, .zero), longest)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await Task.sleep(for: wait) }
            group.addTask { for await _ in asked { return } }
            await group.next()
            group.cancelAll()
        }
    }
}

extension DirectoryService.State.Update {
    var isRunning: Bool {
        if case .running = self { true } else { false }
    }
}
