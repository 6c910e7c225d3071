/// What a request line asks for: a path in segments and a query, percent-decoded.
struct RequestTarget: Hashable, Sendable {
    /// One parameter of a query.
    struct Parameter: Hashable, Sendable {
        let name: String
        let value: String
    }

    /// The path between its slashes: ["v1", "stops"].
    let path: [String]
    /// The query, in the order of the request.
    let query: [Parameter]

    /// Reads the target of a request line (RFC 9112 §3.2.1, and §3.2.2 where a proxy wrote the whole address).
    ///
    /// - Throws: ``ControlError`` where a percent sign is not followed by two digits, or what they give is no text.
    init(_ written: String) throws(ControlError) {
        var text = Substring(written)
        if text.hasPrefix("http://") {
            text = text.dropFirst("http://".count).drop { $0 != "/" }
        }
        guard text.hasPrefix("/") else {
            throw ControlError(.malformed, "the address \"\(Self.quoted(written))\" must begin with /")
        }
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var path: [String] = []
        for segment in parts[0].dropFirst().split(separator: "/", omittingEmptySubsequences: false) {
            path.append(try Self.decoded(segment, plusIsBlank: false))
        }
        // A slash at the end changes nothing.
        if path.count > 1, path.last == "" { path.removeLast() }
        self.path = path
        var query: [Parameter] = []
        for pair in parts.count == 2 ? parts[1].split(separator: "&") : [] {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let name = try Self.decoded(sides[0], plusIsBlank: true)
            guard !query.contains(where: { $0.name == name }) else {
                throw ControlError(.malformed, "the parameter \(Self.quoted(name)) is there twice")
            }
            let value = sides.count == 2 ? try Self.decoded(sides[1], plusIsBlank: true) : ""
            query.append(Parameter(name: name, value: value))
        }
        self.query = query
    }

    /// The most characters of an identifier of a stop, a line or a feed; no operator has a quarter of it.
    static let longestName = 200

    /// A text that somebody else wrote, short enough for a message.
    static func quoted(_ text: some StringProtocol) -> String {
        let most = 60
        return text.count > most ? "\(text.prefix(most))…" : String(text)
    }

    /// A text as it goes into a path or a query.
    static func encoded(_ text: String) -> String {
        var written = ""
        for byte in text.utf8 {
            let character = Character(Unicode.Scalar(byte))
            // RFC 3986 §2.3, and the colon and comma that identifiers and coordinates hold.
            if byte < 0x80, character.isLetter || character.isNumber || "-._~:,".contains(character) {
                written.append(character)
            } else {
                let digits = String(byte, radix: 16, uppercase: true)
                written += "%" + (byte < 0x10 ? "0" : "") + digits
            }
        }
        return written
    }

    private static func decoded(
        _ text: some StringProtocol, plusIsBlank: Bool
    ) throws(ControlError) -> String {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "+"), plusIsBlank {
                bytes.append(UInt8(ascii: " "))
            } else if byte == UInt8(ascii: "%") {
                let digits = String(decoding: rest.prefix(2), as: UTF8.self)
                guard digits.utf8.count == 2, digits.allSatisfy(\.isHexDigit), let value = UInt8(digits, radix: 16)
                else {
                    throw ControlError(
                        .malformed, "\"\(quoted(text))\" has a % without two digits after it: write %25 for a %")
                }
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        guard let decoded = String(validating: bytes, as: UTF8.self), !decoded.contains("\0") else {
            throw ControlError(.malformed, "\"\(quoted(text))\" is no text in UTF-8")
        }
        return decoded
    }
}
