internal import Synchronization

/// What takes the bytes of a body as they come. Throwing ends the transfer.
///
/// It may be called on a thread that serves every transfer: it must be quick and wait for nothing.
public typealias HTTPBodySink = @Sendable (Span<UInt8>) throws -> Void

/// How bytes are asked for over HTTP: by libcurl, or from a recording. An edge of the house.
public protocol HTTPTransport: Sendable {
    /// Gets the answer to a request and hands over its body, decompressed, piece by piece.
    ///
    /// Cancelling the task ends the transfer at once; `body` is not called after this returns.
    ///
    /// - Parameters:
    ///   - request: what is asked; no redirect is followed.
    ///   - body: takes the body, whatever the status.
    /// - Returns: status and headers, after the last byte.
    func get(_ request: HTTPRequest, body: @escaping HTTPBodySink) async throws(HTTPFailure) -> HTTPResponse

    /// Whether this is a recording with answers of `base` or of addresses below it: such a one wants no key.
    func hasRecorded(_ base: HTTPURL) -> Bool
}

extension HTTPTransport {
    /// No: it asks the world.
    public func hasRecorded(_ base: HTTPURL) -> Bool { false }

    /// Gets the answer to a request and collects the body, which is never larger than `request.limit`.
    public func get(_ request: HTTPRequest) async throws(HTTPFailure) -> (response: HTTPResponse, body: [UInt8]) {
        let collected = CollectedBody()
        let response = try await get(request, body: collected.append)
        return (response, collected.bytes)
    }
}

/// Bytes that one thread adds and another reads.
final class CollectedBody: Sendable {
    private let storage = Mutex<[UInt8]>([])

    /// What has come.
    var bytes: [UInt8] {
        storage.withLock { $0 }
    }

    /// Adds bytes at the end.
    @Sendable func append(_ chunk: Span<UInt8>) {
        storage.withLock { bytes in
            unsafe chunk.withUnsafeBufferPointer { unsafe bytes.append(contentsOf: $0) }
        }
    }
}
