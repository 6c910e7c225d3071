internal import BoardCore
internal import BoardStore
internal import BoardThreads
internal import Logging
internal import ServiceLifecycle
internal import Synchronization

/// Keeps the stop directory: a week after each operator's list was taken, it is taken again, in parallel with the board
/// and never in its way.
final class DirectoryService: Service {
    /// Makes the catalogue of a feed, with a transport of its own; nil: the feed has no list.
    typealias Source = @Sendable (FeedName) throws -> (any StopCatalogue)?

    /// How it stands with one feed's list.
    struct State: Hashable, Sendable {
        /// What is being done.
        enum Work: Hashable, Sendable {
            case idle
            case running(DirectoryUpdate.Progress)
            /// The last update failed, with this sentence.
            case failed(String)
        }

        var work = Work.idle
        /// When the next update begins; nil: while one is under way.
        var next: Instant?
        /// Updates that failed, one after the other.
        var failures = 0
    }

    /// How old a list may become.
    static let life = Duration.seconds(7 * 86_400)
    /// Not all boards of a city ask in the same minute.
    private static let jitter = Duration.seconds(86_400)
    /// The first departures come first.
    private static let firstWait = Duration.seconds(20)
    /// How long to wait after the first failure; doubled after each more.
    private static let retry = Duration.seconds(600)
    private static let longestRetry = Duration.seconds(86_400)
    /// The wall clock may be put right while nobody looks.
    private static let longestSleep = Duration.seconds(6 * 3_600)

    private let directory: StopDirectory
    private let folder: String
    private let clock: any MachineClock
    private let voice: FaultVoice
    private let changed: @Sendable () -> Void
    private let source: Source
    private let states: Mutex<[FeedName: State]>
    private let requests = Relay<Void>(keeping: 1)

    /// - Parameters:
    ///   - directory: what is kept, for those who read.
    ///   - folder: its folder, which this process may write.
    ///   - feeds: the feeds that may have lists.
    ///   - source: makes their catalogues, of the configuration that holds then.
    ///   - changed: is told when a list was replaced.
    init(
        _ directory: StopDirectory, folder: String, feeds: [FeedName], clock: any MachineClock, voice: FaultVoice,
        source: @escaping Source, changed: @escaping @Sendable () -> Void
    ) {
        self.directory = directory
        self.folder = folder
        self.clock = clock
        self.voice = voice
        self.changed = changed
        self.source = source
        states = Mutex(Dictionary(uniqueKeysWithValues: feeds.map { ($0, State()) }))
    }

    /// How it stands with every list.
    var report: [FeedName: State] { states.withLock { $0 } }

    /// Asks for an update of every list now, from any thread.
    func request() {
        let now = clock.now()
        states.withLock { states in
            for (feed, state) in states where !state.work.isRunning { states[feed]?.next = now }
        }
        requests.send(())
    }

    func run() async throws {
        try await DedicatedThread.run("directory") { self.inspect() }
        plan()
        await cancelWhenGracefulShutdown {
            while !Task.isCancelled {
                await self.updateWhatIsDue()
                await self.sleep()
            }
        }
    }

    /// Looks at what is there: a damaged file is moved aside, one of an older version is brought up to date.
    private func inspect() {
        for feed in states.withLock({ Array($0.keys) }) {
            do throws(DirectoryFailure) {
                switch try directory.repair(feed) {
                case .sound, .missing: break
                case .migrated(let old, let new):
                    voice.say(.notice, "the list of \(feed)'s stops was brought from version \(old) to \(new)")
                case .setAside(let failure, let path):
                    voice.say(.warning, "\(failure). The damaged file is now \(path).")
                }
            } catch {
                voice.say(.warning, "\(error)")
            }
        }
    }

    /// Sets when each list is due.
    private func plan() {
        let now = clock.now()
        let wall = clock.reading().wall
        let editions = directory.editions().found
        states.withLock { states in
            for (feed, state) in states where state.next == nil {
                guard let edition = editions.first(where: { $0.feed == feed }) else {
                    states[feed]?.next = now + Self.firstWait
                    continue
                }
                let age = wall - edition.completed
                let jitter = Duration.microseconds(Int64.random(in: 0...Self.jitter.wholeMicroseconds))
                states[feed]?.next = now + max(Self.firstWait, Self.life + jitter - age)
            }
        }
    }

    private func updateWhatIsDue() async {
        let now = clock.now()
        let due = states.withLock { states in
            states.filter { $0.value.next.map { $0 <= now } ?? false }.keys.sorted { $0.description < $1.description }
        }
        for feed in due where !Task.isCancelled { await update(feed) }
    }

    private func update(_ feed: FeedName) async {
        let catalogue: any StopCatalogue
        do {
            guard let made = try source(feed) else {
                _ = states.withLock { $0.removeValue(forKey: feed) }
                return
            }
            catalogue = made
        } catch {
            return failed(feed, "\(error)")
        }
        set(feed) {
            $0.work = .running(.init(pages: 0, fraction: nil)); $0.next = nil
        }
        do {
            try await DirectoryUpdate(feed: feed, catalogue: catalogue, folder: folder, clock: clock).run { progress in
                self.set(feed) { $0.work = .running(progress) }
            }
            set(feed) { $0 = State() }
            plan()
            changed()
        } catch is CancellationError {
            set(feed) { $0.work = .idle }
        } catch {
            failed(feed, (error as? FeedFailure)?.detail ?? "\(error)")
        }
    }

    private func failed(_ feed: FeedName, _ sentence: String) {
        let isFirst = states.withLock { states in
            var state = states[feed] ?? State()
            state.work = .failed(sentence)
            let wait = min(Self.retry * (1 << min(state.failures, 10)), Self.longestRetry)
            state.next = clock.now() + wait
            state.failures += 1
            states[feed] = state
            return state.failures == 1
        }
        if isFirst {
            voice.say(.warning, "the list of \(feed)'s stops: \(sentence). The old list stays; it is tried again.")
        }
    }

    private func set(_ feed: FeedName, _ change: (inout State) -> Void) {
        states.withLock { states in
            guard var state = states[feed] else { return }
            change(&state)
            states[feed] = state
        }
    }

    /// Sleeps until a list is due, or somebody asks.
    private func sleep() async {
        // A stream ends for good with the task that read it; what was asked in between is kept for the next one.
        let asked = requests.elements()
        let now = clock.now()
        let next = states.withLock { $0.values.compactMap(\.next).min() }
        let wait = min(max((next ?? now + Self.longestSleep) - now, .zero), Self.longestSleep)
        await withTaskGroup(of: Void.self) { group in
            group.addTask { try? await Task.sleep(for: wait) }
            group.addTask { for await _ in asked { return } }
            await group.next()
            group.cancelAll()
        }
    }
}

extension DirectoryService.State.Work {
    fileprivate var isRunning: Bool {
        if case .running = self { true } else { false }
    }
}
