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

    private let board: any RunningBoard
    /// The newest state; nil once the last viewer has left, for it may be hundreds of kilobytes.
    private var state: LiveState?
    private var readAt = Instant(microseconds: 0)
    /// It begins at random, so that no version is one of the daemon before a restart.
    private var version = UInt64.random(in: 0..<1 << 40)
    /// The events that lead to the state from the version before.
    private var changes = ""
    private var signals: [Int: AsyncStream<Void>.Continuation] = [:]
    private var lastViewer = 0
    private var watching: Task<Void, Never>?
    private var reading: Task<Bool, Never>?

    package init(_ board: any RunningBoard) { self.board = board }

    /// The board now, and the version of that.
    func now() async throws(ServiceError) -> (state: LiveState, version: UInt64) {
        guard await read(), let state else { throw ServiceError(.unavailable, "boardd is shutting down") }
        return (state, version)
    }

    /// A signal after each version, until the board ends.
    func join() -> AsyncStream<Void> {
        let (stream, signal) = AsyncStream.makeStream(of: Void.self, bufferingPolicy: .bufferingNewest(1))
        lastViewer += 1
        let number = lastViewer
        signals[number] = signal
        signal.onTermination = { _ in Task { await self.leave(number) } }
        if watching == nil {
            let changes = board.changes()
            watching = Task { await watch(changes) }
        }
        return stream
    }

    private func leave(_ number: Int) {
        signals[number] = nil
        guard signals.isEmpty else { return }
        watching?.cancel()
        (watching, state) = (nil, nil)
    }

    private func watch(_ changes: AsyncStream<Void>) async {
        var times: [Instant] = []
        for await _ in changes {
            if times.count == Self.maximumReadings { await board.clock.sleep(until: times[0] + Self.window) }
            let before = version
            guard !Task.isCancelled, await read() else { break }
            if version != before { times = (times + [readAt]).suffix(Self.maximumReadings) }
        }
        if !Task.isCancelled { for signal in signals.values { signal.finish() } }
    }

    /// Reads the board, after those that read it already: the newest state must be the last. False: it has ended.
    private func read() async -> Bool {
        let before = reading
        let task = Task {
            _ = await before?.value
            guard let new = try? await board.live() else { return false }
            let events = state?.events(to: new) ?? new.event
            (state, readAt) = (new, board.clock.now())
            if events.isEmpty { return true }
            changes = events
            version += 1
            for signal in signals.values { signal.yield() }
            return true
        }
        reading = task
        return await task.value
    }

    /// The events that lead a viewer to the newest version; none if it has that. Nil: the board has ended.
    ///
    /// - Parameters:
    ///   - last: the version that the viewer has; nil: none.
    ///   - isFirst: whether it has joined only now: nobody may have read the board for long.
    func events(after last: UInt64?, isFirst: Bool) async -> (text: String, version: UInt64)? {
        if isFirst, await !read() { return nil }
        if last == version { return ("", version) }
        // The time in an event is that of its reading.
        let isOld = board.clock.now() - readAt >= Self.window
        if let last, last + 1 == version, !isOld { return (changes, version) }
        if isOld, await !read() { return nil }
        return state.map { ($0.event, version) }
    }
}
