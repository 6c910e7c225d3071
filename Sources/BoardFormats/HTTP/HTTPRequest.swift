public import BoardCore

/// A request: a GET, or a POST if it has content.
///
/// Keys are separate from the URL, so that printed, logged, compared and recorded text never contains one.
public struct HTTPRequest: Sendable, CustomStringConvertible {
    /// The URL without keys.
    public let url: HTTPURL
    /// Secret query items, which follow those of `url`.
    public let secrets: [(name: String, value: Secret)]
    public let headers: [HTTPResponse.Header]
    public let secretHeaders: [(name: String, value: Secret)]
    /// The user's contact address for operators that request one; the User-Agent ends with it. Without control characters.
    public let contact: String?
    /// The body of a POST; nil: the request is a GET.
    public let content: HTTPContent?
    /// Whether http is allowed to another host than loopback; never with a key.
    public let allowsPlain: Bool
    /// The largest body in bytes, after decompression.
    public let limit: Int
    /// The time-out for name resolution, connection and TLS.
    public let connectTimeout: Duration
    /// The time-out for the whole transfer, from its start (time in the queue does not count).
    public let timeout: Duration
    /// A transfer that is almost idle for so long times out; whole seconds.
    public let stalledAfter: Duration

    public init(
        _ url: HTTPURL, secrets: [(name: String, value: Secret)] = [], headers: [HTTPResponse.Header] = [],
        secretHeaders: [(name: String, value: Secret)] = [], contact: String? = nil, content: HTTPContent? = nil,
        allowsPlain: Bool = false, limit: Int, connectTimeout: Duration = .seconds(10),
        timeout: Duration = .seconds(20),
        stalledAfter: Duration = .seconds(60)
    ) {
        self.url = url
        self.secrets = secrets
        self.headers = headers
        self.secretHeaders = secretHeaders
        self.contact = contact
        self.content = content
        self.allowsPlain = allowsPlain && secrets.isEmpty && secretHeaders.isEmpty && content == nil
        self.limit = limit
        self.connectTimeout = connectTimeout
        self.timeout = timeout
        self.stalledAfter = stalledAfter
    }

    /// The request without keys, for a log. An operator's redirect may contain the key in the URL: it is masked.
    public var description: String { "\(method) \(masking(url.description))" }

    var method: String { content == nil ? "GET" : "POST" }

    /// The identity of the request: the URL and the content, without keys. One line.
    var matchKey: String { Self.matchKey(url.description, content: content?.description) }

    static func matchKey(_ url: String, content: String?) -> String {
        content.map { url + " " + $0 } ?? url
    }

    /// The URL as sent, with keys: for libcurl only.
    var revealedURL: String {
        let items = secrets.map { HTTPURL.encoded($0.name) + "=" + HTTPURL.encoded($0.value.revealed) }
        guard !items.isEmpty else { return url.description }
        let target = url.target.isEmpty ? url.description + "/" : url.description
        return target + (url.target.contains("?") ? "&" : "?") + items.joined(separator: "&")
    }

    /// `text` with every key, plain or encoded, replaced by stars: an operator may quote the request.
    public func masking(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let masked = masking(bytes)
        return masked == bytes ? text : String(decoding: masked, as: UTF8.self)
    }

    /// The beginning of `text` without keys. Masking precedes the cut: the mask would not recognise a key that is cut in two.
    package func quoting(_ text: String, upTo limit: Int) -> String {
        String(masking(text).prefix(limit))
    }

    /// `bytes` with every key, plain or encoded (``KeyMask``), overwritten with as many stars.
    public func masking(_ bytes: [UInt8]) -> [UInt8] {
        let keys = secrets.map(\.value) + secretHeaders.map(\.value) + (content?.secrets ?? [])
        let ranges = KeyMask(keys.map(\.revealed)).ranges(in: bytes)
        guard !ranges.isEmpty else { return bytes }
        var result = bytes
        for range in ranges { for index in range { result[index] = UInt8(ascii: "*") } }
        return result
    }
}
