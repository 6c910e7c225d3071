internal import BoardCore

/// A stop on the map.
struct MapMarker {
    /// The shapes of stops, in the order in which they cover each other.
    enum Shape: String, CaseIterable {
        case pole
        /// A stop of the line on the map.
        case call
        case station, interchange, favourite

        /// The colours of the area and of its edge. A style sheet may set others by class.
        var paints: (fill: String, stroke: String) {
            switch self {
            case .pole: ("#0b57d0", "#fff")
            case .call: ("#fff", "#00695c")
            case .station: ("#b3261e", "#fff")
            case .interchange: ("#6a1b9a", "#fff")
            case .favourite: ("#ffc107", "#3e2f00")
            }
        }
    }

    /// The maximum length of a name, and of the names of the lines together, in a title. Bounds the size of a map.
    private static let longestName = 60, longestLines = 48

    let stop: String
    let name: String
    let letter: String?
    /// Name, letter, lines and distance.
    let title: String
    let shape: Shape
    let point: MapPoint
    let distance: Metres

    /// Nil for a stop without a place in the picture.
    init?(_ stop: StopEntry, isCall: Bool = false, on projection: MapProjection, from centre: Coordinates) {
        guard let latitude = stop.latitude, let longitude = stop.longitude,
            let place = Coordinates(latitude: latitude, longitude: longitude), let point = projection.point(place),
            (0...Double(projection.size.width)).contains(point.x),
            (0...Double(projection.size.height)).contains(point.y)
        else { return nil }
        self.stop = stop.stop
        self.point = point
        name = stop.name.drawn(upTo: Self.longestName)
        letter = stop.letter.map { $0.drawn(upTo: Self.longestName) }
        distance = centre.distance(to: place)
        shape =
            if stop.isFavourite { .favourite } else if isCall { .call } else {
                switch stop.kind {
                case .pole: .pole
                case .station: .station
                case .area, .interchange: .interchange
                }
            }
        let lines = stop.lines.prefix(Self.longestLines).map(\.name).joined(separator: ", ")
            .drawn(upTo: Self.longestLines)
        title =
            name.asIsolatedLine + (letter.map { " (\($0.asIsolatedLine))" } ?? "")
            + (lines.isEmpty ? "" : " · \(lines.asIsolatedLine)") + " · \(distance)"
    }
}
