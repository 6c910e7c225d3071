/// A request without a complete response. Any status is a response; these are failures below HTTP.
public struct HTTPFailure: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Kind: Hashable, Sendable {
        /// The name is unknown, or no name server responded in time.
        case couldNotResolve
        case noRoute
        /// The host accepts no connection.
        case couldNotConnect
        /// The name was resolved; no connection or no complete response in time.
        case timedOut
        /// The certificate was rejected or the handshake failed; `byDate`: the certificate is expired or not yet valid.
        case tls(byDate: Bool)
        /// The body, after decompression, is larger than the request allows.
        case tooLarge(limit: Int)
        /// The body does not match its Content-Encoding.
        case badEncoding
        /// The connection ended before the response did, or the response is not HTTP.
        case truncated
        /// The URL is not allowed: http to another host than loopback.
        case disallowedURL
        /// The recording contains no response for this URL.
        case notRecorded
        /// The recording cannot be read any further.
        case badRecording
        /// The receiver of the body threw.
        case bodyRejected
        /// The task was cancelled, or the transport was released.
        case cancelled
        /// Another libcurl error, with its code.
        case other(code: Int)
    }

    public let kind: Kind
    /// Details, as a sentence without a full stop. Contains no key.
    public let detail: String
    /// The URL of the request, without keys.
    public let url: HTTPURL
    /// Status and headers, if received.
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
