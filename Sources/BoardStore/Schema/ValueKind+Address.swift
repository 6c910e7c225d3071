internal import BoardCore

extension ValueKind<String> {
    /// The address of a server: https, or http to this machine, without a trailing slash.
    static let url = webAddress(allowsPlain: false)

    /// An address as ``url``; `allowsPlain`: http to other machines, too, where no key is sent.
    static func webAddress(allowsPlain: Bool) -> ValueKind {
        ValueKind(allowed: "an address such as \"https://api.example.com\"") { (node) throws(ValueErrors) in
            guard case .text(let text) = node.value else { throw .notAllowed(node) }
            if text.contains("@") || text.contains("?") {
                // The value may contain a key and is not repeated.
                let found = "an address with a name, a password or a query in it"
                throw .notAllowed(TOMLNode(value: .other, position: node.position, found: found))
            }
            guard let address = WebAddress(text) else { throw .notAllowed(node) }
            guard address.isSecure || address.isLoopback || allowsPlain else {
                throw .message(
                    "is not encrypted: must be https; http is allowed only to this machine (localhost, 127.0.0.1, [::1])",
                    node)
            }
            return address.text
        }
    }
}

/// A web address, as far as the configuration checks it.
struct WebAddress {
    /// The address without a trailing slash.
    let text: String
    /// Whether the scheme is https.
    let isSecure: Bool
    /// The host, without brackets.
    let host: String

    /// Parses `http(s)://host[:port][/path]`; nil for any other text. Rejects a name and password (a secret in the wrong
    /// file), and a query or fragment, to which no path can be appended. Also rejects whatever a feed would reject when it
    /// starts.
    init?(_ text: String) {
        let secure = "https://"
        let plain = "http://"
        guard let scheme = [secure, plain].first(where: text.hasPrefix) else { return nil }
        let rest = text.dropFirst(scheme.count)
        guard rest.unicodeScalars.allSatisfy({ ("!"..."~").contains($0) }),
            !rest.contains(where: { "@?#\\\"<>^`{|}".contains($0) })
        else { return nil }
        let authority = rest.prefix { $0 != "/" }
        guard let host = Self.host(of: authority) else { return nil }
        self.host = host
        isSecure = scheme == secure
        var end = text[...]
        while end.last == "/" { end.removeLast() }
        self.text = String(end)
    }

    /// The host of `host[:port]` or `[host][:port]`; nil where either is invalid.
    private static func host(of authority: Substring) -> String? {
        let host: Substring
        let port: Substring
        if authority.first == "[" {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            host = authority[authority.index(after: authority.startIndex)..<end]
            port = authority[authority.index(after: end)...]
            guard host.contains(":"), host.count > 1, host.allSatisfy({ $0.isHexDigit || $0 == ":" || $0 == "." })
            else { return nil }
        } else {
            host = authority.prefix { $0 != ":" }
            port = authority[host.endIndex...]
            guard !host.isEmpty, host.allSatisfy({ $0.isLetter || $0.isDigit || "-.".contains($0) }) else {
                return nil
            }
        }
        if !port.isEmpty {
            let digits = port.dropFirst()
            guard port.first == ":", digits.count <= 5, digits.allSatisfy(\.isDigit), let number = UInt16(digits),
                number > 0
            else {
                return nil
            }
        }
        return String(host)
    }

    /// Whether the host is this machine by its spelling: 127.0.0.0/8 (RFC 6890), ::1 or localhost (RFC 6761).
    var isLoopback: Bool {
        if host.lowercased() == "localhost" || host == "::1" { return true }
        let parts = host.split(separator: ".", omittingEmptySubsequences: false)
        return parts.count == 4 && parts[0] == "127"
            && parts.allSatisfy { $0.allSatisfy(\.isDigit) && UInt8($0) != nil && ($0 == "0" || $0.first != "0") }
    }
}

extension ValueKind<DisplayWiring.Address> {
    /// "auto", or an address that a driver's displays can have.
    static func address(of driver: DisplayWiring.Driver) -> ValueKind {
        switch driver {
        case .hd44780, .none: address(in: Expander.pcf8574.addresses)
        case .ssd1306, .sh1106: address(in: [DisplayWiring.oledAddresses])
        case .ht16k33, .lcdproc: .word(["auto": .auto], order: ["auto"])
        }
    }

    private static func address(in ranges: [ClosedRange<UInt8>]) -> ValueKind {
        let allowed = ranges.map { "from \(BusFault.hex($0.lowerBound)) to \(BusFault.hex($0.upperBound))" }
        return ValueKind(allowed: "an address \(allowed.joinedAsAlternatives()), without quotes") {
            (node) throws(ValueErrors) in
            guard case .integer(let number) = node.value, let address = UInt8(exactly: number),
                ranges.contains(where: { $0.contains(address) })
            else { throw .notAllowed(node) }
            return .fixed(address)
        }.or("auto", .auto)
    }
}
