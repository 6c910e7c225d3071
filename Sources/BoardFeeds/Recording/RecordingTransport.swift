internal import Dispatch
internal import Synchronization

/// Passes requests on to another transport and keeps every exchange in a file of its own.
///
/// A disk that is full costs the recording, never the answer.
public final class RecordingTransport: HTTPTransport {
    private let inner: any HTTPTransport
    private let directory: String
    private let onFailure: @Sendable (RecordingFailure) -> Void
    private let queue = DispatchQueue(label: "boardd.recording")
    private let next: Mutex<Int>

    /// Records what passes between `inner` and whoever asks, into `directory`, which is made where there is none.
    ///
    /// Exchanges of an earlier recording stay; the new ones are numbered after them.
    ///
    /// - Parameter complain: is told of every exchange that could not be written, on a thread of the recording's own.
    /// - Throws: ``RecordingFailure`` when the directory can be neither read nor made.
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

    /// Passes the request on; a recording of the answer is on disk when this returns.
    public func get(_ request: HTTPRequest, body: @escaping HTTPBodySink) async throws(HTTPFailure) -> HTTPResponse {
        let copy = CollectedBody()
        let response = try await inner.get(request) { chunk in
            copy.append(chunk)
            try body(chunk)
        }
        await record(request, response, copy.bytes)
        return response
    }

    /// What the transport that is recorded says of itself.
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
