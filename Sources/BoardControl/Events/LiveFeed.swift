import BoardCore
package import BoardService

/// The board for all its viewers: its state is read once a change, and compared with the one before.
///
/// A state has a version. A viewer that has the one before gets what changed; any other gets the whole state.
package actor LiveFeed {
    /// The maximum number of changes that are read in any ``window``. A limit on single events would delay the display
    /// after a response that changes several stops.
    static let maximumReadings = 4
    static let window = Duration.seconds(1)

    nonisolated let board: any RunningBoard
    private var state: LiveState?
    private var readAt = Instant(microseconds: 0)
    /// It begins at random, so that no version is one of the daemon before a restart.
    private var version = UInt64.random(in: 0..<1 << 40)
    /// The events that lead to the state from the version before.
    private var changes = ""
    /// When the last versions came.
    private var times: [Instant] = []
    /// The numbers of the newest change that a viewer knows, and of the newest that the state has.
    private var (known, read) = (UInt64(0), UInt64(0))
    private var isReading = false
    private var waiting: [CheckedContinuation<Void, Never>] = []

    package init(_ board: any RunningBoard) { self.board = board }

    /// The board now, and the version of that.
    func now() async throws(ServiceError) -> (state: LiveState, version: UInt64) {
        (try await readBoard(for: nil), version)
    }

    /// The events that lead a viewer to the newest version; none if it has that. Nil: the board or the task has ended.
    ///
    /// - Parameters:
    ///   - last: the version that the viewer has; nil: none.
    ///   - change: the number of the change that woke it; nil: it has come only now.
    func events(after last: UInt64?, change: UInt64?) async -> (text: String, version: UInt64)? {
        if let change, change > read, times.count == Self.maximumReadings {
            await board.clock.sleep(until: times[0] + Self.window)
        }
        guard !Task.isCancelled, var state = try? await readBoard(for: change) else { return nil }
        if last == version { return ("", version) }
        // The time in an event is that of its reading.
        let isOld = board.clock.now() - readAt >= Self.window
        if let last, last + 1 == version, !isOld { return (changes, version) }
        if isOld {
            guard let new = try? await readBoard(for: nil) else { return nil }
            state = new
        }
        let (whole, current) = (state, version)
        return (await Self.onPool { whole.event }, current)
    }

    /// Reads the board, unless the state has this change already; one reading after the other, for the newest must be
    /// the last.
    private func readBoard(for change: UInt64?) async throws(ServiceError) -> LiveState {
        known = max(known, change ?? 0)
        while isReading { await withCheckedContinuation { waiting.append($0) } }
        if let change, let state, change <= read { return state }
        isReading = true
        defer {
            isReading = false
            for waiter in waiting { waiter.resume() }
            waiting = []
        }
        let (newest, last) = (known, state)
        let (new, events) = try await Self.onPool { [board] () throws(ServiceError) in
            let new = try await board.live()
            return (new, last?.events(to: new) ?? new.event)
        }
        (state, read, readAt) = (new, newest, board.clock.now())
        if !events.isEmpty {
            (changes, version) = (events, version + 1)
            times = (times + [readAt]).suffix(Self.maximumReadings)
        }
        return new
    }

    /// Runs what takes long on Swift's pool: the tasks of the viewers are on the server's event loop.
    @concurrent
    private static func onPool<Value: Sendable, Failure>(
        _ body: @Sendable () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try await withTaskExecutorPreference(globalConcurrentExecutor, operation: body)
    }
}
