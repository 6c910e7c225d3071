internal import BoardCore
internal import BoardThreads
internal import Synchronization

/// Downloads an operator's archive if it differs from the stored one.
struct ArchiveDownload: Sendable {
    /// The largest archive in bytes; that of a whole country has 250 MB.
    private static let limit = 1_000_000_000
    /// The longest download: slow networks need minutes for a city's 20 MB.
    private static let timeout: Duration = .seconds(1_800)
    /// The pause while another process downloads.
    private static let lockRetry: Duration = .seconds(30)

    enum Outcome: Sendable {
        /// The stored archive is the operator's current one.
        case unchanged
        /// Another archive is downloaded beside the stored one and not checked yet. The lock is held as long as this
        /// value exists.
        case downloaded(ArchiveOrigin, PartFile)
    }

    let store: ArchiveStore
    /// Whether the stored archive is unreadable, so that the request is unconditional.
    var ignoresStored = false
    let request: GTFSRequest
    let title: String
    let transport: any HTTPTransport
    let clock: any MachineClock
    /// Receives the downloaded bytes and the elapsed time of a long download.
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

    /// Requests the archive.
    ///
    /// - Throws: ``FeedFailure``; the stored archive stays unchanged.
    func run() async throws(FeedFailure) -> Outcome {
        let store = store
        let (origin, file) = try await onThread { () throws(ArchiveStoreFailure) in (store.origin, try store.begin()) }
        guard let file else {
            throw FeedFailure(
                .rateLimited(retryAfter: Self.lockRetry),
                detail: "\(store.part): another process is downloading the timetable of \(title)", requests: 0)
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
        // Validators of another URL do not apply to this one.
        let own = origin.flatMap { $0.url == address ? $0 : nil }
        request.validators = (own?.etag, own?.lastModified)
        let body = DownloadSink(file, clock: clock, progress: progress)
        let reply: (response: HTTPResponse, requests: Int)
        do throws(FeedFailure) {
            reply = try await request.fetch(transport) { attempt, bytes in try body.write(bytes, of: attempt) }
        } catch {
            throw body.failure.map {
                FeedFailure(
                    .unreadable, detail: "\(title): the timetable cannot be stored: \($0)", requests: error.requests)
            } ?? error
        }
        let wall = clock.reading().wall
        if reply.response.isNotModified, var own {
            own.checkedAt = wall
            let checkedAt = own
            try await onThread { () throws(ArchiveStoreFailure) in
                try store.setOrigin(checkedAt)
                file.discard()
            }
            return .unchanged
        }
        guard reply.response.isOK else {
            throw request.statusFailure(reply.response, title: title, requests: reply.requests)
        }
        let isEmpty = body.attempt != reply.requests
        try await onThread { () throws(ArchiveStoreFailure) in
            if isEmpty { try file.restart() }
            try file.sync()
        }
        return .downloaded(
            ArchiveOrigin(
                url: address, etag: reply.response["ETag"], lastModified: reply.response["Last-Modified"],
                checkedAt: wall), file)
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
            throw FeedFailure(.cancelled, detail: "\(title): timetable download failed: \(error)", requests: 0)
        }
        do throws(ArchiveStoreFailure) {
            return try result.get()
        } catch {
            throw FeedFailure(.unreadable, detail: "\(title): the timetable cannot be stored: \(error)", requests: 0)
        }
    }
}

/// Writes a response body to disk: that of the last URL of a chain of redirects.
private final class DownloadSink: Sendable {
    /// The time after which a download is reported, and the interval of further reports: twice in the longest download.
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

    /// The request of the redirect chain that the last bytes came from, counted from 1; 0: no bytes came.
    var attempt: Int { state.withLock { $0.attempt } }
    /// The failed write.
    var failure: ArchiveStoreFailure? { state.withLock { $0.failure } }

    func write(_ bytes: Span<UInt8>, of attempt: Int) throws {
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
