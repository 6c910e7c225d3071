internal import Synchronization

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
    func get(_ request: HTTPRequest, body: @escaping HTTPBodySink) async throws(HTTPFailure) -> HTTPResponse

    /// Whether this is a recording with responses of `base` or of URLs below it, which needs no key.
    func hasRecorded(_ base: HTTPURL) -> Bool
}

extension HTTPTransport {
    public func hasRecorded(_ base: HTTPURL) -> Bool { false }

    /// Sends a request and collects the body, which is never larger than `request.limit`.
    public func get(_ request: HTTPRequest) async throws(HTTPFailure) -> (response: HTTPResponse, body: [UInt8]) {
        let collected = CollectedBody()
        let response = try await get(request, body: collected.append)
        return (response, collected.bytes)
    }
}

/// A byte buffer that one thread fills and another reads.
package final class CollectedBody: Sendable {
    private let storage = Mutex<[UInt8]>([])

    package init() {}

    package var bytes: [UInt8] {
        storage.withLock { $0 }
    }

    @Sendable package func append(_ chunk: Span<UInt8>) {
        storage.withLock { bytes in
            unsafe chunk.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        }
    }
}
