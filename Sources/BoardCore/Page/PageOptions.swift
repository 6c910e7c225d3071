/// `[page]`: who may use the page, and what it may refer to.
public struct PageOptions: Hashable, Sendable {
    /// Who may look.
    public enum Read: String, CaseIterable, Sendable {
        case network, paired
    }

    /// Who may press, refresh and change favourites.
    public enum Change: String, CaseIterable, Sendable {
        case paired, network, nobody
    }

    public var read = Read.network
    public var change = Change.paired
    /// Names of the board besides the machine's own.
    public var names: [HostName] = []
    /// Networks whose devices are accepted besides those that the machine is in.
    public var networks: [NetworkPrefix] = []
    /// Pages that may embed the page in a frame.
    public var frames: [WebOrigin] = []
    /// The background of the map; nil: none.
    public var tiles: TileSource?
    /// The attribution that the owner of the tiles requires on the map; empty: the name of their server.
    public var tilesAttribution = ""

    public init() {}
}

/// Whose connections the page accepts: this machine's, and those from its networks and from `[page] networks`.
public enum AcceptedPeers {
    /// Whether a connection from `peer` is served.
    ///
    /// - Parameters:
    ///   - extra: `[page] networks`.
    ///   - interfaces: the networks of this machine's interfaces now; listed only if the result depends on them.
    public static func contain(
        _ peer: IPAddress, extra: [NetworkPrefix], interfaces: () -> [NetworkPrefix]
    ) -> Bool {
        peer.isLoopback || extra.contains { $0.contains(peer) } || interfaces().contains { $0.contains(peer) }
    }
}
