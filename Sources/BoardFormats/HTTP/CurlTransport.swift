public import BoardCore
internal import Synchronization

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
    ///   - userAgent: the User-Agent, such as "boardd/1.0 (+https://example.org/boardd)"; some operators reject requests
    ///     without one.
    ///   - clock: its wall clock dates the responses.
    ///   - certificates: a PEM file of certificates to trust instead of the system's; nil: the system's.
    ///   - concurrency: the most simultaneous transfers; others wait, and their time-outs begin when they start.
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

    /// Queues the request; http to another host than loopback fails at once, unless the request allows it.
    public func get(_ request: HTTPRequest, body: @escaping HTTPBodySink) async throws(HTTPFailure) -> HTTPResponse {
        guard request.url.scheme == .https || request.url.isLoopback || request.allowsPlain else {
            throw HTTPFailure(
                .disallowedURL, of: request.url, detail: "http is allowed for loopback only; use https")
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

/// A request in the queue of libcurl's thread.
struct QueuedTransfer: Sendable {
    let request: HTTPRequest
    let body: HTTPBodySink
    let abort: CurlAbort
    let continuation: CheckedContinuation<Result<HTTPResponse, HTTPFailure>, Never>
}

/// The cancellation flag of a transfer: set by any thread, read by libcurl's.
final class CurlAbort: Sendable {
    private let flag = Atomic(false)

    var isSet: Bool { flag.load(ordering: .acquiring) }

    /// Cancels the transfer; the caller must then wake the thread.
    func set() { flag.store(true, ordering: .releasing) }
}
