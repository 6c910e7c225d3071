/// A point on Earth in degrees of WGS 84.
public struct Coordinates: Hashable, Sendable, CustomStringConvertible {
    /// Degrees north of the equator, from -90 to 90.
    public let latitude: Double
    /// Degrees east of Greenwich, from -180 to 180.
    public let longitude: Double

    /// Returns nil where a number is out of range or NaN.
    public init?(latitude: Double, longitude: Double) {
        guard (-90...90).contains(latitude), (-180...180).contains(longitude) else { return nil }
        self.latitude = latitude
        self.longitude = longitude
    }

    /// Parses "51.5154,-0.1419" as copied from a map; a blank may follow the comma.
    public init(written text: some StringProtocol) throws(CoordinatesFault) {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        guard parts.count == 2, let latitude = Self.number(parts[0]), let longitude = Self.number(parts[1]) else {
            throw .notCoordinates(String(text))
        }
        if let point = Coordinates(latitude: latitude, longitude: longitude) {
            self = point
        } else if let swapped = Coordinates(latitude: longitude, longitude: latitude) {
            throw .swapped(swapped)
        } else if (-90...90).contains(latitude) {
            throw .longitude(String(parts[1].drop { $0 == " " }))
        } else {
            throw .latitude(String(parts[0]))
        }
    }

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

/// A fault in coordinates that a user wrote. The description continues a sentence that begins with the text found.
public enum CoordinatesFault: Error, Hashable, Sendable, CustomStringConvertible {
    case notCoordinates(String)
    /// The first number is not a latitude, but both are valid when exchanged. Contains the exchanged point.
    case swapped(Coordinates)
    case latitude(String)
    case longitude(String)

    public var description: String {
        switch self {
        case .notCoordinates: "must be latitude and longitude in degrees, such as 51.5154,-0.1419"
        case .swapped(let corrected): "has longitude and latitude swapped: write \(corrected)"
        case .latitude(let found): "has the latitude \(found), which must be from -90 to 90"
        case .longitude(let found): "has the longitude \(found), which must be from -180 to 180"
        }
    }
}
