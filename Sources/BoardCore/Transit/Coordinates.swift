// Imported by name: the core needs no other function of a library.
import func Glibc.asin
import func Glibc.cos
import func Glibc.sin

/// A point on Earth in degrees of WGS 84.
public struct Coordinates: Hashable, Sendable, CustomStringConvertible {
    /// Degrees north of the equator, from -90 to 90.
    public let latitude: Double
    /// Degrees east of Greenwich, from -180 to 180.
    public let longitude: Double

    /// Returns nil if a number is out of range or NaN.
    public init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Also nil if a number is missing.
    public init?(latitude: Double?, longitude: Double?) {
        guard let latitude, let longitude else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }

    /// Parses "51.5154,-0.1419" as copied from a map; a blank may follow the comma. Or a link of a map.
    ///
    /// - Throws: the end of a sentence that begins with the text: ``notCoordinates``, or what is wrong with a number.
    public init(written text: some StringProtocol) throws(PlainError) {
        if Self.isLink(text) {
            self = try Self(link: text)
            return
        }
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let latitude = Self.number(parts[0]), let longitude = Self.number(parts[1]) else {
            throw Self.notCoordinates
        }
        if let point = Coordinates(latitude: latitude, longitude: longitude) {
            self = point
        } else if let swapped = Coordinates(latitude: longitude, longitude: latitude) {
            throw PlainError("has longitude and latitude swapped: write \(swapped)")
        } else if (-90...90).contains(latitude) {
            let found = parts[1].drop { $0 == " " }
            throw PlainError("has the longitude \(found), which must be from -180 to 180")
        } else {
            throw PlainError("has the latitude \(parts[0]), which must be from -90 to 90")
        }
    }

    /// The error for a text that is not two numbers.
    public static let notCoordinates = PlainError("must be latitude and longitude in degrees, such as 51.5154,-0.1419")

    /// "latitude,longitude", to a centimetre.
    public var description: String { Self.written(latitude) + "," + Self.written(longitude) }

    /// Degrees with the digits needed, at most seven, and without an exponent.
    static func written(_ degrees: Double) -> String {
        let unit = 10_000_000
        let whole = Int((abs(degrees) * Double(unit)).rounded())
        var digits = String(String(whole % unit + unit).dropFirst())
        while digits.last == "0", digits.count > 1 { digits.removeLast() }
        return (degrees < 0 && whole > 0 ? "-" : "") + "\(whole / unit).\(digits)"
    }

    /// A number in digits, without an exponent; blanks around it are ignored.
    static func number(_ text: some StringProtocol) -> Double? {
        let digits = text.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed()
        let allowed = digits.allSatisfy { $0.isASCII && ($0.isNumber || $0 == "." || $0 == "-" || $0 == "+") }
        return allowed ? Double(String(digits)) : nil
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

    /// The boxes that cover every point within `radius`, none across the antimeridian: two if the circle crosses it.
    public func boxes(within radius: Metres) -> [BoundingBox] {
        let angle = radius.count / Self.radiusOfEarth
        let reach = Self.degrees(angle) + Self.slack
        let south = max(-90, latitude - reach)
        let north = min(90, latitude + reach)
        func box(_ west: Double, _ east: Double) -> BoundingBox { BoundingBox(south, west, north, east) }
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

/// A box on a map, in degrees of WGS 84. Where `west` is greater than `east` it crosses the antimeridian.
public struct BoundingBox: Hashable, Sendable, CustomStringConvertible {
    public let south: Double
    public let west: Double
    public let north: Double
    public let east: Double

    /// Returns nil if a number is out of range or NaN, or `south` is greater than `north`.
    public init?(south: Double, west: Double, north: Double, east: Double) {
        guard Coordinates(latitude: south, longitude: west) != nil,
            Coordinates(latitude: north, longitude: east) != nil, south <= north
        else { return nil }
        self.init(south, west, north, east)
    }

    fileprivate init(_ south: Double, _ west: Double, _ north: Double, _ east: Double) {
        self.south = south
        self.west = west
        self.north = north
        self.east = east
    }

    /// Parses "51.50,-0.15,51.53,-0.12": south, west, north, east.
    ///
    /// - Throws: the end of a sentence that begins with the text.
    public init(written text: some StringProtocol) throws {
        let edges = text.split(separator: ",", omittingEmptySubsequences: false).compactMap { Coordinates.number($0) }
        guard edges.count == 4, text.count(where: { $0 == "," }) == 3 else {
            throw PlainError("must be south,west,north,east in degrees, such as 51.50,-0.15,51.53,-0.12")
        }
        if let latitude = [edges[0], edges[2]].first(where: { !(-90...90).contains($0) }) {
            throw PlainError("has the latitude \(latitude), which must be from -90 to 90: write south,west,north,east")
        }
        if let longitude = [edges[1], edges[3]].first(where: { !(-180...180).contains($0) }) {
            throw PlainError(
                "has the longitude \(longitude), which must be from -180 to 180: write south,west,north,east")
        }
        guard let box = Self(south: edges[0], west: edges[1], north: edges[2], east: edges[3]) else {
            throw PlainError("has a south edge that is north of its north edge: write south,west,north,east")
        }
        self = box
    }

    /// "south,west,north,east", to a centimetre.
    public var description: String { [south, west, north, east].map(Coordinates.written).joined(separator: ",") }

    /// The box in parts that do not cross the antimeridian: one, or two.
    public var parts: [BoundingBox] {
        west <= east ? [self] : [BoundingBox(south, west, north, 180), BoundingBox(south, -180, north, east)]
    }

    /// Whether the box goes all the way around Earth.
    public var isBand: Bool { west == -180 && east == 180 }

    /// The south-west and north-east corners; nil if rounding has moved an edge out of range.
    public var corners: (low: Coordinates, high: Coordinates)? {
        guard let low = Coordinates(latitude: south, longitude: west),
            let high = Coordinates(latitude: north, longitude: east)
        else { return nil }
        return (low, high)
    }
}

/// A straight-line distance in metres.
public struct Metres: Hashable, Comparable, Sendable, CustomStringConvertible {
    /// Not negative.
    public let count: Double

    public init(_ count: Double) { self.count = count }

    public static func < (left: Metres, right: Metres) -> Bool { left.count < right.count }

    /// Half of Earth's circumference, rounded up: the largest distance between two places.
    public static let halfwayRoundEarth = Metres(20_100_000)

    /// The largest value shown: larger numbers would overflow an integer.
    private static let maximumShown = 1e12

    /// "120 m" to the nearest ten, "1.4 km" from a kilometre up; below ten metres to the metre. Values out of range are
    /// shown as the nearest valid one.
    public var description: String {
        let count = min(max(0, self.count), Self.maximumShown)
        if count < 9.5 { return "\(Int(count.rounded())) m" }
        let tens = Int((count / 10).rounded()) * 10
        if tens < 1_000 { return "\(tens) m" }
        let hundreds = Int((count / 100).rounded())
        return "\(hundreds / 10).\(hundreds % 10) km"
    }
}

extension Coordinates {
    /// Whether a text is the address of a map rather than degrees or a name.
    public static func isLink(_ text: some StringProtocol) -> Bool { text.contains("://") || text.hasPrefix("geo:") }

    /// The place in a link of OpenStreetMap, Google Maps or Apple Maps, or in a geo URI (RFC 5870): its marker, otherwise
    /// the centre of the map.
    ///
    /// - Throws: the end of a sentence that begins with the text.
    init(link text: some StringProtocol) throws(PlainError) {
        let link = String(text).replacing("%2C", with: ",").replacing("%2c", with: ",").replacing("%3A", with: ":")
        let patterns: [Regex<(Substring, Substring, Substring)>] = [
            /[?&]mlat=([-+]?[\d.]+)&mlon=([-+]?[\d.]+)/, /!3d([-+]?[\d.]+)!4d([-+]?[\d.]+)/,
            /[?&](?:ll|q|query|center|coordinate|daddr|destination)=(?:loc:)?([-+]?[\d.]+),[+ ]?([-+]?[\d.]+)/,
            /^geo:([-+]?[\d.]+),([-+]?[\d.]+)/, /#map=[\d.]+\/([-+]?[\d.]+)\/([-+]?[\d.]+)/,
            /[@\/]([-+]?[\d.]+),\+?([-+]?[\d.]+)/,
        ]
        for pattern in patterns {
            guard let found = link.firstMatch(of: pattern)?.output, let latitude = Self.number(found.1),
                let longitude = Self.number(found.2), let place = Coordinates(latitude: latitude, longitude: longitude)
            else { continue }
            self = place
            return
        }
        throw PlainError("is a link without coordinates: open it, and copy the address that the browser then shows")
    }
}
