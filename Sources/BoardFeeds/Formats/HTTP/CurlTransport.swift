public import BoardCore
import CCurl
import Glibc
import Synchronization

/// HTTP over libcurl.
///
/// It has one thread and one multi handle for its lifetime, so that connections, TLS sessions and resolved names are
/// reused. The thread does not wake while nothing is in flight. TLS is verified, redirects are not followed, cookies
/// are not stored, and http is allowed for loopback only.
public final class CurlTransport: HTTPTransport {
    private let engine: CurlEngine

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - userAgent: such as "boardd/1.0 (+https://example.org/boardd)"; some operators reject requests without one.
    ///   - clock: its wall clock dates the responses.
    ///   - certificates: a PEM file of certificates to trust instead of the system's; nil: the system's.
    ///   - concurrency: the most simultaneous transfers; others wait, and their timeouts begin when they start.
    public init(userAgent: String, clock: any MachineClock, certificates: String? = nil, concurrency: Int = 4) {
        engine = CurlEngine(userAgent: userAgent, certificates: certificates, concurrency: concurrency, clock: clock)
        engine.start()
    }

    deinit { engine.stop() }

    /// Queues the request; http to a host other than loopback fails at once, unless the request allows it.
    public func get(_ request: HTTPRequest, body: @escaping HTTPBodySink) async throws(HTTPError) -> HTTPResponse {
        guard request.url.scheme == .https || request.url.isLoopback || request.allowsPlain else {
            throw HTTPError(.unusable, of: request.url, detail: "http is allowed for loopback only; use https")
        }
        let abort = CurlAbort()
        let result = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                engine.submit(QueuedTransfer(request: request, body: body, abort: abort, continuation: continuation))
            }
        } onCancel: { [engine] in
            abort.set()
            engine.wake()
        }
        return try result.get()
    }
}

struct QueuedTransfer: Sendable {
    let request: HTTPRequest
    let body: HTTPBodySink
    let abort: CurlAbort
    let continuation: CheckedContinuation<Result<HTTPResponse, HTTPError>, Never>
}

/// The cancellation flag of a transfer: set by any thread, read by libcurl's.
final class CurlAbort: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .acquiring) }

    /// Cancels the transfer; the caller must then wake the thread.
    func set() { flag.store(true, ordering: .releasing) }
}

extension HTTPError.Kind {
    /// X509_V_ERR_CERT_NOT_YET_VALID of OpenSSL.
    private static let notYetValid = 9
    /// X509_V_ERR_CERT_HAS_EXPIRED of OpenSSL.
    private static let expired = 10

    /// What a result other than CURLE_OK means.
    init(_ code: CURLcode, of easy: UnsafeMutableRawPointer) {
        self =
            switch code {
            case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY: .noNetwork
            case CURLE_COULDNT_CONNECT: unsafe Self.hasNoRoute(easy) ? .noNetwork : .timedOut
            case CURLE_OPERATION_TIMEDOUT: unsafe Self.isResolved(easy) ? .timedOut : .noNetwork
            case CURLE_PEER_FAILED_VERIFICATION: unsafe .tls(byDate: Self.isRejectedByDate(easy))
            case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE,
                CURLE_SSL_CRL_BADFILE, CURLE_SSL_ISSUER_ERROR, CURLE_SSL_PINNEDPUBKEYNOTMATCH,
                CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ENGINE_NOTFOUND, CURLE_SSL_ENGINE_SETFAILED:
                .tls(byDate: false)
            case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR, CURLE_HTTP2,
                CURLE_HTTP2_STREAM, CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL:
                .truncated
            case CURLE_BAD_CONTENT_ENCODING, CURLE_URL_MALFORMAT: .unusable
            default: .timedOut
            }
    }

    /// Whether the last connect(2) found no route to the host.
    private static func hasNoRoute(_ easy: UnsafeMutableRawPointer) -> Bool {
        var number = 0
        _ = unsafe ccurl_get_long(easy, CURLINFO_OS_ERRNO, &number)
        return [ENETUNREACH, EHOSTUNREACH, ENETDOWN, EHOSTDOWN, EADDRNOTAVAIL].contains(
            Int32(truncatingIfNeeded: number))
    }

    /// Whether the name was resolved (at once for an address). If the router works and the line behind it is down, name
    /// servers do not respond, and the connection times out before there is an address.
    private static func isResolved(_ easy: UnsafeMutableRawPointer) -> Bool {
        var microseconds = curl_off_t(0)
        _ = unsafe ccurl_get_offset(easy, CURLINFO_NAMELOOKUP_TIME_T, &microseconds)
        return microseconds > 0
    }

    private static func isRejectedByDate(_ easy: UnsafeMutableRawPointer) -> Bool {
        var result = 0
        _ = unsafe ccurl_get_long(easy, CURLINFO_SSL_VERIFYRESULT, &result)
        return result == notYetValid || result == expired
    }
}

/// The multi handle and its transfers. Used only on libcurl's thread.
@safe
final class CurlLoop {
    /// The longest sleep when nothing is in flight, in milliseconds (a day); a wake-up ends it.
    private static let idle: Int32 = 86_400_000
    /// The longest sleep while transfers run, in milliseconds; libcurl shortens it to its own next timeout.
    private static let busy: Int32 = 60_000
    /// Idle connections that stay open for the next poll.
    private static let maximumIdleConnections = 8

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
        _ = unsafe ccurl_multi_set_long(multi, CURLMOPT_MAXCONNECTS, Self.maximumIdleConnections)
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
        for activeTransfer in active {
            finish(activeTransfer, activeTransfer.failure(.cancelled, "the HTTP thread is stopping"))
        }
        return waiting
    }

    /// Frees the handles; no other thread may still hold the wake-up.
    func close() {
        for handle in pool { handle.free() }
        pool = []
        _ = unsafe curl_multi_cleanup(multi)
    }

    private var hasRoom: Bool { active.count < engine.concurrency }

    private func dropAborted() {
        for activeTransfer in active where activeTransfer.transfer.abort.isSet {
            finish(activeTransfer, activeTransfer.failure(.cancelled, "the request was cancelled"))
        }
        for transfer in waiting where transfer.abort.isSet { transfer.fail(.cancelled, "the request was cancelled") }
        waiting.removeAll(where: \.abort.isSet)
    }

    private func begin() {
        while !waiting.isEmpty, hasRoom {
            let transfer = waiting.removeFirst()
            guard let handle = pool.popLast() ?? CurlHandle() else {
                transfer.fail(.timedOut, "libcurl could not create a handle")
                continue
            }
            let activeTransfer = ActiveTransfer(transfer, on: handle, clock: engine.clock)
            active.append(activeTransfer)
            let code = activeTransfer.configure(engine)
            guard code == CURLE_OK else {
                finish(activeTransfer, activeTransfer.failure(code))
                continue
            }
            let added = unsafe curl_multi_add_handle(multi, handle.easy)
            if added != CURLM_OK {
                finish(activeTransfer, activeTransfer.failure(.timedOut, "libcurl rejected the transfer"))
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
    private func finish(_ activeTransfer: ActiveTransfer, _ failure: HTTPError?) {
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
