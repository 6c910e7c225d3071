internal import BoardCore
internal import BoardIO

/// A query in the names of topics: the same on all boards that fetch the same departures.
struct QueryKey: Hashable, Sendable, CustomStringConvertible {
    /// The hexadecimal digits of a hash.
    private static let digits = 8

    let stop: StopID
    /// The first eight hexadecimal digits of the SHA-256 of the stop, the lines and `towards`, each followed by a NUL byte.
    let hash: String

    init(_ query: DepartureQuery) {
        stop = query.stop
        // The empty text separates the lines from `towards`.
        let parts: [String] = [query.stop.description] + query.lines + [""] + query.towards
        let bytes: [UInt8] = parts.flatMap { Array($0.utf8) + [0] }
        hash = SHA256.hash(bytes).prefix(Self.digits / 2).map { $0.padded(to: 2, radix: 16) }.joined()
    }

    /// Parses the levels of a topic; nil for any others.
    init?(feed: Substring, code: Substring, hash: Substring) {
        guard let feed = TopicLevel.decoded(feed), let code = TopicLevel.decoded(code), !feed.isEmpty, !code.isEmpty,
            hash.utf8.count == Self.digits,
            hash.utf8.allSatisfy({
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
                    || (UInt8(ascii: "a")...UInt8(ascii: "f")).contains($0)
            })
        else { return nil }
        stop = StopID(feed: FeedName(feed), code: code)
        self.hash = String(hash)
    }

    /// The levels of a topic.
    var levels: String {
        "\(TopicLevel.encoded(stop.feed.description))/\(TopicLevel.encoded(stop.code))/\(hash)"
    }

    var description: String { "\(stop) (\(hash))" }
}

/// An identifier in a level of a topic: percent-encoded (RFC 3986 §2.1), so that `/`, `+` and `#` never appear.
enum TopicLevel {
    static func encoded(_ text: String) -> String { PercentEncoding.encoded(text) }

    /// Nil for a text that ``encoded(_:)`` does not return.
    static func decoded(_ level: Substring) -> String? {
        let text = PercentEncoding.decoded(level).flatMap { String(validating: $0, as: UTF8.self) }
        return text.flatMap { encoded($0) == level ? $0 : nil }
    }
}
