public import BoardCore

/// Wraps a transport and reports the `Date` of every response, including one that failed after its head.
public struct DateSamplingTransport: HTTPTransport {
    private let inner: any HTTPTransport
    private let report: @Sendable (DateSample) -> Void

    /// Wraps `inner`.
    ///
    /// - Parameter report: receives each sample before the response is returned, so that its estimates use the corrected time.
    public init(wrapping inner: any HTTPTransport, report: @escaping @Sendable (DateSample) -> Void) {
        self.inner = inner
        self.report = report
    }

    public func get(_ request: HTTPRequest, body: @escaping HTTPBodySink) async throws(HTTPFailure) -> HTTPResponse {
        do throws(HTTPFailure) {
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
