/// The address of an MQTT broker: `mqtts://broker.example:8883`, `mqtt://broker:1883`.
public struct BrokerAddress: Hashable, Sendable, CustomStringConvertible {
    /// Whether the connection is encrypted.
    public let isSecure: Bool
    public let host: WebOrigin.Host
    public let port: UInt16

    /// Parses an address; the port is 8883 or 1883 unless it has one. Nil for any other text, such as one with a user name.
    public init?(_ text: String) {
        let schemes = [("mqtts://", true), ("mqtt://", false)]
        guard let (scheme, isSecure) = schemes.first(where: { text.lowercased().hasPrefix($0.0) }),
            let (host, port) = WebOrigin.authority(text.dropFirst(scheme.count))
        else { return nil }
        self.isSecure = isSecure
        self.host = host
        self.port = port ?? Self.usualPort(isSecure: isSecure)
    }

    /// The ports that IANA has registered for MQTT.
    private static func usualPort(isSecure: Bool) -> UInt16 { isSecure ? 8883 : 1883 }

    /// The host as the resolver takes it: a name, or a numeric address without brackets.
    public var hostText: String {
        switch host {
        case .name(let name): name.description
        case .address(let address): address.description
        }
    }

    /// Whether the host is this machine or in a home network by its spelling: a private address (RFC 1918, RFC 4193,
    /// RFC 3927, RFC 4291), a name without a dot, or of a home network.
    public var isPrivate: Bool {
        switch host {
        case .name(let name):
            let text = name.description
            return !text.contains(".") || text.hasSuffix(".localhost") || name.isOfHomeNetwork
        case .address(let address):
            return address.isLoopback || Self.privateNetworks.contains { $0.contains(address) }
        }
    }

    private static let privateNetworks = [
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "fe80::/10",
    ].compactMap { try? NetworkPrefix(written: $0) }

    /// The address with its port.
    public var description: String {
        let written = if case .address(let address) = host, !address.isIPv4 { "[\(address)]" } else { hostText }
        return "\(isSecure ? "mqtts" : "mqtt")://\(written):\(port)"
    }
}
