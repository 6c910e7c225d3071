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
        /// When the newest message was made that is too old to be believed, where none is newer; nil: there is none.
        let frozenSince: Timestamp?
        /// The operator's clock at its last answer; nil when it did not say.
        let date: Timestamp?
        /// Requests that this question caused.
        let requests: Int
        /// Why an address gave nothing new; nil: all did.
        let trouble: FeedFailure?
    }

    /// How old a message may be, by its header when it came, and how long it is of use when no other comes: what it tells
    /// of is past by then.
    fileprivate static let longestUse: Duration = .seconds(600)
    /// The largest message that is taken; whole countries have 10 MB.
    private static let limit = 32_000_000

    private struct Kept {
        var told: Told
        var at: Instant
    }

    private let sources: [GTFSSource]
    private let key: GTFSKey
    private let title: String
    private let transport: any HTTPTransport
    private let clock: any MachineClock
    /// How long a message is new enough for another stop's question.
    private let freshness: Duration
    private var kept: [Int: Kept] = [:]
    /// What is of interest, and of which reading of the timetable: a message was read for one of them.
    private var interest = RealtimeInterest([])
    private var reading = 0
    /// The messages laid over the timetable of that reading; nil: one of them is new.
    private var board: RealtimeBoard?
    private var believedMessages = 0
    private var asked: Instant?
    private var trouble: FeedFailure?
    private var asking: Task<Int, Never>?

    init(
        _ sources: [GTFSSource], key: GTFSKey, title: String, transport: any HTTPTransport, clock: any MachineClock,
        interval: Duration
    ) {
        self.sources = sources
        self.key = key
        self.title = title
        self.transport = transport
        self.clock = clock
        freshness = interval / 2
    }

    /// What is known now.
    ///
    /// - Parameter loaded: says what is of interest.
    func state(about loaded: TimetableLibrary.Loaded) async -> State {
        if loaded.reading > reading {
            reading = loaded.reading
            interest = loaded.index.interest
            board = nil
            // What was read before left out what matters now.
            asked = nil
        }
        var requests = 0
        while !isFresh {
            let isMine = asking == nil
            let task = asking ?? Task { await self.ask() }
            asking = task
            let cost = await task.value
            if isMine { requests += cost }
        }
        let (now, wall) = (clock.now(), clock.reading().wall)
        let told = sources.indices.compactMap { index in
            kept[index].flatMap { now - $0.at <= Self.longestUse ? $0.told : nil }
        }
        let believed = told.filter(\.isBelieved)
        let board =
            self.board.flatMap { believed.count == believedMessages ? $0 : nil }
            ?? RealtimeBoard(believed.map(\.message), over: loaded.index, now: wall)
        if loaded.reading == reading { (self.board, believedMessages) = (board, believed.count) }
        let frozen = told.filter { !$0.isBelieved }.compactMap(\.message.made).max()
        return State(
            board: board, frozenSince: board.made.map { made in frozen.flatMap { $0 > made ? $0 : nil } } ?? frozen,
            date: told.compactMap(\.date).max(), requests: requests, trouble: trouble)
    }

    private var isFresh: Bool {
        sources.isEmpty || asked.map { clock.now() - $0 < freshness } ?? false
    }

    /// Asks all addresses, one after the other: they are one operator's.
    ///
    /// - Returns: how many requests it cost.
    private func ask() async -> Int {
        defer { asking = nil }
        let began = reading
        var requests = 0
        var failure: FeedFailure?
        for index in sources.indices {
            do throws(FeedFailure) {
                let (told, cost) = try await ask(sources[index])
                requests += cost
                kept[index] = Kept(told: told, at: clock.now())
                board = nil
            } catch {
                requests += error.requests
                failure = failure ?? error
            }
        }
        trouble = failure
        if reading == began { asked = clock.now() }
        return requests
    }

    private func ask(_ source: GTFSSource) async throws(FeedFailure) -> (told: Told, requests: Int) {
        let interest = interest
        switch source {
        case .address(let url):
            if key.isMissing { throw key.missing(title) }
            let body = LastBody()
            let question = GTFSQuestion(url: url, key: key, limit: Self.limit)
            let (response, requests) = try await question.ask(transport) { attempt, bytes in
                body.take(bytes, of: attempt)
            }
            guard response.status == 200 else {
                throw question.refusal(response, title: title, requests: requests)
            }
            let message = try read(body.bytes, interest, of: source)
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
                let message = try read(bytes, interest, of: source)
                return (Told(message: message, date: nil, received: clock.reading().wall), 0)
            case .failure(let failure):
                throw FeedFailure(.unreadable, detail: "\(title): \(failure)", requests: 0)
            }
        }
    }

    private func read(
        _ body: [UInt8], _ interest: RealtimeInterest, of source: GTFSSource
    ) throws(FeedFailure) -> RealtimeMessage {
        do throws(RealtimeFault) {
            return try RealtimeMessage(body, interest: interest)
        } catch {
            throw FeedFailure(.unreadable, detail: "\(title), \(source): \(error)")
        }
    }
}

extension LiveMessages.Told {
    /// Whether it was made lately when it came; one that does not say so is.
    fileprivate var isBelieved: Bool {
        RealtimeState(message, at: date ?? received).age.map { $0 <= LiveMessages.longestUse } ?? true
    }
}

/// The body of the last address that was asked.
private final class LastBody: Sendable {
    private let state = Mutex((attempt: 0, bytes: [UInt8]()))

    var bytes: [UInt8] { state.withLock { $0.bytes } }

    func take(_ bytes: Span<UInt8>, of attempt: Int) {
        state.withLock { state in
            if state.attempt != attempt { state = (attempt, []) }
            unsafe bytes.withUnsafeBufferPointer { unsafe state.bytes.append(contentsOf: $0) }
        }
    }
}
