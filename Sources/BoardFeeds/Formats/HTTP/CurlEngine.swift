import BoardCore
import BoardIO
import CCurl
import Synchronization

/// The interface of libcurl's thread to other threads: a queue of transfers and a wake-up.
final class CurlEngine: Sendable {
    private struct Shared {
        var queue: [QueuedTransfer] = []
        var isStopping = false
        /// Why the queue is closed; nil while the thread runs.
        var end: (kind: HTTPError.Kind, detail: String)?
        /// Wakes the thread while it runs.
        var wakeup: CurlWakeup?
    }

    let userAgent: String
    /// A PEM file of certificates; nil: the system's.
    let certificates: String?
    let concurrency: Int
    let clock: any MachineClock
    private let shared = Mutex(Shared())

    init(userAgent: String, certificates: String?, concurrency: Int, clock: any MachineClock) {
        self.userAgent = userAgent
        self.certificates = certificates
        self.concurrency = max(1, concurrency)
        self.clock = clock
    }

    /// Starts the thread; if that fails, every transfer fails.
    func start() {
        do throws(ThreadError) {
            try DedicatedThread.start("http") { self.run() }
        } catch {
            close(.timedOut, "\(error)")
        }
    }

    func submit(_ transfer: QueuedTransfer) {
        let end = shared.withLock { shared in
            if shared.end == nil { shared.queue.append(transfer) }
            return shared.end
        }
        if let end { transfer.fail(end.kind, end.detail) } else { wake() }
    }

    func wake() { shared.withLock { $0.wakeup?.wake() } }

    /// Ends every transfer and the thread; does not wait for it.
    func stop() {
        shared.withLock { $0.isStopping = true }
        wake()
    }

    func takeBatch() -> (transfers: [QueuedTransfer], isStopping: Bool) {
        shared.withLock { shared in
            defer { shared.queue = [] }
            return (shared.queue, shared.isStopping)
        }
    }

    private func run() {
        guard curlIsReady, let loop = CurlLoop(engine: self) else {
            return close(.timedOut, "libcurl failed to start: check free memory")
        }
        let wakeup = loop.wakeup
        shared.withLock { $0.wakeup = wakeup }
        let left = loop.run()
        close(.cancelled, "boardd is shutting down", left)
        loop.close()
    }

    /// Closes the queue and fails the remaining transfers.
    private func close(_ kind: HTTPError.Kind, _ detail: String, _ left: [QueuedTransfer] = []) {
        let queue = shared.withLock { shared in
            shared.end = (kind, detail)
            shared.wakeup = nil
            defer { shared.queue = [] }
            return shared.queue
        }
        for transfer in left + queue { transfer.fail(kind, detail) }
    }
}

/// The only call that another thread may make on a multi handle, while the handle exists.
@safe
struct CurlWakeup: @unchecked Sendable {
    private let multi: UnsafeMutableRawPointer

    init(_ multi: UnsafeMutableRawPointer) { unsafe self.multi = unsafe multi }

    /// Ends the thread's wait, or its next one.
    func wake() { _ = unsafe curl_multi_wakeup(multi) }
}

/// libcurl's global initialisation, once; false if it failed.
private let curlIsReady = curl_global_init(Int(CURL_GLOBAL_ALL)) == CURLE_OK

extension QueuedTransfer {
    /// Fails a transfer that was not started.
    func fail(_ kind: HTTPError.Kind, _ detail: String) {
        continuation.resume(returning: .failure(HTTPError(kind, of: request.url, detail: detail)))
    }
}
