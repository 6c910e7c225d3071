internal import Dispatch
internal import Synchronization

/// Wraps a transport and records every response in a file of its own.
///
/// A failed write, as on a full disk, does not affect the response.
public final class RecordingTransport: HTTPTransport {
    private let inner: any HTTPTransport
    private let directory: String
    private let onFailure: @Sendable (RecordingFailure) -> Void
    private let queue = DispatchQueue(label: "boardd.recording")
    private let next: Mutex<Int>

    /// Records the traffic of `inner` into `directory`, which is made if it does not exist.
    ///
    /// Responses of an earlier recording remain; new ones are numbered after them.
    ///
    /// - Parameter onFailure: receives the failure of every write, on the recording's own thread.
    /// - Throws: ``RecordingFailure`` if the directory can be neither read nor made.
    public init(
        wrapping inner: any HTTPTransport, directory: String,
        onFailure: @escaping @Sendable (RecordingFailure) -> Void = { _ in }
    ) throws(RecordingFailure) {
        try RecordingFiles.makeDirectory(directory)
        let last = try RecordingFiles.names(in: directory).last
        let number = last.flatMap { Int($0.dropLast(RecordingFiles.suffix.count)) } ?? 0
        self.inner = inner
        self.directory = directory
        self.onFailure = onFailure
        next = Mutex(number + 1)
    }

    /// Passes the request on; the response is on disk when this returns.
    public func get(_ request: HTTPRequest, body: @escaping HTTPBodySink) async throws(HTTPFailure) -> HTTPResponse {
        let copy = CollectedBody()
        let response = try await inner.get(request) { chunk in
            copy.append(chunk)
            try body(chunk)
        }
        await record(request, response, copy.bytes)
        return response
    }

    public func hasRecorded(_ base: HTTPURL) -> Bool { inner.hasRecorded(base) }

    private func record(_ request: HTTPRequest, _ response: HTTPResponse, _ body: [UInt8]) async {
        let number = next.withLock { number in
            defer { number += 1 }
            return number
        }
        let path = directory + "/" + RecordingFiles.name(number)
        await withCheckedContinuation { continuation in
            queue.async { @Sendable [onFailure] in
                do throws(RecordingFailure) {
                    try RecordingFiles.write(RecordedResponse.file(request, response, body: body), to: path)
                } catch {
                    onFailure(error)
                }
                continuation.resume()
            }
        }
    }
}
