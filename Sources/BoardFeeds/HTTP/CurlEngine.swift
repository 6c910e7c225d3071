internal import BoardCore
internal import BoardThreads
internal import CCurl
internal import Synchronization

/// What other threads may touch of the thread of libcurl: the queue before it, and its bell.
final class CurlEngine: Sendable {
    /// What is the same for every transfer.
    struct Options: Sendable {
        let userAgent: String
        let certificates: String?
        let concurrency: Int
        let clock: any MachineClock
    }

    /// What the thread takes when it wakes.
    struct Batch {
        let transfers: [QueuedTransfer]
        let isStopping: Bool
    }

    private struct Shared {
        var queue: [QueuedTransfer] = []
        var isStopping = false
        /// Why nobody takes from the queue any more; nil while somebody does.
        var end: StopReason?
        /// What wakes the thread while it runs.
        var wakeup: CurlWakeup?
    }

    /// Why no transfer can be made.
    private struct StopReason: Sendable {
        let kind: HTTPFailure.Kind
        let detail: String

        /// The transport is gone.
        static let stopped = StopReason(kind: .cancelled, detail: "the program lets go of the network")

        /// There never was a thread, which is no reason to stop asking.
        static func failed(_ detail: String) -> StopReason {
            StopReason(kind: .other(code: Int(CURLE_FAILED_INIT.rawValue)), detail: detail)
        }
    }

    let options: Options
    private let shared = Mutex(Shared())

    init(options: Options) {
        self.options = options
    }

    /// Starts the thread; when there can be none, every transfer fails.
    func start() {
        do throws(ThreadFailure) {
            try DedicatedThread.start("http") { self.run() }
        } catch {
            close(.failed("\(error)"))
        }
    }

    /// Hands a transfer to the thread.
    func submit(_ transfer: QueuedTransfer) {
        let end = shared.withLock { shared in
            if shared.end == nil { shared.queue.append(transfer) }
            return shared.end
        }
        if let end { transfer.fail(end.kind, end.detail) } else { wake() }
    }

    /// Makes the thread look at its orders.
    func wake() {
        shared.withLock { $0.wakeup?.wake() }
    }

    /// Ends every transfer and the thread; does not wait for it.
    func stop() {
        shared.withLock { $0.isStopping = true }
        wake()
    }

    /// Takes what has come since the last time.
    func takeBatch() -> Batch {
        shared.withLock { shared in
            defer { shared.queue = [] }
            return Batch(transfers: shared.queue, isStopping: shared.isStopping)
        }
    }

    /// The thread's whole life.
    private func run() {
        guard curlIsReady, let loop = CurlLoop(engine: self) else {
            return close(.failed("libcurl does not start: look at free memory"))
        }
        let wakeup = loop.wakeup
        shared.withLock { $0.wakeup = wakeup }
        let left = loop.run()
        close(.stopped, left)
        loop.close()
    }

    /// Takes no more, and fails what is left.
    private func close(_ end: StopReason, _ left: [QueuedTransfer] = []) {
        let queue = shared.withLock { shared in
            shared.end = end
            shared.wakeup = nil
            defer { shared.queue = [] }
            return shared.queue
        }
        for transfer in left + queue { transfer.fail(end.kind, end.detail) }
    }
}

/// The one call that another thread may make on a multi handle, as long as the handle lives.
@safe
struct CurlWakeup: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer

    /// The bell of a multi handle.
    init(_ multi: UnsafeMutableRawPointer) {
        unsafe self.multi = unsafe multi
    }

    /// Ends the wait of the thread, or the next one that it begins.
    func wake() {
        _ = unsafe curl_multi_wakeup(multi)
    }
}

/// libcurl's one global start; false when it failed.
private let curlIsReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

extension QueuedTransfer {
    /// Ends a transfer that never began.
    func fail(_ kind: HTTPFailure.Kind, _ detail: String) {
        continuation.resume(returning: .failure(HTTPFailure(kind, of: request.url, detail: detail)))
    }
}
