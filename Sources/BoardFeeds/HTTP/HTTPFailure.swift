/// Why a request brought no whole answer. Any status is an answer; this is what happens below it.
public struct HTTPFailure: Error, Hashable, Sendable, CustomStringConvertible {
    /// What can be told apart.
    public enum Kind: Hashable, Sendable {
        /// The name is unknown, or no name server answers, or none did in time.
        case couldNotResolve
        /// No network leads there.
        case noRoute
        /// The host is there and accepts no connection.
        case couldNotConnect
        /// The name had an address; no connection or no whole answer in time.
        case timedOut
        /// The certificate is refused or the handshake failed; `byDate`: because it is not valid yet or no more.
        case tls(byDate: Bool)
        /// The body, after decompression, is larger than the request allows.
        case tooLarge(limit: Int)
        /// The body is not what its Content-Encoding says.
        case badEncoding
        /// The connection ended before the answer did, or what came is no HTTP.
        case truncated
        /// The address may not be asked: http to another machine.
        case disallowedURL
        /// The recording holds no exchange of this address.
        case notRecorded
        /// The recording can be read no more.
        case badRecording
        /// The receiver of the body threw.
        case bodyRejected
        /// The task was cancelled, or the transport is gone.
        case cancelled
        /// Anything else that libcurl reports, with its code.
        case other(code: Int)
    }

    /// What happened.
    public let kind: Kind
    /// What is known beyond that, as a sentence without its end. Holds no key.
    public let detail: String
    /// What was asked, without keys.
    public let url: HTTPURL
    /// Status and headers, where they had come.
    public let response: HTTPResponse?

    /// A failure of the request for `url`.
    public init(_ kind: Kind, of url: HTTPURL, detail: String, response: HTTPResponse? = nil) {
        self.kind = kind
        self.detail = detail
        self.url = url
        self.response = response
    }

    /// The address and what happened, for a log.
    public var description: String { "\(url): \(detail)" }
}
