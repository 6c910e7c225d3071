/// Where a page comes from: scheme, host and port (RFC 6454, 6.2), as browsers write it.
public struct WebOrigin: Hashable, Sendable, CustomStringConvertible {
    public enum Host: Hashable, Sendable {
        case name(HostName)
        case address(IPAddress)
    }

    public let isSecure: Bool
    public let host: Host
    public let port: UInt16

    public init(isSecure: Bool, host: Host, port: UInt16) {
        self.isSecure = isSecure
        self.host = host
        self.port = port
    }

    /// Parses `http(s)://host[:port]`, where the host is a name, an IPv4 address or an IPv6 address in brackets; nil
    /// for any other text, such as one with a path.
    public init?(_ text: String) {
        let schemes = [("https://", true), ("http://", false)]
        guard let (scheme, isSecure) = schemes.first(where: { text.lowercased().hasPrefix($0.0) }),
            let (host, port) = Self.authority(text.dropFirst(scheme.count))
        else { return nil }
        self.init(isSecure: isSecure, host: host, port: port ?? (isSecure ? 443 : 80))
    }

    /// `host[:port]`, as in the `Host` header (RFC 9110, 7.2).
    public static func authority(_ text: some StringProtocol) -> (host: Host, port: UInt16?)? {
        let end: String.Index
        let host: Host?
        if text.first == "[" {
            guard let bracket = text.firstIndex(of: "]") else { return nil }
            let inside = text[text.index(after: text.startIndex)..<bracket]
            host = inside.contains(":") ? IPAddress(inside).map(Host.address) : nil
            end = text.index(after: bracket)
        } else {
            end = text.firstIndex(of: ":") ?? text.endIndex
            host = IPAddress(text[..<end]).map(Host.address) ?? HostName(text[..<end]).map(Host.name)
        }
        guard let host else { return nil }
        guard end < text.endIndex else { return (host, nil) }
        let digits = text[text.index(after: end)...]
        guard text[end] == ":", digits.utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
            let port = UInt16(digits), port > 0
        else { return nil }
        return (host, port)
    }

    /// `http://host`, with the port if it is not the scheme's default.
    public var description: String {
        let usual: UInt16 = isSecure ? 443 : 80
        let written =
            switch host {
            case .name(let name): name.description
            case .address(let address): address.isIPv4 ? "\(address)" : "[\(address)]"
            }
        return "\(isSecure ? "https" : "http")://\(written)\(port == usual ? "" : ":\(port)")"
    }
}
