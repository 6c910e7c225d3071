internal import BoardCore
internal import Glibc

/// Distances over the ground, and the boxes of degrees that hold everything within one.
enum GreatCircle {
    /// The mean radius of Earth in metres (IUGG). The sphere is off by half a per cent at most.
    private static let radius = 6_371_008.8
    /// What makes up for coordinates that the index keeps as 32-bit numbers, and for rounding: half a metre.
    private static let slack = 0.000_005

    /// A box of degrees that crosses no antimeridian.
    struct Box: Hashable, Sendable {
        let south: Double
        let north: Double
        let west: Double
        let east: Double

        /// Whether it goes right around Earth.
        var isBand: Bool { west == -180 && east == 180 }
    }

    /// Nothing on Earth is farther away.
    static let farthest = Double.pi * radius

    /// The distance of two points in metres (haversine, exact for small distances too).
    static func distance(_ from: Coordinates, _ to: Coordinates) -> Double {
        let north = radians(to.latitude - from.latitude) / 2
        let east = radians(to.longitude - from.longitude) / 2
        let half =
            sin(north) * sin(north) + cos(radians(from.latitude)) * cos(radians(to.latitude)) * sin(east) * sin(east)
        return 2 * radius * asin(min(1, half.squareRoot()))
    }

    /// The boxes that together hold every point within `metres`: two where the circle crosses the antimeridian.
    static func boxes(around point: Coordinates, metres: Double) -> [Box] {
        let angle = metres / radius
        let reach = degrees(angle) + slack
        let south = max(-90, point.latitude - reach)
        let north = min(90, point.latitude + reach)
        // A circle around a pole meets every meridian.
        guard south > -90, north < 90, angle < .pi / 2 else {
            return [Box(south: south, north: north, west: -180, east: 180)]
        }
        // The circle is widest not at its middle but nearer to the pole (sin of the width = sin angle / cos latitude).
        let sine = sin(angle) / cos(radians(point.latitude))
        guard sine < 1 else { return [Box(south: south, north: north, west: -180, east: 180)] }
        let width = degrees(asin(sine)) + slack / cos(radians(point.latitude))
        let west = point.longitude - width
        let east = point.longitude + width
        if width > 179 { return [Box(south: south, north: north, west: -180, east: 180)] }
        if west < -180 {
            return [
                Box(south: south, north: north, west: -180, east: east),
                Box(south: south, north: north, west: west + 360, east: 180),
            ]
        }
        if east > 180 {
            return [
                Box(south: south, north: north, west: west, east: 180),
                Box(south: south, north: north, west: -180, east: east - 360),
            ]
        }
        return [Box(south: south, north: north, west: west, east: east)]
    }

    private static func radians(_ degrees: Double) -> Double { degrees * .pi / 180 }
    private static func degrees(_ radians: Double) -> Double { radians * 180 / .pi }
}
