internal import BoardCore
internal import BoardThreads
internal import Synchronization

/// Fetches the GTFS-Realtime messages of all URLs of a feed, once for all stops, and lays them over the timetable.
actor RealtimeClient {
    /// A message with the times of its response.
    fileprivate struct ReceivedMessage {
        let message: RealtimeMessage
        /// The operator's clock at the response (HTTP `Date`); nil if missing.
        let date: Timestamp?
        /// This machine's clock when the response was complete.
        let received: Timestamp
    }

    /// The result of a request.
    struct State: Sendable {
        let overlay: RealtimeOverlay
        /// The current time; corrected by the operator's clock if this machine's clock is not synchronised.
        let now: Timestamp
        /// When the newest trip message was made, if all trip messages are frozen; nil if one is usable, or there is none.
        let frozenSince: Timestamp?
        /// HTTP requests made since the last result.
        let requests: Int
        /// The failure of a URL; nil if all URLs succeeded.
        let partialFailure: FeedFailure?
    }

    /// How long a departure request waits for the operator. Then it uses cached messages, and the fetch continues.
    static let timeout = Duration.seconds(5)
    /// How long `boardd check` waits for each URL to respond or fail.
    private static let checkTimeout = Duration.seconds(120)
    /// The largest message in bytes; whole countries have 10 MB, and several URLs may send one at the same time.
    private static let limit = 20_000_000
    /// The longest `Retry-After` that is obeyed; a longer one is a mistake.
    private static let maxRetryAfter = Duration.seconds(3_600)

    private struct CachedMessage {
        var received: ReceivedMessage
        var at: Instant
    }

    private let sources: [GTFSSource]
    private let key: APIKeyPlacement
    private let title: String
    private let transport: any HTTPTransport
    private let clock: any MachineClock
    /// How long a message serves requests for other stops.
    private let freshness: Duration
    private var cached: [Int: CachedMessage] = [:]
    /// The newest reading of the timetable: messages are decoded for it, and match no other.
    private var newest: TimetableStore.Loaded?
    /// The messages laid over it; nil if one of them is new.
    private var overlay: RealtimeOverlay?
    private var usableCount = 0
    private var fetchedAt: Instant?
    /// The failures of the last fetch, by the index of the URL.
    private var failures: [Int: FeedFailure] = [:]
    /// The earliest next request (`Retry-After`), by the index of the URL.
    private var retryAt: [Int: Instant] = [:]
    private var inFlight: Task<Void, Never>?
    /// Requests that are not in a returned ``State`` yet.
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

    /// The current messages over the timetable; fetches new ones if the cached ones are old.
    ///
    /// - Parameters:
    ///   - loaded: the timetable; its stops select what is decoded.
    ///   - timeout: how long to wait for the operator; then cached messages are used.
    /// - Throws: ``FeedFailure`` of kind `cancelled` as soon as the task is cancelled.
    func state(
        for loaded: TimetableStore.Loaded, timeout: Duration = RealtimeClient.timeout
    ) async throws(FeedFailure) -> State {
        if loaded.generation > newest?.generation ?? 0 {
            newest = loaded
            // Messages decoded for an earlier reading lack the trips of new stops.
            (cached, overlay, fetchedAt) = ([:], nil, nil)
        }
        let end = ContinuousClock.now + timeout
        var isInTime = true
        while !isFresh, isInTime {
            let task = inFlight ?? Task { await self.fetch() }
            inFlight = task
            guard let hasEnded = await task.finishes(within: end - .now) else {
                throw FeedFailure(
                    .cancelled, detail: "\(title): the request was cancelled", requests: takeUnreportedRequests())
            }
            isInTime = hasEnded
        }
        let now = clock.now()
        corrected.read(clock.reading(), at: now)
        let wall = corrected.timestamp(at: now)
        let last = sources.indices.compactMap { cached[$0] }.filter { now - $0.at <= RealtimeMessageAge.frozenAfter }
        let usable = last.map(\.received).filter(\.isUsable)
        let overlay =
            self.overlay.flatMap { usable.count == usableCount ? $0 : nil }
            ?? RealtimeOverlay(usable.map(\.message), over: (newest ?? loaded).index, now: wall)
        (self.overlay, usableCount) = (overlay, usable.count)
        let frozenMadeAt = last.map(\.received).filter { !$0.isUsable && !$0.message.hasAlertsOnly }
            .compactMap(\.message.madeAt).max()
        return State(
            overlay: overlay, now: wall,
            frozenSince: overlay.madeAt == nil ? frozenMadeAt : nil,
            requests: takeUnreportedRequests(), partialFailure: partialFailure)
    }

    /// The failure of a URL, with its effect on departures; nil if all URLs succeeded.
    private var partialFailure: FeedFailure? {
        sources.indices.lazy.compactMap { self.failures[$0] }.first.map { failure in
            FeedFailure(
                failure.kind, detail: "\(failure.detail). Showing scheduled times (*)",
                requests: failure.requests)
        }
    }

    /// The state of each URL, after one fetch unless the cached messages are fresh.
    ///
    /// - Throws: ``FeedFailure`` of kind `cancelled` as soon as the task is cancelled.
    func check(for loaded: TimetableStore.Loaded) async throws(FeedFailure) -> [SourceCheck] {
        let now = try await state(for: loaded, timeout: Self.checkTimeout).now
        return sources.indices.map { index in
            let outcome: SourceCheck.Outcome =
                if let failure = failures[index] {
                    .failed(failure)
                } else {
                    .ok(cached[index].map { $0.received.summary(at: now) } ?? "")
                }
            return SourceCheck(name: sources[index].description, outcome: outcome)
        }
    }

    private var isFresh: Bool {
        sources.isEmpty || fetchedAt.map { clock.now() - $0 < freshness } ?? false
    }

    private func takeUnreportedRequests() -> Int {
        defer { unreportedRequests = 0 }
        return unreportedRequests
    }

    /// Fetches all URLs concurrently, so that one that does not respond does not delay the others.
    private func fetch() async {
        defer { inFlight = nil }
        guard let loaded = newest else { return }
        failures = await withTaskGroup(of: (source: Int, failure: FeedFailure?).self) { group in
            for number in sources.indices { group.addTask { (number, await self.fetch(number, for: loaded)) } }
            var failures: [Int: FeedFailure] = [:]
            for await (number, failure) in group { failures[number] = failure }
            return failures
        }
        if loaded.generation == newest?.generation { fetchedAt = clock.now() }
    }

    /// Fetches one URL, and caches its message.
    ///
    /// - Returns: the failure; nil if the message is usable.
    private func fetch(_ number: Int, for loaded: TimetableStore.Loaded) async -> FeedFailure? {
        if let retry = retryAt[number], clock.now() < retry, let failure = failures[number] {
            return FeedFailure(failure.kind, detail: failure.detail, requests: 0)
        }
        retryAt[number] = nil
        do throws(FeedFailure) {
            let (received, cost) = try await fetch(sources[number], loaded.index.entityFilter)
            unreportedRequests += cost
            // The message was decoded for a replaced timetable.
            guard loaded.generation == newest?.generation else { return nil }
            let now = clock.now()
            cached[number] = CachedMessage(received: received, at: now)
            overlay = nil
            guard received.isUsable else { return frozen(received, from: sources[number]) }
            return nil
        } catch {
            unreportedRequests += error.requests
            retryAt[number] = error.retryAfter.map { clock.now() + min($0, Self.maxRetryAfter) }
            return error
        }
    }

    /// The failure that a message is frozen.
    private func frozen(_ received: ReceivedMessage, from source: GTFSSource) -> FeedFailure {
        let minutes =
            RealtimeMessageAge(received.message, at: received.date ?? received.received).age.map { $0 / .seconds(60) }
            ?? 0
        return FeedFailure(
            .unreadable,
            detail: "\(title), \(source): the newest message is \(Int(minutes)) minutes old: the feed is frozen",
            requests: 0)
    }

    private func fetch(
        _ source: GTFSSource, _ entityFilter: RealtimeFilter
    ) async throws(FeedFailure) -> (received: ReceivedMessage, requests: Int) {
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
            guard response.isOK else {
                throw request.statusFailure(response, title: title, requests: requests)
            }
            // The body of a redirect is not a message.
            let message = try read(body.bytes(of: requests), entityFilter, of: source, requests: requests)
            return (ReceivedMessage(message: message, date: response.date, received: response.received), requests)
        case .file(let path):
            let bytes: Result<[UInt8], RecordingFailure>
            do {
                bytes = try await DedicatedThread.run("realtime") {
                    Result { () throws(RecordingFailure) in try RecordingFiles.read(path, limit: Self.limit) }
                }
            } catch {
                throw FeedFailure(.cancelled, detail: "\(title): reading \(path) failed: \(error)", requests: 0)
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
    /// Whether the message was recent when it was received; true if it has no timestamp.
    fileprivate var isUsable: Bool {
        !RealtimeMessageAge(message, at: date ?? received).isFrozen
    }

    fileprivate func summary(at now: Timestamp) -> String {
        guard let madeAt = message.madeAt else { return "no timestamp in the message" }
        return "made \(max(0, Int((now - madeAt) / .seconds(1)))) s ago"
    }
}

/// The body of the last request of a redirect chain.
private final class FinalBody: Sendable {
    private let state = Mutex((attempt: 0, bytes: [UInt8]()))

    /// The body of one request, counted from 1.
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
