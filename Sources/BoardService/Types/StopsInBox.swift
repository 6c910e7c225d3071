/// The stops of the stop directory in a box on the map: the response to `GET /v1/stops?box=`.
public struct StopsInBox: Hashable, Sendable, Codable {
    /// Interchanges, stations and poles, in this order.
    public var stops: [StopEntry]
    /// The number of such stops in the box, of which ``stops`` may be a part.
    public var total: Int
    /// The attributions that the operators of ``stops`` require.
    public var attributions: [String]

    public init(_ stops: [StopEntry], total: Int, attributions: [String]) {
        self.stops = stops
        self.total = total
        self.attributions = attributions
    }
}
