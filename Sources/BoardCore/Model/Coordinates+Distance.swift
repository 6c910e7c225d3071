// Mathematics alone, by name: the core needs nothing else of a library.
internal import func Glibc.asin
internal import func Glibc.cos
internal import func Glibc.sin

/// A box of degrees that crosses no antimeridian.
public struct CoordinateBox: Hashable, Sendable {
    /// Its lowest latitude, in degrees of WGS 84 like the other edges.
    public let south: Double
    /// Its highest latitude.
    public let north: Double
    /// Its lowest longitude.
    public let west: Double
    /// Its highest longitude.
    public let east: Double

    /// Whether it goes right around Earth.
    public var isBand: Bool { west == -180 && east == 180 }

    /// Its corner of the lowest latitude and longitude, and the opposite one; nil where the edges are no places.
    public var corners: (low: Coordinates, high: Coordinates)? {
        guard let low = Coordinates(latitude: south, longitude: west),
            let high = Coordinates(latitude: north, longitude: east)
        else { return nil }
        return (low, high)
    }
}

/// The mean radius of Earth in metres (IUGG). The sphere is off by half a per cent at most.
private let radiusOfEarth = 6_371_008.8

extension Coordinates {
    /// What makes up for coordinates that an index keeps as 32-bit numbers, and for rounding: half a metre, in degrees.
    private static let slack = 0.000_005

    /// How far another place is (haversine, exact for small distances too).
    public func distance(to other: Coordinates) -> Metres {
        let north = Self.radians(other.latitude - latitude) / 2
        let east = Self.radians(other.longitude - longitude) / 2
        let half =
            sin(north) * sin(north) + cos(Self.radians(latitude)) * cos(Self.radians(other.latitude)) * sin(east)
            * sin(east)
        return Metres(2 * radiusOfEarth * asin(min(1, half.squareRoot())))
    }

    /// The boxes that together hold every point within `radius`: two where the circle crosses the antimeridian.
    public func boxes(within radius: Metres) -> [CoordinateBox] {
        let angle = radius.count / radiusOfEarth
        let reach = Self.degrees(angle) + Self.slack
        let south = max(-90, latitude - reach)
        let north = min(90, latitude + reach)
        func box(_ west: Double, _ east: Double) -> CoordinateBox {
            CoordinateBox(south: south, north: north, west: west, east: east)
        }
        // A circle around a pole meets every meridian.
        guard south > -90, north < 90, angle < .pi / 2 else { return [box(-180, 180)] }
        // The circle is widest not at its middle but nearer to the pole (sin of the width = sin angle / cos latitude).
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

extension Metres {
    /// Half of the circumference of the sphere on which distances are told: nothing is farther away.
    public static let farthest = Metres(Double.pi * radiusOfEarth)
}
