internal import BoardCore
internal import BoardThreads
internal import Synchronization

/// What a city says about now: the messages of all its addresses, asked for once for all stops, laid over the timetable.
actor LiveMessages {
    /// A message with what came around it.
    fileprivate struct Told {
        let message: RealtimeMessage
        /// The operator's clock when it answered (HTTP `Date`); nil when it did not say.
        let date: Timestamp?
        /// This machine's clock when it had come.
        let received: Timestamp
    }

    /// What is known, and what it cost.
    struct State: Sendable {
        let board: RealtimeBoard
        /// What time it is: the operator's word counts where this machine's clock is unsure.
        let now: Timestamp
        /// When the newest message about trips was made that is too old to be believed, where none is believed; nil: one is,
        /// or there is none at all.
        let frozenSince: Timestamp?
        /// Requests that this question caused.
        let requests: Int
        /// Why an address gave nothing new; nil: all did.
        let trouble: FeedFailure?
    }

    /// How long a question about departures waits for an operator: what is kept is told then, and the asking goes on.
    static let patience = Duration.seconds(5)
    /// How long whoever checks what they wrote waits: until each address has answered or failed.
    private static let checkPatience = Duration.seconds(120)
    /// The largest message that is taken; whole countries have 10 MB, and several addresses may send one at the same time.
    private static let limit = 20_000_000
    /// How long an address is left alone at most, whatever its operator wants: nobody means next week.
    private static let longestPause = Duration.seconds(3_600)

    private struct Kept {
        var told: Told
        var at: Instant
    }

    private let sources: [GTFSSource]
    private let key: PlacedKey
    private let title: String
    private let transport: any HTTPTransport
    private let clock: any MachineClock
    /// How long a message is new enough for another stop's question.
    private let freshness: Duration
    private var kept: [Int: Kept] = [:]
    /// The newest reading of the timetable: messages are read for it, and can be laid over no other.
    private var newest: TimetableLibrary.Loaded?
    /// The messages laid over it; nil: one of them is new.
    private var board: RealtimeBoard?
    private var believedMessages = 0
    private var asked: Instant?
    /// Why the addresses, by their numbers, gave nothing new when they were asked last.
    private var failures: [Int: FeedFailure] = [:]
    /// Until when addresses are left alone, by their numbers, as their operators want (`Retry-After`).
    private var pauses: [Int: Instant] = [:]
    private var asking: Task<Void, Never>?
    /// Requests that no question was told of yet.
    private var owed = 0
    private var corrected: CorrectedClock

    init(
        _ sources: [GTFSSource], key: PlacedKey, title: String, transport: any HTTPTransport, clock: any MachineClock,
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
        about loaded: TimetableLibrary.Loaded, patience: Duration = LiveMessages.patience
    ) async throws(FeedFailure) -> State {
        if loaded.reading > newest?.reading ?? 0 {
            newest = loaded
            // What was read before left out what matters now.
            (kept, board, asked) = ([:], nil, nil)
        }
        let end = ContinuousClock.now + patience
        var hasPatience = true
        while !isFresh, hasPatience {
            let task = asking ?? Task { await self.ask() }
            asking = task
            guard let hasEnded = await task.ends(within: end - .now) else {
                throw FeedFailure(.cancelled, detail: "\(title): the question was abandoned", requests: takeOwed())
            }
            hasPatience = hasEnded
        }
        let now = clock.now()
        corrected.read(clock.reading(), at: now)
        let wall = corrected.timestamp(at: now)
        let last = sources.indices.compactMap { kept[$0] }.filter { now - $0.at <= RealtimeState.frozenAfter }
        let believed = last.map(\.told).filter(\.isBelieved)
        let board =
            self.board.flatMap { believed.count == believedMessages ? $0 : nil }
            ?? RealtimeBoard(believed.map(\.message), over: (newest ?? loaded).index, now: wall)
        (self.board, believedMessages) = (board, believed.count)
        let old = last.map(\.told).filter { !$0.isBelieved && !$0.message.isOfAlertsAlone }
            .compactMap(\.message.made).max()
        return State(
            board: board, now: wall,
            frozenSince: board.made == nil ? old : nil,
            requests: takeOwed(), trouble: trouble)
    }

    /// Why an address gave nothing new, and what that means for departures; nil: all did.
    private var trouble: FeedFailure? {
        sources.indices.lazy.compactMap { self.failures[$0] }.first.map { failure in
            FeedFailure(
                failure.kind, detail: "\(failure.detail). Until that is over the timetable is told, marked with *",
                requests: failure.requests)
        }
    }

    /// How each address is, asked once, or lately enough.
    ///
    /// - Throws: ``FeedFailure`` of kind `cancelled` as soon as the task is.
    func look(about loaded: TimetableLibrary.Loaded) async throws(FeedFailure) -> [SourceLook] {
        let now = try await state(about: loaded, patience: Self.checkPatience).now
        return sources.indices.map { index in
            let finding: SourceLook.Finding =
                if let failure = failures[index] {
                    .failed(failure)
                } else {
                    .good(kept[index].map { $0.told.summary(at: now) } ?? "")
                }
            return SourceLook(name: sources[index].description, finding: finding)
        }
    }

    private var isFresh: Bool {
        sources.isEmpty || asked.map { clock.now() - $0 < freshness } ?? false
    }

    /// What asking has cost since a question was last told.
    private func takeOwed() -> Int {
        defer { owed = 0 }
        return owed
    }

    /// Asks all addresses at once: one that is silent must not keep back what the others tell.
    private func ask() async {
        defer { asking = nil }
        guard let loaded = newest else { return }
        failures = await withTaskGroup(of: (source: Int, failure: FeedFailure?).self) { group in
            for number in sources.indices { group.addTask { (number, await self.ask(number, about: loaded)) } }
            var failures: [Int: FeedFailure] = [:]
            for await (number, failure) in group { failures[number] = failure }
            return failures
        }
        if loaded.reading == newest?.reading { asked = clock.now() }
    }

    /// Asks one address, and keeps what it tells.
    ///
    /// - Returns: why that is of no use; nil: it is.
    private func ask(_ number: Int, about loaded: TimetableLibrary.Loaded) async -> FeedFailure? {
        if let pause = pauses[number], clock.now() < pause, let failure = failures[number] {
            return FeedFailure(failure.kind, detail: failure.detail, requests: 0)
        }
        pauses[number] = nil
        do throws(FeedFailure) {
            let (told, cost) = try await ask(sources[number], loaded.index.interest)
            owed += cost
            // For a timetable that is there no more.
            guard loaded.reading == newest?.reading else { return nil }
            let now = clock.now()
            kept[number] = Kept(told: told, at: now)
            board = nil
            guard told.isBelieved else { return frozen(told, from: sources[number]) }
            return nil
        } catch {
            owed += error.requests
            pauses[number] = error.retryAfter.map { clock.now() + min($0, Self.longestPause) }
            return error
        }
    }

    /// That an operator answers with what it made long ago.
    private func frozen(_ told: Told, from source: GTFSSource) -> FeedFailure {
        let minutes = RealtimeState(told.message, at: told.date ?? told.received).age.map { $0 / .seconds(60) } ?? 0
        return FeedFailure(
            .unreadable,
            detail: "\(title), \(source): the newest message is \(Int(minutes)) minutes old: the operator has "
                + "stopped making them", requests: 0)
    }

    private func ask(
        _ source: GTFSSource, _ interest: RealtimeInterest
    ) async throws(FeedFailure) -> (told: Told, requests: Int) {
        switch source {
        case .address(let url):
            if key.isMissing { throw key.missing(title) }
            let body = LastBody()
            let question = GTFSQuestion(url: url, key: key, limit: Self.limit)
            let (response, requests): (HTTPResponse, Int)
            do throws(FeedFailure) {
                (response, requests) = try await question.ask(transport) { body.take($1, of: $0) }
            } catch {
                throw FeedFailure(
                    error.kind, detail: "\(title), \(error.detail)", requests: error.requests)
            }
            if let sample = response.dateSample { corrected.take(sample) }
            guard response.status == 200 else {
                throw question.refusal(response, title: title, requests: requests)
            }
            // A redirect's own body is no message.
            let message = try read(body.bytes(of: requests), interest, of: source, requests: requests)
            return (Told(message: message, date: response.date, received: response.received), requests)
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
                let message = try read(bytes, interest, of: source, requests: 0)
                return (Told(message: message, date: nil, received: clock.reading().wall), 0)
            case .failure(let failure):
                throw FeedFailure(.unreadable, detail: "\(title): \(failure)", requests: 0)
            }
        }
    }

    private func read(
        _ body: [UInt8], _ interest: RealtimeInterest, of source: GTFSSource, requests: Int
    ) throws(FeedFailure) -> RealtimeMessage {
        do throws(RealtimeFault) {
            return try RealtimeMessage(body, interest: interest)
        } catch {
            throw FeedFailure(.unreadable, detail: "\(title), \(source): \(error)", requests: requests)
        }
    }
}

extension LiveMessages.Told {
    /// Whether it was made lately when it came; one that does not say so is.
    fileprivate var isBelieved: Bool {
        !RealtimeState(message, at: date ?? received).isFrozen
    }

    /// How old it is.
    fileprivate func summary(at now: Timestamp) -> String {
        guard let made = message.made else { return "it does not say when it was made" }
        return "made \(max(0, Int((now - made) / .seconds(1)))) s ago"
    }
}

/// The body of the last address that was asked.
private final class LastBody: Sendable {
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
