/// A box on a map, in degrees of WGS 84. Where `west` is greater than `east` it crosses the antimeridian.
public struct BoundingBox: Hashable, Sendable, CustomStringConvertible {
    public let south: Double
    public let west: Double
    public let north: Double
    public let east: Double

    /// Returns nil where a number is out of range or NaN, or `south` is greater than `north`.
    public init?(south: Double, west: Double, north: Double, east: Double) {
        guard Coordinates(latitude: south, longitude: west) != nil,
            Coordinates(latitude: north, longitude: east) != nil,
            south <= north
        else { return nil }
        self.south = south
        self.west = west
        self.north = north
        self.east = east
    }

    /// Parses "51.50,-0.15,51.53,-0.12": south, west, north, east.
    public init(written text: some StringProtocol) throws(BoundingBoxFault) {
        let edges = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { Coordinates.number($0) }
        guard edges.count == 4, text.count(where: { $0 == "," }) == 3 else { throw .notFourNumbers }
        if let latitude = [edges[0], edges[2]].first(where: { !(-90...90).contains($0) }) { throw .latitude(latitude) }
        if let longitude = [edges[1], edges[3]].first(where: { !(-180...180).contains($0) }) {
            throw .longitude(longitude)
        }
        guard let box = Self(south: edges[0], west: edges[1], north: edges[2], east: edges[3]) else {
            throw .upsideDown
        }
        self = box
    }

    /// "south,west,north,east", to a centimetre.
    public var description: String { [south, west, north, east].map(Coordinates.written).joined(separator: ",") }

    /// The box in parts that do not cross the antimeridian: one, or two.
    public var parts: [CoordinateBox] {
        func part(_ west: Double, _ east: Double) -> CoordinateBox {
            CoordinateBox(south: south, north: north, west: west, east: east)
        }
        return west <= east ? [part(west, east)] : [part(west, 180), part(-180, east)]
    }
}

/// A fault in a box that a user wrote. The description continues a sentence that begins with the text found.
public enum BoundingBoxFault: Error, Hashable, Sendable, CustomStringConvertible {
    case notFourNumbers
    case latitude(Double)
    case longitude(Double)
    /// South is north of north.
    case upsideDown

    public var description: String {
        switch self {
        case .notFourNumbers: "must be south,west,north,east in degrees, such as 51.50,-0.15,51.53,-0.12"
        case .latitude(let found):
            "has the latitude \(found), which must be from -90 to 90: write south,west,north,east"
        case .longitude(let found):
            "has the longitude \(found), which must be from -180 to 180: write south,west,north,east"
        case .upsideDown: "has a south edge that is north of its north edge: write south,west,north,east"
        }
    }
}
