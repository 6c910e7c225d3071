internal import BoardCore
internal import Glibc

/// A point of the picture: pixels to the right of and below its upper left corner.
struct MapPoint: Hashable {
    var x: Double
    var y: Double
}

/// Web Mercator around a centre: the formulas of EPSG:3857 on a sphere of ``Coordinates/radiusOfEarth``, so that tiles fit below, with a scale
/// that holds at the centre.
struct MapProjection {
    /// The northernmost latitude of Web Mercator, whose world is a square.
    private static let limit = 85.051_128_779_806_6

    let size: MapRequest.Size
    /// The middle of the picture: the requested place, moved to the nearest latitude that Web Mercator has.
    private let centre: Coordinates
    private let pixelsPerRadian: Double

    init(_ request: MapRequest) {
        let latitude = min(max(request.centre.latitude, -Self.limit), Self.limit)
        centre = Coordinates(latitude: latitude, longitude: request.centre.longitude) ?? request.centre
        size = request.size
        pixelsPerRadian =
            Coordinates.radiusOfEarth * cos(latitude * .pi / 180) / request.scale.metresPerPixel
    }

    /// The position of a place, perhaps outside of the picture; nil near the Earth's poles, which Web Mercator lacks.
    func point(_ place: Coordinates) -> MapPoint? {
        guard abs(place.latitude) <= Self.limit else { return nil }
        var east = place.longitude - centre.longitude
        if east > 180 { east -= 360 } else if east < -180 { east += 360 }
        return MapPoint(
            x: Double(size.width) / 2 + east * .pi / 180 * pixelsPerRadian,
            y: Double(size.height) / 2 - (Self.northing(place.latitude) - Self.northing(centre.latitude))
                * pixelsPerRadian)
    }

    /// The box that the picture shows; nil only if a number were out of range.
    var box: BoundingBox? {
        let east = Double(size.width) / 2 / pixelsPerRadian * 180 / .pi
        let north = Double(size.height) / 2 / pixelsPerRadian
        let middle = Self.northing(centre.latitude)
        return BoundingBox(
            south: max(Self.latitude(middle - north), -Self.limit), west: Self.wrapped(centre.longitude - east),
            north: min(Self.latitude(middle + north), Self.limit), east: Self.wrapped(centre.longitude + east))
    }

    /// Half the width of the world in pixels: two points that are farther from each other are closer the other way around Earth, where
    /// the picture is not.
    var halfWorld: Double { .pi * pixelsPerRadian }

    private static func wrapped(_ longitude: Double) -> Double {
        longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude
    }

    /// The height of a latitude in Web Mercator, in radians of the equator.
    private static func northing(_ latitude: Double) -> Double { log(tan(.pi / 4 + latitude * .pi / 360)) }

    private static func latitude(_ northing: Double) -> Double { (2 * atan(exp(northing)) - .pi / 2) * 180 / .pi }
}

extension Double {
    /// A number of pixels in a document, to a tenth; far outside of every picture the nearest such number.
    var drawn: String {
        let tenths = Int((Swift.min(Swift.max(self, -100_000), 100_000) * 10).rounded())
        let (whole, rest) = (abs(tenths) / 10, abs(tenths) % 10)
        return (tenths < 0 ? "-" : "") + (rest == 0 ? "\(whole)" : "\(whole).\(rest)")
    }
}
