internal import BoardCore
internal import BoardThreads
internal import Synchronization

/// What a city says about now: the messages of all its addresses, asked for once for all stops, laid over the timetable.
actor RealtimeClient {
    /// A message with what came around it.
    fileprivate struct ReceivedMessage {
        let message: RealtimeMessage
        /// The operator's clock when it answered (HTTP `Date`); nil when it did not say.
        let date: Timestamp?
        /// This machine's clock when it had come.
        let received: Timestamp
    }

    /// What is known, and what it cost.
    struct State: Sendable {
        let board: RealtimeOverlay
        /// What time it is: the operator's word counts where this machine's clock is unsure.
        let now: Timestamp
        /// When the newest message about trips was made that is too old to be believed, where none is believed; nil: one is,
        /// or there is none at all.
        let frozenSince: Timestamp?
        /// Requests that this question caused.
        let requests: Int
        /// Why an address gave nothing new; nil: all did.
        let partialFailure: FeedFailure?
    }

    /// How long a question about departures waits for an operator: what is kept is told then, and the asking goes on.
    static let timeout = Duration.seconds(5)
    /// How long whoever checks what they wrote waits: until each address has answered or failed.
    private static let checkTimeout = Duration.seconds(120)
    /// The largest message that is taken; whole countries have 10 MB, and several addresses may send one at the same time.
    private static let limit = 20_000_000
    /// How long an address is left alone at most, whatever its operator wants: nobody means next week.
    private static let maxRetryAfter = Duration.seconds(3_600)

    private struct CachedMessage {
        var reply: ReceivedMessage
        var at: Instant
    }

    private let sources: [GTFSSource]
    private let key: APIKeyPlacement
    private let title: String
    private let transport: any HTTPTransport
    private let clock: any MachineClock
    /// How long a message is new enough for another stop's question.
    private let freshness: Duration
    private var cached: [Int: CachedMessage] = [:]
    /// The newest reading of the timetable: messages are read for it, and can be laid over no other.
    private var newest: TimetableStore.Loaded?
    /// The messages laid over it; nil: one of them is new.
    private var board: RealtimeOverlay?
    private var usableCount = 0
    private var fetchedAt: Instant?
    /// Why the addresses, by their numbers, gave nothing new when they were asked last.
    private var failures: [Int: FeedFailure] = [:]
    /// Until when addresses are left alone, by their numbers, as their operators want (`Retry-After`).
    private var retryAt: [Int: Instant] = [:]
    private var inFlight: Task<Void, Never>?
    /// Requests that no question was told of yet.
    private var unreportedRequests = 0
    private var corrected: CorrectedClock

    init(
        _ sources: [GTFSSource], key: APIKeyPlacement, title: String, transport: any HTTPTransport,
        clock: any MachineClock,
        interval: Duration
    ) {
        corrected = CorrectedClock(clock.reading(), at: clock.now())
        self.sources = sources
        self.key = key
        self.title = title
        self.transport = transport
        self.clock = clock
        freshness = interval / 2
    }

    /// What is known now.
    ///
    /// - Parameters:
    ///   - loaded: says what is of interest.
    ///   - patience: how long the operator may take; then what is kept is told.
    /// - Throws: ``FeedFailure`` of kind `cancelled` as soon as the task is.
    func state(
        about loaded: TimetableStore.Loaded, timeout: Duration = RealtimeClient.timeout
    ) async throws(FeedFailure) -> State {
        if loaded.generation > newest?.generation ?? 0 {
            newest = loaded
            // What was read before left out what matters now.
            (cached, board, fetchedAt) = ([:], nil, nil)
        }
        let end = ContinuousClock.now + timeout
        var hasPatience = true
        while !isFresh, hasPatience {
            let task = inFlight ?? Task { await self.fetch() }
            inFlight = task
            guard let hasEnded = await task.finishes(within: end - .now) else {
                throw FeedFailure(
                    .cancelled, detail: "\(title): the question was abandoned", requests: takeUnreportedRequests())
            }
            hasPatience = hasEnded
        }
        let now = clock.now()
        corrected.read(clock.reading(), at: now)
        let wall = corrected.timestamp(at: now)
        let last = sources.indices.compactMap { cached[$0] }.filter { now - $0.at <= RealtimeMessageAge.frozenAfter }
        let usable = last.map(\.reply).filter(\.isUsable)
        let board =
            self.board.flatMap { usable.count == usableCount ? $0 : nil }
            ?? RealtimeOverlay(usable.map(\.message), over: (newest ?? loaded).index, now: wall)
        (self.board, usableCount) = (board, usable.count)
        let old = last.map(\.reply).filter { !$0.isUsable && !$0.message.hasAlertsOnly }
            .compactMap(\.message.madeAt).max()
        return State(
            board: board, now: wall,
            frozenSince: board.madeAt == nil ? old : nil,
            requests: takeUnreportedRequests(), partialFailure: partialFailure)
    }

    /// Why an address gave nothing new, and what that means for departures; nil: all did.
    private var partialFailure: FeedFailure? {
        sources.indices.lazy.compactMap { self.failures[$0] }.first.map { failure in
            FeedFailure(
                failure.kind, detail: "\(failure.detail). Until that is over the timetable is told, marked with *",
                requests: failure.requests)
        }
    }

    /// How each address is, asked once, or lately enough.
    ///
    /// - Throws: ``FeedFailure`` of kind `cancelled` as soon as the task is.
    func check(about loaded: TimetableStore.Loaded) async throws(FeedFailure) -> [SourceCheck] {
        let now = try await state(about: loaded, timeout: Self.checkTimeout).now
        return sources.indices.map { index in
            let outcome: SourceCheck.Outcome =
                if let failure = failures[index] {
                    .failed(failure)
                } else {
                    .ok(cached[index].map { $0.reply.summary(at: now) } ?? "")
                }
            return SourceCheck(name: sources[index].description, outcome: outcome)
        }
    }

    private var isFresh: Bool {
        sources.isEmpty || fetchedAt.map { clock.now() - $0 < freshness } ?? false
    }

    /// What asking has cost since a question was last told.
    private func takeUnreportedRequests() -> Int {
        defer { unreportedRequests = 0 }
        return unreportedRequests
    }

    /// Asks all addresses at once: one that is silent must not keep back what the others tell.
    private func fetch() async {
        defer { inFlight = nil }
        guard let loaded = newest else { return }
        failures = await withTaskGroup(of: (source: Int, failure: FeedFailure?).self) { group in
            for number in sources.indices { group.addTask { (number, await self.fetch(number, about: loaded)) } }
            var failures: [Int: FeedFailure] = [:]
            for await (number, failure) in group { failures[number] = failure }
            return failures
        }
        if loaded.generation == newest?.generation { fetchedAt = clock.now() }
    }

    /// Asks one address, and keeps what it tells.
    ///
    /// - Returns: why that is of no use; nil: it is.
    private func fetch(_ number: Int, about loaded: TimetableStore.Loaded) async -> FeedFailure? {
        if let pause = retryAt[number], clock.now() < pause, let failure = failures[number] {
            return FeedFailure(failure.kind, detail: failure.detail, requests: 0)
        }
        retryAt[number] = nil
        do throws(FeedFailure) {
            let (reply, cost) = try await fetch(sources[number], loaded.index.entityFilter)
            unreportedRequests += cost
            // For a timetable that is there no more.
            guard loaded.generation == newest?.generation else { return nil }
            let now = clock.now()
            cached[number] = CachedMessage(reply: reply, at: now)
            board = nil
            guard reply.isUsable else { return frozen(reply, from: sources[number]) }
            return nil
        } catch {
            unreportedRequests += error.requests
            retryAt[number] = error.retryAfter.map { clock.now() + min($0, Self.maxRetryAfter) }
            return error
        }
    }

    /// That an operator answers with what it made long ago.
    private func frozen(_ reply: ReceivedMessage, from source: GTFSSource) -> FeedFailure {
        let minutes =
            RealtimeMessageAge(reply.message, at: reply.date ?? reply.received).age.map { $0 / .seconds(60) } ?? 0
        return FeedFailure(
            .unreadable,
            detail: "\(title), \(source): the newest message is \(Int(minutes)) minutes old: the operator has "
                + "stopped making them", requests: 0)
    }

    private func fetch(
        _ source: GTFSSource, _ entityFilter: RealtimeFilter
    ) async throws(FeedFailure) -> (reply: ReceivedMessage, requests: Int) {
        switch source {
        case .address(let url):
            if key.isMissing { throw key.missing(title) }
            let body = FinalBody()
            let request = GTFSRequest(url: url, key: key, limit: Self.limit)
            let (response, requests): (HTTPResponse, Int)
            do throws(FeedFailure) {
                (response, requests) = try await request.fetch(transport) { body.take($1, of: $0) }
            } catch {
                throw FeedFailure(
                    error.kind, detail: "\(title), \(error.detail)", requests: error.requests)
            }
            if let sample = response.dateSample { corrected.take(sample) }
            guard response.status == 200 else {
                throw request.statusFailure(response, title: title, requests: requests)
            }
            // A redirect's own body is no message.
            let message = try read(body.bytes(of: requests), entityFilter, of: source, requests: requests)
            return (ReceivedMessage(message: message, date: response.date, received: response.received), requests)
        case .file(let path):
            let bytes: Result<[UInt8], RecordingFailure>
            do {
                bytes = try await DedicatedThread.run("realtime") {
                    Result { () throws(RecordingFailure) in try RecordingFiles.read(path, limit: Self.limit) }
                }
            } catch {
                throw FeedFailure(.cancelled, detail: "\(title): \(path) is not read: \(error)", requests: 0)
            }
            switch bytes {
            case .success(let bytes):
                let message = try read(bytes, entityFilter, of: source, requests: 0)
                return (ReceivedMessage(message: message, date: nil, received: clock.reading().wall), 0)
            case .failure(let failure):
                throw FeedFailure(.unreadable, detail: "\(title): \(failure)", requests: 0)
            }
        }
    }

    private func read(
        _ body: [UInt8], _ entityFilter: RealtimeFilter, of source: GTFSSource, requests: Int
    ) throws(FeedFailure) -> RealtimeMessage {
        do throws(RealtimeFault) {
            return try RealtimeMessage(body, entityFilter: entityFilter)
        } catch {
            throw FeedFailure(.unreadable, detail: "\(title), \(source): \(error)", requests: requests)
        }
    }
}

extension RealtimeClient.ReceivedMessage {
    /// Whether it was made lately when it came; one that does not say so is.
    fileprivate var isUsable: Bool {
        !RealtimeMessageAge(message, at: date ?? received).isFrozen
    }

    /// How old it is.
    fileprivate func summary(at now: Timestamp) -> String {
        guard let madeAt = message.madeAt else { return "it does not say when it was made" }
        return "made \(max(0, Int((now - madeAt) / .seconds(1)))) s ago"
    }
}

/// The body of the last address that was asked.
private final class FinalBody: Sendable {
    private let state = Mutex((attempt: 0, bytes: [UInt8]()))

    /// What came of the address that was the `attempt`th.
    func bytes(of attempt: Int) -> [UInt8] {
        state.withLock { $0.attempt == attempt ? $0.bytes : [] }
    }

    func take(_ bytes: Span<UInt8>, of attempt: Int) {
        state.withLock { state in
            if state.attempt != attempt { state = (attempt, []) }
            unsafe bytes.withUnsafeBufferPointer { unsafe state.bytes.append(contentsOf: $0) }
        }
    }
}
