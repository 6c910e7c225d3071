internal import BoardCore
internal import Glibc

/// A stop that a search found.
struct MOTISMatch: Hashable {
    let code: String
    let name: String
    let coordinates: Coordinates
    /// The town, where its name does not say so.
    let area: String?
    let modes: [String]

    /// Reads an entry of `/geocode`; nil where it is no stop.
    init?(geocoded row: JSONRow) {
        guard row.text("type") == "STOP", let code = row.text("id"), let name = row.text("name"),
            let coordinates = Coordinates(row)
        else { return nil }
        self.init(
            code: code, name: name, coordinates: coordinates,
            area: row.rows("areas") { $0.truth("default") ?? false ? $0.text("name") : nil }.first,
            modes: row.texts("modes").map { $0.lowercased() })
    }

    /// Reads an entry of `/map/stops`; nil where it says too little. A platform counts as its station.
    init?(mapped row: JSONRow) {
        guard let code = row.text("parentId") ?? row.text("stopId"), let name = row.text("name"),
            let coordinates = Coordinates(row)
        else { return nil }
        self.init(
            code: code, name: name, coordinates: coordinates, area: nil,
            modes: row.texts("modes").map { $0.lowercased() })
    }

    private init(code: String, name: String, coordinates: Coordinates, area: String?, modes: [String]) {
        self.code = code
        self.name = name
        self.coordinates = coordinates
        self.area = area.flatMap { Self.folded(name).contains(Self.folded($0)) ? nil : $0 }
        self.modes = modes
    }

    /// As the directory describes stops.
    func listed(as feed: FeedName) -> ListedStop {
        ListedStop(
            id: StopID(feed: feed, code: code), kind: .station, name: area.map { "\(name), \($0)" } ?? name,
            modes: modes, coordinates: coordinates)
    }

    /// Whether a stop is called so, whatever is between the letters.
    func isCalled(_ text: String) -> Bool { Self.folded(name) == Self.folded(text) }

    private static func folded(_ text: String) -> String {
        String(text.lowercased().filter { $0.isLetter || $0.isNumber })
    }
}

extension [MOTISMatch] {
    /// Without those that were found before: geocoders tell a stop once for each way in which its name matches.
    var once: [MOTISMatch] {
        var seen = Set<String>()
        return filter { seen.insert($0.code).inserted }
    }
}

extension Coordinates {
    /// A degree of latitude on a sphere of Earth's mean radius (IUGG), in metres.
    private static let degree = 6_371_008.8 * Double.pi / 180

    /// How far another place is, on flat ground: right to a metre for as far as anybody walks.
    func flatDistance(to other: Coordinates) -> Metres {
        let east = abs(longitude - other.longitude)
        let middle = (latitude + other.latitude) / 2
        let across = min(east, 360 - east) * Self.degree * cos(middle * .pi / 180)
        let up = (latitude - other.latitude) * Self.degree
        return Metres((across * across + up * up).squareRoot())
    }

    /// The corners of a box in which everything within `radius` is: south-west and north-east.
    func box(_ radius: Metres) -> (low: Coordinates, high: Coordinates)? {
        let up = min(radius.count / Self.degree, 90)
        let across = min(up / max(cos(latitude * .pi / 180), 0.01), 180)
        guard
            let low = Coordinates(latitude: max(-90, latitude - up), longitude: max(-180, longitude - across)),
            let high = Coordinates(latitude: min(90, latitude + up), longitude: min(180, longitude + across))
        else { return nil }
        return (low, high)
    }
}
