public import BoardCore

/// One GET.
///
/// Keys are kept apart from the address, so that what is printed, logged, compared and recorded has never held one.
public struct HTTPRequest: Sendable, CustomStringConvertible {
    /// The address without keys.
    public let url: HTTPURL
    /// Query items that no person may see; they go after those of `url`.
    public let secrets: [(name: String, value: Secret)]
    /// The most bytes of body that are taken, counted after decompression.
    public let limit: Int
    /// The time for name, connection and TLS.
    public let connectTimeout: Duration
    /// The time for all of it, from the moment at which the transfer begins.
    public let timeout: Duration

    /// A GET of `url`.
    public init(
        _ url: HTTPURL, secrets: [(name: String, value: Secret)] = [], limit: Int,
        connectTimeout: Duration = .seconds(10), timeout: Duration = .seconds(20)
    ) {
        self.url = url
        self.secrets = secrets
        self.limit = limit
        self.connectTimeout = connectTimeout
        self.timeout = timeout
    }

    /// The request without keys, for a log.
    public var description: String { "GET \(url)" }

    /// The address as it goes over the wire, keys and all: for libcurl and nobody else.
    var revealedURL: String {
        let items = secrets.map { HTTPURL.encoded($0.name) + "=" + HTTPURL.encoded($0.value.revealed) }
        guard !items.isEmpty else { return url.description }
        let target = url.target.isEmpty ? url.description + "/" : url.description
        return target + (url.target.contains("?") ? "&" : "?") + items.joined(separator: "&")
    }

    /// `text` with every key in it, plain or percent-encoded, written as stars: an operator may quote the question.
    public func masking(_ text: String) -> String {
        let bytes = Array(text.utf8)
        let masked = masking(bytes)
        return masked == bytes ? text : String(decoding: masked, as: UTF8.self)
    }

    /// `bytes` with every key in them, plain or percent-encoded, overwritten with as many stars.
    public func masking(_ bytes: [UInt8]) -> [UInt8] {
        var result = bytes
        for (_, secret) in secrets {
            for needle in Set([secret.revealed, HTTPURL.encoded(secret.revealed)]) {
                result.overwrite(Array(needle.utf8), with: UInt8(ascii: "*"))
            }
        }
        return result
    }
}

extension [UInt8] {
    /// Overwrites every occurrence of `needle`.
    fileprivate mutating func overwrite(_ needle: [UInt8], with star: UInt8) {
        guard let first = needle.first, count >= needle.count else { return }
        var position = 0
        while position <= count - needle.count {
            if self[position] == first, self[position..<position + needle.count].elementsEqual(needle) {
                replaceSubrange(position..<position + needle.count, with: repeatElement(star, count: needle.count))
                position += needle.count
            } else {
                position += 1
            }
        }
    }
}
