internal import BoardCore
internal import BoardThreads
internal import Synchronization

/// Takes a city's archive from the operator, if it has another one than is kept.
struct ArchiveDownload: Sendable {
    /// The largest archive that is taken; that of a whole country has 250 MB.
    private static let limit = 1_000_000_000
    /// The longest time for it: slow networks bring a city's 20 MB in minutes.
    private static let timeout: Duration = .seconds(1_800)
    /// How long somebody else may need for it.
    private static let lockRetry: Duration = .seconds(30)

    /// What came of it.
    enum Outcome: Sendable {
        /// What is kept is what the operator has.
        case unchanged
        /// Another archive is beside the one that is kept, and waits to be judged. The lock holds as long as this value.
        case downloaded(ArchiveOrigin, PartFile)
    }

    let store: ArchiveStore
    /// Whether what is kept is of no use, so that the operator is not asked for something newer.
    var ignoresStored = false
    let request: GTFSRequest
    let title: String
    let transport: any HTTPTransport
    let clock: any MachineClock
    /// Takes the bytes that have come of a download that takes long, and how long it has taken.
    let progress: @Sendable (Int, Duration) -> Void

    init(
        _ store: ArchiveStore, from url: HTTPURL, _ key: APIKeyPlacement, title: String,
        over transport: any HTTPTransport,
        _ clock: any MachineClock, progress: @escaping @Sendable (Int, Duration) -> Void
    ) {
        self.store = store
        self.title = title
        self.transport = transport
        self.clock = clock
        self.progress = progress
        request = GTFSRequest(url: url, key: key, limit: Self.limit, timeout: Self.timeout)
    }

    /// Asks the operator.
    ///
    /// - Throws: ``FeedFailure``; what is kept stays as it is.
    func run() async throws(FeedFailure) -> Outcome {
        let store = store
        let (origin, file) = try await onThread { () throws(ArchiveStoreFailure) in (store.origin, try store.begin()) }
        guard let file else {
            throw FeedFailure(
                .rateLimited(retryAfter: Self.lockRetry),
                detail: "\(store.part): somebody else takes the timetable of \(title) just now", requests: 0)
        }
        do throws(FeedFailure) {
            return try await fetch(ignoresStored ? nil : origin, file)
        } catch {
            _ = try? await onThread { () throws(ArchiveStoreFailure) in file.discard() }
            throw error
        }
    }

    private func fetch(_ origin: ArchiveOrigin?, _ file: PartFile) async throws(FeedFailure) -> Outcome {
        let (store, address) = (store, request.url.description)
        var request = request
        // What came from another address says nothing of this one.
        let own = origin.flatMap { $0.url == address ? $0 : nil }
        request.validators = (own?.etag, own?.lastModified)
        let body = DownloadSink(file, clock: clock, progress: progress)
        let answer: (response: HTTPResponse, requests: Int)
        do throws(FeedFailure) {
            answer = try await request.fetch(transport) { attempt, bytes in try body.take(bytes, of: attempt) }
        } catch {
            throw body.failure.map {
                FeedFailure(
                    .unreadable, detail: "the timetable of \(title) cannot be kept: \($0)", requests: error.requests)
            } ?? error
        }
        let moment = clock.reading().wall
        if answer.response.status == 304, var own {
            own.checkedAt = moment
            let checkedAt = own
            try await onThread { () throws(ArchiveStoreFailure) in
                try store.note(checkedAt)
                file.discard()
            }
            return .unchanged
        }
        guard answer.response.status == 200 else {
            throw request.statusFailure(answer.response, title: title, requests: answer.requests)
        }
        let isEmpty = body.attempt != answer.requests
        try await onThread { () throws(ArchiveStoreFailure) in
            if isEmpty { try file.restart() }
            try file.sync()
        }
        return .downloaded(
            ArchiveOrigin(
                url: address, etag: answer.response["ETag"], lastModified: answer.response["Last-Modified"],
                checkedAt: moment), file)
    }

    private func onThread<Value: Sendable>(
        _ body: @escaping @Sendable () throws(ArchiveStoreFailure) -> Value
    ) async throws(FeedFailure) -> Value {
        let result: Result<Value, ArchiveStoreFailure>
        do {
            result = try await DedicatedThread.run("timetable") {
                Result { () throws(ArchiveStoreFailure) in try body() }
            }
        } catch {
            throw FeedFailure(.cancelled, detail: "the timetable of \(title) is not taken: \(error)", requests: 0)
        }
        do throws(ArchiveStoreFailure) {
            return try result.get()
        } catch {
            throw FeedFailure(.unreadable, detail: "the timetable of \(title) cannot be kept: \(error)", requests: 0)
        }
    }
}

/// A body that goes to the disk: that of the last address that was asked.
private final class DownloadSink: Sendable {
    /// A download that takes longer is reported, and again after each further pause: twice in the longest one.
    private static let reportedAfter: Duration = .seconds(120)
    private static let reportPause: Duration = .seconds(900)

    private struct State {
        var attempt = 0
        var count = 0
        var nextReport = reportedAfter
        var failure: ArchiveStoreFailure?
    }

    private let file: PartFile
    private let clock: any MachineClock
    private let began: Instant
    private let progress: @Sendable (Int, Duration) -> Void
    private let state = Mutex(State())

    init(_ file: PartFile, clock: any MachineClock, progress: @escaping @Sendable (Int, Duration) -> Void) {
        self.file = file
        self.clock = clock
        self.progress = progress
        began = clock.now()
    }

    /// Which address the last bytes came from, counted from 1; 0: none came.
    var attempt: Int { state.withLock { $0.attempt } }
    /// Why the disk took no more.
    var failure: ArchiveStoreFailure? { state.withLock { $0.failure } }

    func take(_ bytes: Span<UInt8>, of attempt: Int) throws {
        let elapsed = clock.now() - began
        let (isNew, count) = state.withLock { state -> (Bool, Int?) in
            let isNew = state.attempt != attempt
            state.attempt = attempt
            state.count = (isNew ? 0 : state.count) + bytes.count
            guard elapsed >= state.nextReport else { return (isNew, nil) }
            state.nextReport = elapsed + Self.reportPause
            return (isNew, state.count)
        }
        if let count { progress(count, elapsed) }
        do throws(ArchiveStoreFailure) {
            if isNew { try file.restart() }
            try file.write(bytes)
        } catch {
            state.withLock { $0.failure = error }
            throw error
        }
    }
}
