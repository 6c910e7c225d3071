/// How much of the daemon a client may take, so that none that is broken or hostile holds up another.
public struct ControlLimits: Hashable, Sendable {
    /// Connections that are served at once; one more is told so (503) and closed. Eight people with two pages each.
    public var connections = 16
    /// Bytes of a request's address and headers together. A browser sends about 1 kB.
    public var headers = 16_384
    /// Headers of a request.
    public var headerCount = 64
    /// Bytes of a request's body. The longest that makes sense is a favourite with some lines.
    public var body = 65_536
    /// A whole request must have come this long after its first byte, however busily it drips.
    public var request = Duration.seconds(10)
    /// An action must be over after this; a route that is asked of a slow operator is the longest.
    public var action = Duration.seconds(60)
    /// A client must have taken an answer after this.
    public var response = Duration.seconds(10)
    /// A connection on which nothing is asked is kept this long.
    public var idle = Duration.seconds(30)
    /// What a client still sends after the last answer is thrown away for this long, so that it can read that answer
    /// before it meets a closed connection.
    public var linger = Duration.seconds(2)
    /// Answers that are under way when the server ends have this long.
    public var shutdown = Duration.seconds(1)

    /// The defaults, documented on each.
    public init() {}
}
