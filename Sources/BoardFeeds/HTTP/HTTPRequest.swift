public import BoardCore

/// One question: a GET, or a POST where it has content.
///
/// Keys are kept apart from the address, so that what is printed, logged, compared and recorded has never held one.
public struct HTTPRequest: Sendable, CustomStringConvertible {
    /// The address without keys.
    public let url: HTTPURL
    /// Query items that no person may see; they go after those of `url`.
    public let secrets: [(name: String, value: Secret)]
    /// Header lines that anybody may see.
    public let headers: [HTTPResponse.Header]
    /// Header lines whose value no person may see.
    public let secretHeaders: [(name: String, value: Secret)]
    /// How whoever asks can be reached, where an operator wants to know; the User-Agent ends with it. Without control characters.
    public let contact: String?
    /// What is posted; nil: nothing, and the request is a GET.
    public let content: HTTPContent?
    /// The most bytes of body that are taken, counted after decompression.
    public let limit: Int
    /// The time for name, connection and TLS.
    public let connectTimeout: Duration
    /// The time for all of it, from the moment at which the transfer begins.
    public let timeout: Duration
    /// A transfer that brings next to nothing for so long ends as one that timed out; whole seconds.
    public let stalledAfter: Duration

    /// A question to `url`.
    public init(
        _ url: HTTPURL, secrets: [(name: String, value: Secret)] = [], headers: [HTTPResponse.Header] = [],
        secretHeaders: [(name: String, value: Secret)] = [], contact: String? = nil, content: HTTPContent? = nil,
        limit: Int, connectTimeout: Duration = .seconds(10), timeout: Duration = .seconds(20),
        stalledAfter: Duration = .seconds(60)
    ) {
        self.url = url
        self.secrets = secrets
        self.headers = headers
        self.secretHeaders = secretHeaders
        self.contact = contact
        self.content = content
        self.limit = limit
        self.connectTimeout = connectTimeout
        self.timeout = timeout
        self.stalledAfter = stalledAfter
    }

    /// The request without keys, for a log; an operator that moves a file may write the key into the address.
    public var description: String { "\(method) \(masking(url.description))" }

    /// GET or POST.
    var method: String { content == nil ? "GET" : "POST" }

    /// What tells one question from another: the address and what is posted, without keys. One line.
    var matchKey: String { Self.matchKey(url.description, content: content?.description) }

    /// What tells a question of this address and content from another.
    static func matchKey(_ url: String, content: String?) -> String {
        content.map { url + " " + $0 } ?? url
    }

    /// The address as it goes over the wire, keys and all: for libcurl and nobody else.
    var revealedURL: String {
        let items = secrets.map { HTTPURL.encoded($0.name) + "=" + HTTPURL.encoded($0.value.revealed) }
        guard !items.isEmpty else { return url.description }
        let target = url.target.isEmpty ? url.description + "/" : url.description
        return target + (url.target.contains("?") ? "&" : "?") + items.joined(separator: "&")
    }

    /// `text` with every key in it, plain or encoded, written as stars: an operator may quote the question.
    public func masking(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let masked = masking(bytes)
        return masked == bytes ? text : String(decoding: masked, as: UTF8.self)
    }

    /// The beginning of `text` without keys. They are masked first: of one at the cut its beginning would be left,
    /// which nobody recognises.
    func quoting(_ text: String, upTo limit: Int) -> String {
        String(masking(text).prefix(limit))
    }

    /// `bytes` with every key in them, plain or encoded (``KeyMask``), overwritten with as many stars.
    public func masking(_ bytes: [UInt8]) -> [UInt8] {
        let keys = secrets.map(\.value) + secretHeaders.map(\.value) + (content?.secrets ?? [])
        let ranges = KeyMask(keys.map(\.revealed)).ranges(in: bytes)
        guard !ranges.isEmpty else { return bytes }
        var result = bytes
        for range in ranges { for index in range { result[index] = UInt8(ascii: "*") } }
        return result
    }
}
