internal import CCurl

/// The multi handle and its transfers. Used only on libcurl's thread.
@safe
final class CurlLoop {
    /// The longest sleep when nothing is in flight, in milliseconds (a day); a wake-up ends it.
    private static let idle: Int32 = 86_400_000
    /// The longest sleep while transfers run, in milliseconds; libcurl shortens it to its own next time-out.
    private static let busy: Int32 = 60_000
    /// Idle connections that stay open for the next poll.
    private static let maxIdleConnections = 8

    private let multi: UnsafeMutableRawPointer
    private let engine: CurlEngine
    private var waiting: [QueuedTransfer] = []
    private var active: [ActiveTransfer] = []
    private var pool: [CurlHandle] = []

    /// A loop without transfers; nil if libcurl cannot create a handle.
    init?(engine: CurlEngine) {
        guard let multi = unsafe curl_multi_init() else { return nil }
        unsafe self.multi = unsafe multi
        self.engine = engine
        _ = unsafe ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.maxIdleConnections)
    }

    var wakeup: CurlWakeup { unsafe CurlWakeup(multi) }

    /// Runs until the engine stops; returns the transfers that were not started.
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
        for activeTransfer in active { finish(activeTransfer, activeTransfer.cancelled("the HTTP thread is stopping")) }
        return waiting
    }

    /// Frees the handles; no other thread may hold the wake-up any more.
    func close() {
        for handle in pool { handle.free() }
        pool = []
        _ = unsafe curl_multi_cleanup(multi)
    }

    private var hasRoom: Bool { active.count < engine.options.concurrency }

    private func dropAborted() {
        for activeTransfer in active where activeTransfer.transfer.abort.isSet {
            finish(activeTransfer, activeTransfer.cancelled("the request was cancelled"))
        }
        for transfer in waiting where transfer.abort.isSet { transfer.fail(.cancelled, "the request was cancelled") }
        waiting.removeAll(where: \.abort.isSet)
    }

    private func begin() {
        while !waiting.isEmpty, hasRoom {
            let transfer = waiting.removeFirst()
            guard let handle = pool.popLast() ?? CurlHandle() else {
                transfer.fail(.other(code: Int(CURLE_FAILED_INIT.rawValue)), "libcurl could not create a handle")
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
                    activeTransfer.failure(.other(code: Int(added.rawValue)), "libcurl rejected the transfer"))
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

    /// Removes a transfer and resumes its task: with the failure, else with the response.
    private func finish(_ activeTransfer: ActiveTransfer, _ failure: HTTPFailure?) {
        active.removeAll { $0 === activeTransfer }
        _ = unsafe curl_multi_remove_handle(multi, activeTransfer.handle.easy)
        activeTransfer.end(failure)
        activeTransfer.handle.reset()
        pool.append(activeTransfer.handle)
    }
}

/// An easy handle, reused for successive transfers; connections belong to the multi handle.
@safe
struct CurlHandle {
    let easy: UnsafeMutableRawPointer

    /// A new handle; nil if libcurl cannot create one.
    init?() {
        guard let easy = unsafe curl_easy_init() else { return nil }
        unsafe self.easy = unsafe easy
    }

    func reset() { unsafe curl_easy_reset(easy) }

    /// Frees the handle, which must be in no multi handle.
    func free() { unsafe curl_easy_cleanup(easy) }
}
