internal import CCurl

/// The multi handle and its transfers. Lives on the thread of libcurl alone.
@safe
final class CurlLoop {
    /// How long the thread sleeps when nothing is in flight: only a wake-up ends it (a day, in milliseconds).
    private static let idle: Int32 = 86_400_000
    /// How long it sleeps at most while transfers run; libcurl shortens this to its own next time-out.
    private static let busy: Int32 = 60_000
    /// Open connections that are kept for the next poll.
    private static let keptConnections = 8

    private let multi: UnsafeMutableRawPointer
    private let engine: CurlEngine
    private var waiting: [QueuedTransfer] = []
    private var active: [ActiveTransfer] = []
    private var pool: [CurlHandle] = []

    /// A loop with nothing in it; nil when libcurl gives no handle.
    init?(engine: CurlEngine) {
        guard let multi = unsafe curl_multi_init() else { return nil }
        unsafe self.multi = unsafe multi
        self.engine = engine
        _ = unsafe ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.keptConnections)
    }

    /// What wakes this loop.
    var wakeup: CurlWakeup { unsafe CurlWakeup(multi) }

    /// Runs until the engine says stop; gives back what had not begun.
    func run() -> [QueuedTransfer] {
        while true {
            let batch = engine.takeBatch()
            waiting += batch.transfers
            if batch.isStopping { break }
            dropAborted()
            begin()
            var running: Int32 = 0
            _ = unsafe curl_multi_perform(multi, &running)
            finishDone()
            if !waiting.isEmpty, hasRoom { continue }
            _ = unsafe curl_multi_poll(multi, nil, 0, active.isEmpty ? Self.idle : Self.busy, nil)
        }
        for activeTransfer in active { finish(activeTransfer, activeTransfer.cancelled("the HTTP thread ends")) }
        return waiting
    }

    /// Frees the handles; the bell must be out of reach before.
    func close() {
        for handle in pool { handle.free() }
        pool = []
        _ = unsafe curl_multi_cleanup(multi)
    }

    private var hasRoom: Bool { active.count < engine.options.concurrency }

    private func dropAborted() {
        for activeTransfer in active where activeTransfer.transfer.abort.isSet {
            finish(activeTransfer, activeTransfer.cancelled("the request was abandoned"))
        }
        for transfer in waiting where transfer.abort.isSet { transfer.fail(.cancelled, "the request was abandoned") }
        waiting.removeAll(where: \.abort.isSet)
    }

    private func begin() {
        while !waiting.isEmpty, hasRoom {
            let transfer = waiting.removeFirst()
            guard let handle = pool.popLast() ?? CurlHandle() else {
                transfer.fail(.other(code: Int(CURLE_FAILED_INIT.rawValue)), "libcurl gives no handle")
                continue
            }
            let activeTransfer = ActiveTransfer(transfer, on: handle, clock: engine.options.clock)
            active.append(activeTransfer)
            let code = activeTransfer.configure(engine.options)
            guard code == CURLE_OK else {
                finish(activeTransfer, activeTransfer.failure(code))
                continue
            }
            let added = unsafe curl_multi_add_handle(multi, handle.easy)
            if added != CURLM_OK {
                finish(
                    activeTransfer,
                    activeTransfer.failure(.other(code: Int(added.rawValue)), "libcurl takes no transfer"))
            }
        }
    }

    private func finishDone() {
        var left: Int32 = 0
        while let message = unsafe curl_multi_info_read(multi, &left) {
            let easy = unsafe message.pointee.easy_handle
            guard unsafe message.pointee.msg == CURLMSG_DONE,
                let activeTransfer = active.first(where: { unsafe $0.handle.easy == easy })
            else { continue }
            finish(activeTransfer, activeTransfer.failure(unsafe ccurl_result(message)))
        }
    }

    /// Takes a transfer out and answers its task: with the failure, or with the response where there is none.
    private func finish(_ activeTransfer: ActiveTransfer, _ failure: HTTPFailure?) {
        active.removeAll { $0 === activeTransfer }
        _ = unsafe curl_multi_remove_handle(multi, activeTransfer.handle.easy)
        activeTransfer.end(failure)
        activeTransfer.handle.reset()
        pool.append(activeTransfer.handle)
    }
}

/// An easy handle. It is reused for one transfer after another; connections live in the multi handle.
@safe
struct CurlHandle {
    let easy: UnsafeMutableRawPointer

    /// A fresh handle; nil when libcurl gives none.
    init?() {
        guard let easy = unsafe curl_easy_init() else { return nil }
        unsafe self.easy = unsafe easy
    }

    /// Forgets every option.
    func reset() { unsafe curl_easy_reset(easy) }

    /// Frees it; it is in no multi handle by now.
    func free() { unsafe curl_easy_cleanup(easy) }
}
