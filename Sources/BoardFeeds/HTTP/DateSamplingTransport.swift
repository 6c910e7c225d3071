public import BoardCore

/// Passes requests on to another transport and reports the `Date` of every response, also of one that failed after its head.
public struct DateSamplingTransport: HTTPTransport {
    private let inner: any HTTPTransport
    private let report: @Sendable (DateSample) -> Void

    /// Reports what `inner` hears.
    ///
    /// - Parameter report: takes each sample before the response is returned, so that its estimates are judged by the right time.
    public init(wrapping inner: any HTTPTransport, report: @escaping @Sendable (DateSample) -> Void) {
        self.inner = inner
        self.report = report
    }

    /// Passes the request on.
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

    /// What the transport that is wrapped says of itself.
    public func hasRecorded(_ base: HTTPURL) -> Bool { inner.hasRecorded(base) }
}
