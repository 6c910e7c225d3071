internal import BoardCore
internal import CCurl
internal import Glibc
internal import Synchronization

/// What other threads may touch of the thread of libcurl: the queue before it, and its bell.
final class CurlEngine: Sendable {
    /// What is the same for every transfer.
    struct Options: Sendable {
        let userAgent: String
        let certificates: String?
        let concurrency: Int
        let clock: @Sendable () -> Timestamp
    }

    /// What the thread takes when it wakes.
    struct Orders {
        let transfers: [CurlTransfer]
        let isStopping: Bool
    }

    private struct Shared {
        var queue: [CurlTransfer] = []
        var isStopping = false
        /// Whether nobody takes from the queue any more.
        var isGone = false
        /// What wakes the thread while it runs.
        var bell: CurlBell?
    }

    let options: Options
    private let shared = Mutex(Shared())

    init(options: Options) {
        self.options = options
    }

    /// Starts the thread; when there can be none, every transfer fails.
    func start() {
        var thread = pthread_t()
        let context = unsafe Unmanaged.passRetained(self)
        let code = unsafe pthread_create(
            &thread, nil,
            { context in
                guard let context = unsafe context else { return nil }
                let engine = unsafe Unmanaged<CurlEngine>.fromOpaque(context).takeRetainedValue()
                engine.run()
                return nil
            }, context.toOpaque())
        guard code == 0 else {
            unsafe context.release()
            return end(failing: [])
        }
        pthread_detach(thread)
    }

    /// Hands a transfer to the thread.
    func submit(_ transfer: CurlTransfer) {
        let isGone = shared.withLock { shared in
            if !shared.isGone { shared.queue.append(transfer) }
            return shared.isGone
        }
        if isGone { transfer.fail(.cancelled, "the HTTP thread has ended") } else { wake() }
    }

    /// Makes the thread look at its orders.
    func wake() {
        shared.withLock { $0.bell?.ring() }
    }

    /// Ends every transfer and the thread; does not wait for it.
    func stop() {
        shared.withLock { $0.isStopping = true }
        wake()
    }

    /// Takes what has come since the last time.
    func takeOrders() -> Orders {
        shared.withLock { shared in
            defer { shared.queue = [] }
            return Orders(transfers: shared.queue, isStopping: shared.isStopping)
        }
    }

    /// The thread's whole life.
    private func run() {
        Self.blockSignals()
        guard curlIsReady, let loop = CurlLoop(engine: self) else { return end(failing: []) }
        let bell = loop.bell
        shared.withLock { $0.bell = bell }
        let left = loop.run()
        end(failing: left)
        loop.close()
    }

    private func end(failing left: [CurlTransfer]) {
        let queue = shared.withLock { shared in
            shared.isGone = true
            shared.bell = nil
            defer { shared.queue = [] }
            return shared.queue
        }
        for transfer in left + queue { transfer.fail(.cancelled, "the HTTP thread has ended") }
    }

    /// Leaves signals to the threads that expect them. A blocked SIGPIPE is harmless as well: TLS writes to connections
    /// that the operator has closed, and libcurl cannot ask for MSG_NOSIGNAL there.
    private static func blockSignals() {
        var all = sigset_t()
        unsafe sigfillset(&all)
        unsafe pthread_sigmask(SIG_BLOCK, &all, nil)
    }
}

/// The one call that another thread may make on a multi handle, as long as the handle lives.
@safe
struct CurlBell: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer

    /// The bell of a multi handle.
    init(_ multi: UnsafeMutableRawPointer) {
        unsafe self.multi = unsafe multi
    }

    /// Ends the wait of the thread, or the next one that it begins.
    func ring() {
        _ = unsafe curl_multi_wakeup(multi)
    }
}

/// libcurl's one global start; false when it failed.
private let curlIsReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

extension CurlTransfer {
    /// Ends a transfer that never began.
    func fail(_ kind: HTTPFailure.Kind, _ detail: String) {
        continuation.resume(returning: .failure(HTTPFailure(kind, of: request.url, detail: detail)))
    }
}
