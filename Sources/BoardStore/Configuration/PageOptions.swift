public import BoardIO

/// `[page]` and `[map]`: who may use the page, and what it may refer to.
public struct PageOptions: Hashable, Sendable {
    /// Who may look.
    public enum Read: String, CaseIterable, Sendable {
        case network, paired
    }

    /// Who may press, refresh and change favourites.
    public enum Change: String, CaseIterable, Sendable, Encodable {
        case paired, network, nobody
    }

    public var read = Read.network
    public var change = Change.paired
    /// Whether owners may set up the board by phone.
    public var setup = true
    /// Whether they may, as who allows no changes allows no set-up either.
    public var allowsSetup: Bool { setup && change != .nobody }
    /// Names of the board besides the machine's own.
    public var names: [HostName] = []
    /// Networks whose devices are accepted besides those that the machine is in.
    public var networks: [NetworkPrefix] = []
    /// Pages that may embed the page in a frame.
    public var frames: [WebOrigin] = []
    /// The background of the map; nil: none.
    public var tiles: TileSource?
    /// The attribution that the owner of the tiles requires on the map; empty: the name of their server. Without effect
    /// on tiles that have their own.
    public var tilesAttribution = ""

    public init() {}
}

/// A server of map tiles, from which the browser loads them: `https://tile.example.org/{z}/{x}/{y}.png`.
public struct TileSource: Hashable, Sendable, CustomStringConvertible {
    /// With each of `{z}`, `{x}` and `{y}` once, after the host.
    public let description: String
    /// Where the tiles come from.
    public let origin: WebOrigin
    /// What a person calls their owner: "openstreetmap.org", or the host of the address with its port.
    public let name: String
    /// What their owner requires on the map, and the page that it leads to; nil for a server without a name here.
    public let credit: Credit?

    public struct Credit: Hashable, Sendable {
        public let text: String
        public let address: String
    }

    /// The server of OpenStreetMap, as its policy for tiles requires: https://operations.osmfoundation.org/policies/tiles/
    public static let openStreetMap = "openstreetmap"

    /// Parses ``openStreetMap`` or an address; nil for any other text, such as an address with a name and password, with
    /// control characters, quotes or a fragment.
    public init?(_ text: String) {
        if text == Self.openStreetMap {
            self.init(
                address: "https://tile.openstreetmap.org/{z}/{x}/{y}.png", name: "openstreetmap.org",
                credit: Credit(
                    text: "© OpenStreetMap contributors", address: "https://www.openstreetmap.org/copyright"))
        } else {
            self.init(address: text)
        }
    }

    private init?(address text: String, name: String? = nil, credit: Credit? = nil) {
        let scheme = "https://"
        guard text.hasPrefix(scheme) else { return nil }
        let rest = text.dropFirst(scheme.count)
        let authority = rest.prefix { $0 != "/" }
        let path = rest[authority.endIndex...]
        let places = ["{z}", "{x}", "{y}"]
        var plain = String(path)
        for place in places {
            guard path.ranges(of: place).count == 1 else { return nil }
            plain = plain.replacing(place, with: "")
        }
        guard plain.unicodeScalars.allSatisfy({ ("!"..."~").contains($0) }),
            !plain.contains(where: { "#\\\"'<>^`{|}@".contains($0) }), let origin = WebOrigin(scheme + authority)
        else { return nil }
        description = text
        self.origin = origin
        self.name = name ?? String(origin.description.dropFirst(scheme.count))
        self.credit = credit
    }
}
