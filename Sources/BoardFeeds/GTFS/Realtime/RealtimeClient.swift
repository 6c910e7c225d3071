import BoardCore
import BoardIO
import Synchronization

/// Fetches the GTFS-Realtime messages of all URLs of a feed, once for all stops, and lays them over the timetable.
actor RealtimeClient {
    private struct SourceState {
        var received: ReceivedMessage?
        var failure: FeedError?
        /// The earliest next request (`Retry-After`).
        var retryAt: Instant?
    }

    private struct ReceivedMessage {
        let message: RealtimeMessage
        /// The time of the response by the operator's clock (HTTP `Date`), else by this machine's.
        let respondedAt: Timestamp
        let at: Instant

        var isUsable: Bool { !message.isFrozen(at: respondedAt) }
    }

    struct State: Sendable {
        let overlay: RealtimeOverlay
        /// The current time; corrected by the operator's clock if this machine's clock is not synchronised.
        let now: Timestamp
        /// When the newest trip message was made, if all are frozen; nil if one is usable, or there is none.
        let frozenSince: Timestamp?
        let partialFailure: FeedError?
    }

    /// How long a departure request waits for the operator. Then it uses cached messages, and the fetch continues.
    static let timeout = Duration.seconds(5)
    /// How long `boardd check` waits for each URL to respond or fail.
    private static let checkTimeout = Duration.seconds(120)
    /// The largest message in bytes; a whole country's has 10 MB, and several URLs may send one at the same time.
    private static let maximumSize = 20_000_000
    /// The longest `Retry-After` that is obeyed; a longer one is a mistake.
    private static let maximumRetryAfter = Duration.seconds(3_600)

    private let sources: [GTFSSource]
    private let key: APIKeyPlacement
    private let title: String
    private let transport: any HTTPTransport
    private let clock: any MachineClock
    /// How long a message serves requests for other stops.
    private let freshness: Duration
    private var states: [SourceState]
    /// The newest reading of the timetable: messages are decoded for it, and fit no other.
    private var newest: LoadedTimetable?
    /// The messages laid over it; nil if one of them is new.
    private var overlay: RealtimeOverlay?
    private var usableCount = 0
    private var fetchedAt: Instant?
    private let fetching = BackgroundWork()
    private var corrected: CorrectedClock

    init(
        _ sources: [GTFSSource], key: APIKeyPlacement, title: String, transport: any HTTPTransport,
        clock: any MachineClock, interval: Duration
    ) {
        corrected = CorrectedClock(clock.reading(), at: clock.now())
        self.sources = sources
        states = Array(repeating: SourceState(), count: sources.count)
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
    /// - Throws: ``FeedError`` of kind `cancelled` as soon as the task is cancelled.
    func state(
        for loaded: LoadedTimetable, timeout: Duration = RealtimeClient.timeout
    ) async throws(FeedError) -> State {
        if loaded.generation > newest?.generation ?? 0 {
            newest = loaded
            // Messages decoded for an earlier reading lack the trips of new stops.
            for number in states.indices { states[number].received = nil }
            overlay = nil
            fetchedAt = nil
        }
        let end = clock.now() + timeout
        var isInTime = true
        while !isFresh, isInTime {
            fetching.start { await self.fetch() }
            isInTime = await clock.first(of: fetching.ended(), within: end - clock.now()) != nil
            if Task.isCancelled { throw FeedError(.cancelled, detail: "\(title): the request was cancelled") }
        }
        let now = clock.now()
        corrected.read(clock.reading(), at: now)
        let wall = corrected.timestamp(at: now)
        let last = states.compactMap(\.received).filter { now - $0.at <= RealtimeMessage.frozenAfter }
        let usable = last.filter(\.isUsable)
        let overlay =
            self.overlay.flatMap { usable.count == usableCount ? $0 : nil }
            ?? RealtimeOverlay(usable.map(\.message), over: (newest ?? loaded).index, now: wall)
        self.overlay = overlay
        usableCount = usable.count
        let frozenMadeAt = last.filter { !$0.isUsable && !$0.message.hasAlertsOnly }.compactMap(\.message.madeAt).max()
        return State(
            overlay: overlay, now: wall, frozenSince: overlay.madeAt == nil ? frozenMadeAt : nil,
            partialFailure: partialFailure)
    }

    /// The failure of a URL, with its effect on departures; nil if all URLs succeeded.
    private var partialFailure: FeedError? {
        states.lazy.compactMap(\.failure).first.map { failure in
            FeedError(failure.kind, detail: "\(failure.detail). Showing scheduled times")
        }
    }

    /// The state of each URL, after one fetch unless the cached messages are fresh.
    ///
    /// - Throws: ``FeedError`` of kind `cancelled` as soon as the task is cancelled.
    func check(for loaded: LoadedTimetable) async throws(FeedError) -> [SourceCheck] {
        let checked = try await state(for: loaded, timeout: Self.checkTimeout)
        return zip(sources, states).map { source, state in
            let outcome: SourceCheck.Outcome =
                if let failure = state.failure {
                    .failed(failure)
                } else {
                    .ok(state.received.map { Self.summary(of: $0.message, checked) } ?? "")
                }
            return SourceCheck(name: source.description, outcome: outcome)
        }
    }

    private static func summary(of message: RealtimeMessage, _ state: State) -> String {
        let bad = message.trips.isEmpty ? 0 : state.overlay.badUpdates
        let unused = bad == 0 ? "" : "; ignored: \(bad) updates for calls not in their trip, or with impossible times"
        guard let madeAt = message.madeAt else { return "no timestamp in the message" + unused }
        return "made \(max(0, Int((state.now - madeAt) / .seconds(1)))) s ago" + unused
    }

    private var isFresh: Bool { sources.isEmpty || fetchedAt.isSomeAnd { clock.now() - $0 < freshness } }

    /// Fetches all URLs concurrently, so that one that does not respond does not delay the others.
    private func fetch() async {
        guard let loaded = newest else { return }
        await withDiscardingTaskGroup { group in
            for number in sources.indices { group.addTask { await self.fetch(number, for: loaded) } }
        }
        if loaded.generation == newest?.generation { fetchedAt = clock.now() }
    }

    private func fetch(_ number: Int, for loaded: LoadedTimetable) async {
        if let retryAt = states[number].retryAt, clock.now() < retryAt { return }
        do throws(FeedError) {
            let received = try await fetch(sources[number], loaded.index.entityFilter)
            (states[number].failure, states[number].retryAt) = (nil, nil)
            // Otherwise the message was decoded for a replaced timetable.
            guard loaded.generation == newest?.generation else { return }
            states[number].received = received
            overlay = nil
            if !received.isUsable { states[number].failure = frozen(received, from: sources[number]) }
        } catch {
            states[number].failure = error
            states[number].retryAt = error.retryAfter.map { clock.now() + min($0, Self.maximumRetryAfter) }
        }
    }

    private func frozen(_ received: ReceivedMessage, from source: GTFSSource) -> FeedError {
        let minutes = received.message.madeAt.map { (received.respondedAt - $0) / .seconds(60) } ?? 0
        return FeedError(
            .unreadable,
            detail: "\(title), \(source): the newest message is \(Int(minutes)) minutes old: the feed is frozen")
    }

    private func fetch(
        _ source: GTFSSource, _ entityFilter: RealtimeFilter
    ) async throws(FeedError) -> ReceivedMessage {
        let bytes: [UInt8]
        var respondedAt: Timestamp?
        switch source {
        case .address(let url):
            if key.isMissing { throw key.missing(title) }
            let request = GTFSRequest(url: url, key: key, limit: Self.maximumSize)
            // The body of a redirect is not a message.
            var body = CollectedBody()
            let response: HTTPResponse
            do throws(FeedError) {
                response = try await request.fetch(transport) {
                    body = CollectedBody()
                    return body.append
                }
            } catch {
                throw FeedError(error.kind, detail: "\(title), \(error.detail)")
            }
            if let sample = response.dateSample { corrected.take(sample) }
            guard response.isOK else { throw request.statusFailure(response, title: title) }
            bytes = body.bytes
            respondedAt = response.date ?? response.received
        case .file(let path):
            bytes = try await DedicatedThread.run("realtime", "\(title): reading \(path)") {
                try RecordingFiles.read(path, limit: Self.maximumSize)
            } failure: {
                FeedError(.unreadable, detail: "\(title): \($0)")
            }
        }
        do throws(FormatError) {
            let message = try RealtimeMessage(bytes, entityFilter: entityFilter)
            return ReceivedMessage(message: message, respondedAt: respondedAt ?? clock.reading().wall, at: clock.now())
        } catch {
            throw FeedError(.unreadable, detail: "\(title), \(source): \(error)")
        }
    }
}

extension FormatError {
    private static let expectation = "where a GTFS-Realtime message was expected"

    static let empty = FormatError("found an empty response \(expectation)")
    /// Valid protobuf without the required header.
    static let noHeader = FormatError("found bytes without a header \(expectation)")

    /// Bytes that are malformed from an offset on, or a text instead of a message.
    init(unreadableAt place: Int, of body: [UInt8]) {
        // A message begins with 0x0A, a line break, so texts are only recognised after decoding has failed.
        let start = body.drop { $0.isBlank }
        if let known = Self.known(start) {
            self.init("found \(known) \(Self.expectation)")
        } else if start.prefix(Self.quoted).allSatisfy({ (0x20..<0x7F).contains($0) || $0 == 0x0A }) {
            let quoted = start.prefix(Self.quoted).map { Character(Unicode.Scalar($0 < 0x20 ? 0x20 : $0)) }
            self.init("found \"\(String(quoted))\" \(Self.expectation)")
        } else {
            self.init("found a GTFS-Realtime message truncated or malformed after \(place) of \(body.count) bytes")
        }
    }
}
