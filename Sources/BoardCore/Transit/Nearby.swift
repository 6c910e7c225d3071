/// A search for the nearest stops of a place.
public struct Nearby: Hashable, Sendable {
    public let location: Coordinates
    /// The largest distance of a stop.
    public let radius: Metres
    public let stops: Int
    /// The modes to include, in the operator's terms ("bus"); empty: all.
    public let modes: [String]

    public init(location: Coordinates, radius: Metres = Metres(400), stops: Int = 3, modes: [String] = []) {
        self.location = location
        self.radius = radius
        self.stops = stops
        self.modes = modes
    }
}
