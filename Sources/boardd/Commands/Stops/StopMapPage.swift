internal import BoardCore
internal import BoardService

/// A map with a legend: distance, code, name with letter, modes, direction.
struct StopMapPage {
    /// Longer names and directions are cut.
    private static let maximumLength = 36

    private let map: StopMap
    private let stops: [StopEntry]
    private let onLine: Set<String>

    /// - Parameters:
    ///   - stop: the one in the middle.
    ///   - stops: those around, nearest first, with distances; the map omits stops without a location, and platforms at the
    ///     location of their station.
    ///   - route: a line to draw; its stops are marked ● in the legend.
    ///   - columns: the width of the map in cells, without its frame.
    ///   - rows: its height.
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
                // The line calls at the platform, which its station represents.
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

    /// Whether any of the line's path is on the map.
    var hasRoute: Bool { map.hasRoute }

    /// The map and its legend; each line terminated.
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
        text.count <= maximumLength ? text : text.prefix(maximumLength - 1) + "…"
    }
}

extension StopEntry {
    var coordinates: Coordinates? { Coordinates(latitude, longitude) }
}

extension RouteEntry.Call {
    fileprivate var coordinates: Coordinates? { Coordinates(latitude, longitude) }
}

extension Coordinates {
    /// Nil unless both numbers are present.
    fileprivate init?(_ latitude: Double?, _ longitude: Double?) {
        guard let latitude, let longitude else { return nil }
        self.init(latitude: latitude, longitude: longitude)
    }
}
