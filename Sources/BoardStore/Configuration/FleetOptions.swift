public import BoardCore
public import BoardIO

/// `[fleet]`: the MQTT broker over which several boards share responses and favourites.
public struct FleetOptions: Hashable, Sendable {
    /// How long a board waits for a response of another board before it sends its own request.
    public enum Patience: Hashable, Sendable {
        /// At most this long beyond the poll interval; zero: the board is a hub, which sends its requests at once.
        case wait(Duration)
        /// The board sends no request to an operator.
        case never

        public var isHub: Bool { self == .wait(.zero) }

        /// The value in boardd.toml: "20s", "never".
        public var written: String {
            switch self {
            case .wait(let duration): duration.written
            case .never: "never"
            }
        }
    }

    /// Nil: no fleet.
    public var broker: BrokerAddress?
    /// The name of the board in topics; nil: the host name.
    public var board: FleetName?
    /// A PEM file of CA certificates; nil: the system's.
    public var certificates: String?
    public var patience = Patience.wait(.seconds(20))
    /// The list of favourites that the board shares; nil: none.
    public var list = FleetName("home")
    /// Whether the board is announced to Home Assistant.
    public var homeAssistant = true
    /// `FLEET_USER` in keys.env; nil: none.
    public var user: String?
    /// `FLEET_PASSWORD` in keys.env; nil: none.
    public var password: Secret?

    public init() {}
}

/// The name of a board or of a list of favourites in MQTT topics: 1 to 63 letters from a to z, digits and hyphens.
public struct FleetName: Hashable, Comparable, Sendable, CodableAsText {
    public static let expected = "not a name of letters from a to z, digits and hyphens"
    /// As in a label of a host name (RFC 1123, 2.1).
    private static let maximumLength = 63

    public let description: String

    /// Nil for any other text.
    public init?(_ text: some StringProtocol) {
        let isWritten = text.utf8.allSatisfy { byte in
            switch byte {
            case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"): true
            default: false
            }
        }
        guard isWritten, (1...Self.maximumLength).contains(text.utf8.count) else { return nil }
        description = String(text)
    }

    /// The first label of a host name, with hyphens for all other characters; nil if nothing is left.
    public init?(hostName: String) {
        let label = hostName.lowercased().prefix { $0 != "." }.prefix(Self.maximumLength)
        self.init(String(label.map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }))
    }

    public static func < (left: Self, right: Self) -> Bool { left.description < right.description }
}

/// The address of an MQTT broker: `mqtts://broker.example:8883`, `mqtt://broker:1883`.
public struct BrokerAddress: Hashable, Sendable, CustomStringConvertible {
    /// Whether the connection is encrypted.
    public let isSecure: Bool
    public let host: WebOrigin.Host
    public let port: UInt16

    /// Parses an address; the port defaults to 8883 or 1883. Nil for any other text, such as one with a user name.
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

    /// The host as the resolver expects it: a name, or a numeric address without brackets.
    public var hostText: String {
        switch host {
        case .name(let name): name.description
        case .address(let address): address.description
        }
    }

    /// Whether the host, by its spelling, is this machine or in a home network: a private address (RFC 1918, RFC 4193,
    /// RFC 3927, RFC 4291), a name without a dot, or a name of a home network.
    public var isPrivate: Bool {
        switch host {
        case .name(let name):
            let text = name.description
            return !text.contains(".") || text.hasSuffix(".localhost") || name.isOfHomeNetwork
        case .address(let address): return address.isLoopback || Self.privateNetworks.contains { $0.contains(address) }
        }
    }

    private static let privateNetworks = [
        "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "169.254.0.0/16", "fc00::/7", "fe80::/10",
    ].compactMap { try? NetworkPrefix(written: $0) }

    public var description: String {
        let written = if case .address(let address) = host, !address.isIPv4 { "[\(address)]" } else { hostText }
        return "\(isSecure ? "mqtts" : "mqtt")://\(written):\(port)"
    }
}
