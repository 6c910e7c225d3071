public import BoardCore
import Synchronization

/// Receives the bytes of a body as they arrive. Throwing ends the transfer.
///
/// It may run on a thread that serves every transfer: it must be quick and must not block.
public typealias HTTPBodySink = @Sendable (Span<UInt8>) throws -> Void

/// Sends HTTP requests: over libcurl, or from a recording.
public protocol HTTPTransport: Sendable {
    /// Sends a request and passes on its body, decompressed, in chunks.
    ///
    /// Cancelling the task ends the transfer at once; `body` is not called after this returns.
    ///
    /// - Parameters:
    ///   - request: redirects are not followed.
    ///   - body: receives the body, whatever the status.
    /// - Returns: status and headers, after the last byte.
    func get(_ request: HTTPRequest, body: @escaping HTTPBodySink) async throws(HTTPError) -> HTTPResponse

    /// Whether this is a recording with responses of `base` or of URLs below it, which needs no key.
    func hasRecorded(_ base: HTTPURL) -> Bool
}

extension HTTPTransport {
    public func hasRecorded(_ base: HTTPURL) -> Bool { false }

    /// Sends a request and collects the body, which is never larger than `request.limit`.
    public func get(_ request: HTTPRequest) async throws(HTTPError) -> (response: HTTPResponse, body: [UInt8]) {
        let collected = CollectedBody()
        let response = try await get(request, body: collected.append)
        return (response, collected.bytes)
    }
}

/// A byte buffer that one thread fills and another reads.
package final class CollectedBody: Sendable {
    private let storage = Mutex<[UInt8]>([])

    package init() {}

    package var bytes: [UInt8] { storage.withLock { $0 } }

    @Sendable package func append(_ chunk: Span<UInt8>) {
        storage.withLock { bytes in unsafe chunk.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) } }
    }
}

/// A request without a complete response. Any status is a response; these are failures below HTTP.
public struct HTTPError: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// No route, the name is unknown, or no name server responded in time.
        case noNetwork
        /// The name was resolved; no connection or no complete response in time.
        case timedOut
        /// The certificate was rejected or the handshake failed; `byDate`: the certificate is expired or not yet valid.
        case tls(byDate: Bool)
        /// The connection ended before the response did, or the response is not HTTP.
        case truncated
        /// The URL is not allowed or not recorded, or the body is larger than allowed, wrongly encoded or rejected.
        case unusable
        /// The task was cancelled, or the transport was released.
        case cancelled
    }

    public let kind: Kind
    /// Details, as a sentence without a full stop. Contains no key.
    public let detail: String
    /// The URL of the request, without keys.
    public let url: HTTPURL
    public let response: HTTPResponse?

    public init(_ kind: Kind, of url: HTTPURL, detail: String, response: HTTPResponse? = nil) {
        self.kind = kind
        self.detail = detail
        self.url = url
        self.response = response
    }

    /// The URL and the details, for a log.
    public var description: String { "\(url): \(detail)" }
}

/// Wraps a transport and reports the `Date` of every response, including one that failed after its head.
public struct DateSamplingTransport: HTTPTransport {
    private let inner: any HTTPTransport
    private let report: @Sendable (DateSample) -> Void

    /// - Parameter report: receives each sample before the response is returned, so its estimates use the corrected
    ///   time.
    public init(wrapping inner: any HTTPTransport, report: @escaping @Sendable (DateSample) -> Void) {
        self.inner = inner
        self.report = report
    }

    public func get(_ request: HTTPRequest, body: @escaping HTTPBodySink) async throws(HTTPError) -> HTTPResponse {
        do throws(HTTPError) {
            let response = try await inner.get(request, body: body)
            if let sample = response.dateSample { report(sample) }
            return response
        } catch {
            if let sample = error.response?.dateSample { report(sample) }
            throw error
        }
    }

    public func hasRecorded(_ base: HTTPURL) -> Bool { inner.hasRecorded(base) }
}
