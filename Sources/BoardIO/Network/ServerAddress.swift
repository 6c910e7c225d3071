/// The address of a server on this or another machine: a numeric IP address and a port.
///
/// A name is not allowed, because looking it up may take longer than a display may block.
public struct ServerAddress: Hashable, Sendable, CustomStringConvertible {
    /// Without brackets.
    public let host: String
    public let port: UInt16

    /// LCDd's default.
    public static let lcdd = ServerAddress(host: "127.0.0.1", port: 13_666)

    public init(host: String, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Parses `127.0.0.1:13666` or `[::1]:13666`; nil for any other text.
    public init?(_ text: String) {
        self.init(listening: text)
        guard port > 0 else { return nil }
    }

    /// Parses an address to listen on; port 0 is any free one.
    public init?(listening text: String) {
        guard let colon = text.lastIndex(of: ":"), let port: UInt16 = Self.number(text[text.index(after: colon)...])
        else { return nil }
        let host = text[..<colon]
        if host.first == "[", host.last == "]" {
            self.init(host: String(host.dropFirst().dropLast()), port: port)
            guard self.host.contains(":"), self.host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." }) else {
                return nil
            }
        } else {
            self.init(host: String(host), port: port)
            let parts = host.split(separator: ".", omittingEmptySubsequences: false)
            guard parts.count == 4, parts.allSatisfy({ Self.number($0) as UInt8? != nil }) else { return nil }
        }
    }

    /// A number without a sign, and without leading zeros, which the resolver reads as octal.
    private static func number<Number: FixedWidthInteger>(_ text: Substring) -> Number? {
        Number(text).flatMap { $0.description == text ? $0 : nil }
    }

    public var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}
