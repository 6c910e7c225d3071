internal import BoardCore
internal import BoardFormats

/// A stop in search results.
struct MOTISMatch: Hashable {
    let code: String
    let name: String
    let coordinates: Coordinates
    /// The town, if the stop's name does not contain it.
    let area: String?
    let modes: [String]
}

extension MOTISMatch {
    /// Decodes an entry of `/geocode`; nil if it is not a stop.
    init?(geocoded row: JSONRow) {
        guard row.text("type") == "STOP", let code = row.text("id"), let name = row.text("name"),
            let coordinates = row.coordinates()
        else { return nil }
        self.init(
            code: code, name: name, coordinates: coordinates,
            area: Self.area(row), modes: Self.modes(row))
    }

    /// Decodes an entry of `/map/stops`; nil if incomplete. A platform counts as its station.
    init?(mapped row: JSONRow) {
        guard let code = row.text("parentId") ?? row.text("stopId"), let name = row.text("name"),
            let coordinates = row.coordinates()
        else { return nil }
        self.init(
            code: code, name: name, coordinates: coordinates, area: nil, modes: Self.modes(row))
    }

    /// The town: the area that the search text matched, else the geocoder's default. Nil if the stop's name contains a town
    /// already, since the default may be a parish that would confuse.
    private static func area(_ row: JSONRow) -> String? {
        struct Area {
            let name: String
            let isMatched: Bool
            let isDefault: Bool
            let isTown: Bool
        }
        let areas = row.rows("areas") { row in
            row.text("name").map {
                Area(
                    name: $0, isMatched: row.truth("matched") ?? false, isDefault: row.truth("default") ?? false,
                    isTown: row.integer("adminLevel").map { townLevels.contains($0) } ?? true)
            }
        }
        let matched = areas.filter(\.isMatched)
        guard let area = matched.first(where: \.isTown) ?? matched.first ?? areas.first(where: \.isDefault) else {
            return nil
        }
        let name = folded(row.text("name") ?? "")
        let isNamed = (areas.filter(\.isTown) + [area]).contains { name.contains(folded($0.name)) }
        return isNamed ? nil : area.name
    }

    /// OpenStreetMap's administrative levels of towns: below regions, above their districts.
    private static let townLevels = 6...8

    /// The distinct modes, in the words of the stop directory.
    private static func modes(_ row: JSONRow) -> [String] {
        row.texts("modes").map(\.riderMode).uniqued()
    }

    func listed(as feed: FeedName) -> ListedStop {
        ListedStop(
            id: StopID(feed: feed, code: code), kind: .station, name: area.map { "\(name), \($0)" } ?? name,
            modes: modes, coordinates: coordinates)
    }

    /// Whether the stop has this name, ignoring case and punctuation.
    func isCalled(_ text: String) -> Bool { Self.folded(name) == Self.folded(text) }

    /// Whether this is a part of another stop, such as the one across the road.
    func isSameStop(as other: MOTISMatch) -> Bool {
        code == other.code
            || isCalled(other.name) && coordinates.distance(to: other.coordinates) <= MOTISFeed.walkingDistance
    }

    private static func folded(_ text: String) -> String {
        String(text.lowercased().filter { $0.isLetter || $0.isNumber })
    }
}

extension String {
    /// A mode of MOTIS in riders' words, as for GTFS: "REGIONAL_RAIL" is "train". Others are their own words in lower case.
    fileprivate var riderMode: String {
        switch self {
        // "METRO" was "SUBURBAN" before API version 5, and searches still use that.
        case "RAIL", "HIGHSPEED_RAIL", "LONG_DISTANCE", "NIGHT_RAIL", "REGIONAL_RAIL", "REGIONAL_FAST_RAIL",
            "SUBURBAN", "METRO":
            "train"
        case "SUBWAY": "metro"
        case "CABLE_CAR": "cable-tram"
        case "AERIAL_LIFT", "AREAL_LIFT": "cable-car"
        case "AIRPLANE": "plane"
        default: String(lowercased().map { $0 == "_" ? "-" : $0 })
        }
    }
}
