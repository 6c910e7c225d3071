public import BoardCore
import BoardIO

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
    /// The user's contact address, if the operator requests one: the end of the User-Agent. Without control characters.
    public let contact: String?
    /// The body of a POST; nil: the request is a GET.
    public let content: HTTPContent?
    /// Whether http is allowed to hosts other than loopback; never with a key.
    public let allowsPlain: Bool
    /// The largest body in bytes, after decompression.
    public let limit: Int
    /// The timeout for name resolution, connection and TLS.
    public let connectTimeout: Duration
    /// The timeout for the whole transfer, from its start (time in the queue does not count).
    public let timeout: Duration
    /// A transfer that is almost idle for this long times out; whole seconds.
    public let stalledAfter: Duration

    public init(
        _ url: HTTPURL, secrets: [(name: String, value: Secret)] = [], headers: [HTTPResponse.Header] = [],
        secretHeaders: [(name: String, value: Secret)] = [], contact: String? = nil, content: HTTPContent? = nil,
        allowsPlain: Bool = false, limit: Int, connectTimeout: Duration = .seconds(10),
        timeout: Duration = .seconds(20), stalledAfter: Duration = .seconds(60)
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

    /// The request without keys, for a log. An operator's redirect may contain the key in the URL, so it is masked.
    public var description: String { "\(method) \(masking(url.description))" }

    var method: String { content == nil ? "GET" : "POST" }

    /// The identity of the request: the URL and the content, without keys. One line.
    var matchKey: String { Self.matchKey(url.description, content: content?.description) }

    static func matchKey(_ url: String, content: String?) -> String { content.map { url + " " + $0 } ?? url }

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

/// An http or https URL that may be printed: it holds no key.
///
/// It has a host, a port, a path and a query. A user, a password and a fragment are rejected: the first two would be
/// printed, and all three can make one host look like another.
public struct HTTPURL: Hashable, Sendable, CustomStringConvertible {
    public enum Scheme: String, Hashable, Sendable {
        case http, https
    }

    public let scheme: Scheme
    /// The host in lower case; an IPv6 address in its brackets.
    public let host: String
    /// The port, unless it is the scheme's own.
    public let port: Int?
    /// Path and query as sent; empty or beginning with a slash.
    public let target: String

    public var description: String {
        "\(scheme.rawValue)://\(authority)\(target)"
    }

    /// Host and port, without the scheme's own port. Servers of one authority share a clock.
    var authority: String { host + (port.map { ":\($0)" } ?? "") }

    /// Whether the host name is loopback: `localhost`, 127.x.x.x or [::1]; no name is resolved.
    public var isLoopback: Bool { host == "localhost" || host == "[::1]" || IPAddress(host).isSomeAnd(\.isLoopback) }

    /// Parses a URL such as `https://api.tfl.gov.uk` or `http://127.0.0.1:8080/tfl`; nil for anything else.
    public init?(_ text: String) {
        guard let separator = text.firstRange(of: "://"),
            let scheme = Scheme(rawValue: text[..<separator.lowerBound].lowercased())
        else { return nil }
        let rest = text[separator.upperBound...]
        let end = rest.firstIndex { $0 == "/" || $0 == "?" || $0 == "#" } ?? rest.endIndex
        guard let (host, port) = Self.authority(rest[..<end]) else { return nil }
        let target = String(rest[end...])
        guard target.isEmpty || target.first == "/", target.utf8.allSatisfy(Self.isTargetByte) else { return nil }
        self.scheme = scheme
        self.host = host
        self.port = port == (scheme == .https ? 443 : 80) ? nil : port
        self.target = target
    }

    private init(scheme: Scheme, host: String, port: Int?, target: String) {
        self.scheme = scheme
        self.host = host
        self.port = port
        self.target = target
    }

    /// The URL with `segments` after its path, and a query; each percent-encoded (RFC 3986 §2.1).
    ///
    /// The URL itself must have no query.
    public func appending(_ segments: [String], query: [(name: String, value: String)] = []) -> HTTPURL {
        var target = self.target
        while target.hasSuffix("/") { target.removeLast() }
        for segment in segments { target += "/" + Self.encoded(segment) }
        let items = query.map { Self.encoded($0.name) + "=" + Self.encoded($0.value) }
        if !items.isEmpty { target += "?" + items.joined(separator: "&") }
        return HTTPURL(scheme: scheme, host: host, port: port, target: target)
    }

    /// `text` percent-encoded, except the comma, which is allowed in paths and queries (RFC 3986 §3.3, §3.4) and which
    /// operators use in their documented lists.
    static func encoded(_ text: String) -> String { PercentEncoding.encoded(text, except: ",") }

    private static func authority(_ text: Substring) -> (host: String, port: Int?)? {
        var host = text
        var port: Int?
        let bracket = text.lastIndex(of: "]")
        if let colon = text.lastIndex(of: ":"), bracket.isNilOr({ colon > $0 }) {
            let digits = text[text.index(after: colon)...]
            guard (1...5).contains(digits.utf8.count), digits.utf8.allSatisfy(\.isDigit), let number = Int(digits),
                (1...65_535).contains(number)
            else { return nil }
            port = number
            host = text[..<colon]
        }
        let name = host.lowercased()
        let bytes = Array(name.utf8)
        let isAddress = bytes.first == UInt8(ascii: "[") && bytes.last == UInt8(ascii: "]") && bytes.count > 3
        let inner = isAddress ? bytes[1..<(bytes.count - 1)] : bytes[...]
        let allowed = isAddress ? "0123456789abcdef:." : "0123456789abcdefghijklmnopqrstuvwxyz-."
        guard !inner.isEmpty, inner.allSatisfy(Set(allowed.utf8).contains) else { return nil }
        return (name, port)
    }

    /// Printable ASCII that is allowed in a path or a query (RFC 3986 §3.3, §3.4), and the percent sign.
    private static func isTargetByte(_ byte: UInt8) -> Bool {
        (0x21...0x7E).contains(byte) && !"\"#<>\\^`{|}".utf8.contains(byte)
    }
}
