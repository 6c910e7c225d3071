public import BoardCore
internal import Synchronization

/// HTTP over libcurl.
///
/// One thread of its own and one multi handle for the life of this value, so that connections, TLS sessions and name
/// look-ups are reused. The thread sleeps without waking while nothing is in flight. TLS is verified, redirects are not
/// followed, no cookie is kept, and http goes to this machine only.
public final class CurlTransport: HTTPTransport {
    private let engine: CurlEngine

    /// Starts the thread.
    ///
    /// - Parameters:
    ///   - userAgent: what the operators read, such as "boardd/1.0 (+https://example.org/boardd)"; some refuse requests
    ///     without one.
    ///   - clock: its wall clock dates the answers.
    ///   - certificates: a file of PEM certificates to trust instead of the system's; nil: the system's.
    ///   - concurrency: how many transfers run at once; the others wait, and their time-outs begin when they run.
    public init(
        userAgent: String, clock: any MachineClock, certificates: String? = nil, concurrency: Int = 4
    ) {
        engine = CurlEngine(
            options: .init(
                userAgent: userAgent, certificates: certificates, concurrency: max(1, concurrency), clock: clock))
        engine.start()
    }

    deinit {
        engine.stop()
    }

    /// Hands the request to the thread; an address of http to another machine is refused without asking.
    public func get(_ request: HTTPRequest, body: @escaping HTTPBodySink) async throws(HTTPFailure) -> HTTPResponse {
        guard request.url.scheme == .https || request.url.isLoopback else {
            throw HTTPFailure(
                .disallowedURL, of: request.url, detail: "http is for this machine only; another host needs https")
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

/// A request on its way to the thread of libcurl.
struct QueuedTransfer: Sendable {
    let request: HTTPRequest
    let body: HTTPBodySink
    let abort: CurlAbort
    let continuation: CheckedContinuation<Result<HTTPResponse, HTTPFailure>, Never>
}

/// Whether somebody wants a transfer to end: set by any thread, read by libcurl's.
final class CurlAbort: Sendable {
    private let flag = Atomic(false)

    /// Whether the transfer shall end.
    var isSet: Bool { flag.load(ordering: .acquiring) }

    /// Asks for the end; the thread must be woken after it.
    func set() { flag.store(true, ordering: .releasing) }
}
