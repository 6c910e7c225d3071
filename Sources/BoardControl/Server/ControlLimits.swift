/// Limits on a client's use of the daemon, so that a broken or hostile client cannot block another.
public struct ControlLimits: Sendable {
    /// Connections that are served at once; further ones get 503 and are closed. For eight people with two pages each.
    public var connections = 16
    /// Connections that get 503 at once; further ones are closed without a response.
    public var rejections = 8
    /// Bytes of a request's target and headers together. A browser sends about 1 kB.
    public var headers = 16_384
    public var headerCount = 64
    /// Bytes of a request's body. The longest that makes sense is a favourite with a few lines.
    public var body = 65_536
    /// The time from the first byte of a request to its last, however steadily it trickles in.
    public var request = Duration.seconds(10)
    /// The time for an action; the longest is a route that a slow operator must supply.
    public var action = Duration.seconds(60)
    /// The time for a client to read a response.
    public var response = Duration.seconds(10)
    /// The time after which an idle connection is closed.
    public var idle = Duration.seconds(30)
    /// The time for which input after the last response is discarded, so that the client can read that response before
    /// it sees the connection closed.
    public var linger = Duration.seconds(2)
    /// The time for responses in progress when the server shuts down.
    public var shutdown = Duration.seconds(1)

    /// Connections from one address on the network; twice as many from one IPv6 /64, which may be a whole household;
    /// nil: only ``connections`` limits them.
    public var connectionsPerAddress: Int?
    /// Requests from one address or /64: per second, and at once after a pause; nil: no limit.
    public var rate: (perSecond: Int, burst: Int)?
    /// Event streams that are open at once, in all and from one address (twice as many from one /64); others get 503.
    public var streams = 8
    public var streamsPerAddress = 4
    /// The time without an event after which a comment is sent: it finds clients that are gone, and after 7 s without
    /// one the page reports a lost connection.
    public var keepAlive = Duration.seconds(4)

    public init() {}
}
