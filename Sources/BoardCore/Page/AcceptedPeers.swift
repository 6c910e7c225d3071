/// From whom the page accepts connections: this machine, the networks that it is in, and the networks of `[page] networks`.
public enum AcceptedPeers {
    /// Whether a connection from `peer` is served.
    ///
    /// - Parameters:
    ///   - extra: `[page] networks`.
    ///   - interfaces: the networks of this machine's interfaces now; listed only where the result depends on them.
    public static func contain(
        _ peer: IPAddress, extra: [NetworkPrefix], interfaces: () -> [NetworkPrefix]
    ) -> Bool {
        peer.isLoopback || extra.contains { $0.contains(peer) } || interfaces().contains { $0.contains(peer) }
    }
}
