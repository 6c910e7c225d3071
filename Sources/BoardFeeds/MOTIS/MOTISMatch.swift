internal import BoardCore

/// A stop that a search found.
struct MOTISMatch: Hashable {
    let code: String
    let name: String
    let coordinates: Coordinates
    /// The town, where the stop's name says none.
    let area: String?
    let modes: [String]

    /// Reads an entry of `/geocode`; nil where it is no stop.
    init?(geocoded row: JSONRow) {
        guard row.text("type") == "STOP", let code = row.text("id"), let name = row.text("name"),
            let coordinates = Coordinates(row)
        else { return nil }
        self.init(
            code: code, name: name, coordinates: coordinates,
            area: Self.area(row), modes: Self.modes(row))
    }

    /// Reads an entry of `/map/stops`; nil where it says too little. A platform counts as its station.
    init?(mapped row: JSONRow) {
        guard let code = row.text("parentId") ?? row.text("stopId"), let name = row.text("name"),
            let coordinates = Coordinates(row)
        else { return nil }
        self.init(
            code: code, name: name, coordinates: coordinates, area: nil, modes: Self.modes(row))
    }

    private init(code: String, name: String, coordinates: Coordinates, area: String?, modes: [String]) {
        self.code = code
        self.name = name
        self.coordinates = coordinates
        self.area = area
        self.modes = modes
    }

    /// The town: the area that the text which was searched names, else the one that the geocoder would write. Where the
    /// stop's name says one of its own, another would be a puzzle: what the geocoder would write may be a parish.
    private static func area(_ row: JSONRow) -> String? {
        struct Area {
            let name: String
            let isMatched: Bool
            let isUsual: Bool
            let isTown: Bool
        }
        let areas = row.rows("areas") { row in
            row.text("name").map {
                Area(
                    name: $0, isMatched: row.truth("matched") ?? false, isUsual: row.truth("default") ?? false,
                    isTown: row.integer("adminLevel").map { townLevels.contains($0) } ?? true)
            }
        }
        let matched = areas.filter(\.isMatched)
        guard let area = matched.first(where: \.isTown) ?? matched.first ?? areas.first(where: \.isUsual) else {
            return nil
        }
        let name = folded(row.text("name") ?? "")
        let isSaid = (areas.filter(\.isTown) + [area]).contains { name.contains(folded($0.name)) }
        return isSaid ? nil : area.name
    }

    /// The administrative levels of OpenStreetMap at which towns are: below regions, above their quarters.
    private static let townLevels = 6...8

    /// What calls there, in the words of the stop directory, each once.
    private static func modes(_ row: JSONRow) -> [String] {
        var modes: [String] = []
        for mode in row.texts("modes").map(\.riderMode) where !modes.contains(mode) { modes.append(mode) }
        return modes
    }

    /// As the directory describes stops.
    func listed(as feed: FeedName) -> ListedStop {
        ListedStop(
            id: StopID(feed: feed, code: code), kind: .station, name: area.map { "\(name), \($0)" } ?? name,
            modes: modes, coordinates: coordinates)
    }

    /// Whether a stop is called so, whatever is between the letters.
    func isCalled(_ text: String) -> Bool { Self.folded(name) == Self.folded(text) }

    /// Whether this is a part of another stop, or that on the other side of the road.
    func isSameStop(as other: MOTISMatch) -> Bool {
        code == other.code
            || isCalled(other.name) && coordinates.distance(to: other.coordinates) <= MOTISFeed.walkingDistance
    }

    private static func folded(_ text: String) -> String {
        String(text.lowercased().filter { $0.isLetter || $0.isNumber })
    }
}

extension [MOTISMatch] {
    /// Without those that were found before: geocoders tell a stop once for each way in which its name matches.
    var deduplicated: [MOTISMatch] {
        var seen = Set<String>()
        return filter { seen.insert($0.code).inserted }
    }
}

extension String {
    /// A mode of MOTIS in riders' words, as timetables' modes are listed: "REGIONAL_RAIL" as "train". What is not known
    /// goes by its own word.
    fileprivate var riderMode: String {
        switch self {
        // "METRO" was "SUBURBAN" before the fifth version, and searches have kept theirs.
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
