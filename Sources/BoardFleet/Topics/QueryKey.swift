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
        let parts: [String] = [query.stop.description] + query.lines + [""] + [query.towards].compactMap(\.self)
        let bytes: [UInt8] = parts.flatMap { Array($0.utf8) + [0] }
        hash = SHA256.hash(bytes).prefix(Self.digits / 2).map { Self.hexadecimal($0) }.joined()
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

    private static func hexadecimal(_ byte: UInt8) -> String {
        let text = String(byte, radix: 16)
        return text.count == 1 ? "0" + text : text
    }
}

/// An identifier in a level of a topic: percent-encoded (RFC 3986 §2.1), so that `/`, `+` and `#` never appear.
enum TopicLevel {
    private static let hexadecimal = Array("0123456789ABCDEF".utf8)

    static func encoded(_ text: String) -> String {
        var bytes: [UInt8] = []
        for byte in text.utf8 {
            if isPlain(byte) {
                bytes.append(byte)
            } else {
                bytes += [UInt8(ascii: "%"), hexadecimal[Int(byte >> 4)], hexadecimal[Int(byte & 0xF)]]
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }

    /// Nil for a text that ``encoded(_:)`` does not return.
    static func decoded(_ level: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = level.utf8
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard let high = rest.popFirst().flatMap(hexadecimal.firstIndex),
                let low = rest.popFirst().flatMap(hexadecimal.firstIndex)
            else { return nil }
            bytes.append(UInt8(high << 4 | low))
        }
        guard let text = String(validating: bytes, as: UTF8.self), encoded(text) == level else { return nil }
        return text
    }

    /// The unreserved characters of RFC 3986 §2.3.
    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "."), UInt8(ascii: "_"),
            UInt8(ascii: "~"):
            true
        default: false
        }
    }
}
