internal import BoardControl
internal import BoardCore

/// A map with what its letters mean: distance, code, name with letter, what calls, where it goes.
struct StopMapPage {
    /// A longer name or direction is cut.
    private static let longest = 36

    private let map: StopMap
    private let stops: [StopEntry]
    private let onLine: Set<String>

    /// A page.
    ///
    /// - Parameters:
    ///   - stop: the one in the middle, which is there.
    ///   - stops: those around, nearest first, with distances; what has no place is left out, and so are platforms that are
    ///     where their station is.
    ///   - route: a line whose way is drawn; its stops are marked ● under the map.
    ///   - columns: how wide the map is in cells, without its frame.
    ///   - rows: how high.
    init(
        around stop: StopEntry, at middle: Coordinates, stops: [StopEntry], route: RouteEntry? = nil, columns: Int,
        rows: Int
    ) {
        var places = [stop.stop: middle]
        for stop in stops { places[stop.stop] = stop.coordinates }
        let branches = route?.directions.flatMap(\.branches) ?? []
        var onLine = Set(branches.flatMap(\.stops).map(\.stop))
        var placed: [(stop: StopEntry, place: Coordinates)] = []
        for stop in stops {
            guard let place = stop.coordinates else { continue }
            if let parent = stop.parent, places[parent] == place {
                // The line calls at the platform, and the station stands for it.
                if onLine.contains(stop.stop) { onLine.insert(parent) }
            } else {
                placed.append((stop, place))
            }
        }
        self.stops = placed.map(\.stop)
        self.onLine = onLine
        map = StopMap(
            around: middle, stops: placed.map(\.place), paths: branches.map { $0.stops.compactMap(\.coordinates) },
            columns: columns, rows: rows)
    }

    /// Whether any of the line's way is on the map.
    var hasRoute: Bool { map.hasRoute }

    /// The map, and the stops on it by their letters; each line ended.
    func text(inColour: Bool = false) -> String {
        var table = TextTable()
        let distances = stops.map { $0.distanceMetres.map { Metres($0).description } ?? "" }
        let width = map.groups.joined().map { distances[$0].count }.max() ?? 0
        for (number, group) in map.groups.enumerated() {
            for (place, index) in group.enumerated() {
                let (stop, distance) = (stops[index], distances[index])
                table.add(
                    place == 0 ? StopMap.symbol(ofGroup: number) : "", onLine.contains(stop.stop) ? "●" : "",
                    stop.isFavourite ? "★" : "", String(repeating: " ", count: width - distance.count) + distance,
                    stop.stop, Self.cut(stop.nameWithLetter), stop.kindDescription,
                    stop.towards.map { Self.cut("→ \($0)") } ?? "")
            }
        }
        var text = map.text(inColour: inColour) + table.text
        if map.unnamed > 0 { text += "·  \(map.unnamed) more\n" }
        return text
    }

    private static func cut(_ text: String) -> String {
        text.count <= longest ? text : text.prefix(longest - 1) + "…"
    }
}

extension StopEntry {
    /// Where it is; nil when not told.
    fileprivate var coordinates: Coordinates? { Coordinates(latitude, longitude) }
}

extension RouteEntry.Call {
    /// Where it is; nil when not told.
    fileprivate var coordinates: Coordinates? { Coordinates(latitude, longitude) }
}

extension Coordinates {
    /// A place of two numbers, either of which may not be there.
    fileprivate init?(_ latitude: Double?, _ longitude: Double?) {
        guard let latitude, let longitude else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }
}
