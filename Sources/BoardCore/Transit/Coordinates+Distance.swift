// Imported by name: the core needs no other function of a library.
internal import func Glibc.asin
internal import func Glibc.cos
internal import func Glibc.sin

/// A box in degrees of WGS 84 that does not cross the antimeridian.
public struct CoordinateBox: Hashable, Sendable {
    public let south: Double
    public let north: Double
    public let west: Double
    public let east: Double

    /// Whether the box goes all the way around Earth.
    public var isBand: Bool { west == -180 && east == 180 }

    /// The south-west and north-east corners; nil where the edges are out of range.
    public var corners: (low: Coordinates, high: Coordinates)? {
        guard let low = Coordinates(latitude: south, longitude: west),
            let high = Coordinates(latitude: north, longitude: east)
        else { return nil }
        return (low, high)
    }
}

extension Coordinates {
    /// Mean radius of Earth in metres (IUGG). The error of the spherical model is at most 0.5 %.
    public static let radiusOfEarth = 6_371_008.8
    /// Half a metre in degrees: the margin for indexes with 32-bit coordinates, and for rounding.
    private static let slack = 0.000_005

    /// The great-circle distance (haversine, exact for small distances too).
    public func distance(to other: Coordinates) -> Metres {
        let north = Self.radians(other.latitude - latitude) / 2
        let east = Self.radians(other.longitude - longitude) / 2
        let half =
            sin(north) * sin(north) + cos(Self.radians(latitude)) * cos(Self.radians(other.latitude)) * sin(east)
            * sin(east)
        return Metres(2 * Self.radiusOfEarth * asin(min(1, half.squareRoot())))
    }

    /// The boxes that cover every point within `radius`: two where the circle crosses the antimeridian.
    public func boxes(within radius: Metres) -> [CoordinateBox] {
        let angle = radius.count / Self.radiusOfEarth
        let reach = Self.degrees(angle) + Self.slack
        let south = max(-90, latitude - reach)
        let north = min(90, latitude + reach)
        func box(_ west: Double, _ east: Double) -> CoordinateBox {
            CoordinateBox(south: south, north: north, west: west, east: east)
        }
        // A circle that contains a pole crosses every meridian.
        guard south > -90, north < 90, angle < .pi / 2 else { return [box(-180, 180)] }
        // The circle is widest nearer to the pole than its centre (sin of the width = sin angle / cos latitude).
        let sine = sin(angle) / cos(Self.radians(latitude))
        guard sine < 1 else { return [box(-180, 180)] }
        let width = Self.degrees(asin(sine)) + Self.slack / cos(Self.radians(latitude))
        let west = longitude - width
        let east = longitude + width
        if width > 179 { return [box(-180, 180)] }
        if west < -180 { return [box(-180, east), box(west + 360, 180)] }
        if east > 180 { return [box(west, 180), box(-180, east - 360)] }
        return [box(west, east)]
    }

    private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    private static func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
}
