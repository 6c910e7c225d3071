internal import BoardCore
internal import Glibc

/// A small map: north is up, a given location is in the middle, and a cell is twice as high as wide.
///
/// Degrees become metres around the middle, those of longitude shortened by the cosine of its latitude: over the kilometres
/// of such a map the error is invisible.
struct MapView: Hashable {
    /// The length of a degree of latitude on a sphere of Earth's mean radius (IUGG), in metres.
    private static let degree = 6_371_008.8 * .pi / 180
    /// The smallest half of a map, in metres: distances below are not shown in detail.
    private static let minimumExtent = 100.0

    /// In cells.
    let columns: Int
    let rows: Int
    /// The width of a cell in metres; it is twice as high.
    let metresPerColumn: Double
    private let middle: Coordinates

    /// A view of so many cells, at least 3 each way, that contains all of `places`.
    init(around middle: Coordinates, showing places: [Coordinates], columns: Int, rows: Int) {
        self.middle = middle
        self.columns = max(3, columns)
        self.rows = max(3, rows)
        // Places at the edge must still be in a cell, and the middle has one of its own.
        let (across, down) = (Double((self.columns - 1) / 2), Double((self.rows - 1) / 2))
        var metres = Self.minimumExtent / (2 * down)
        for place in places {
            let (east, north) = Self.metres(from: middle, to: place)
            metres = max(metres, abs(east) / across, abs(north) / (2 * down))
        }
        metresPerColumn = metres
    }

    /// The position of a place, in cells from the left and from the top; it may be outside.
    func position(of place: Coordinates) -> (x: Double, y: Double) {
        let (east, north) = Self.metres(from: middle, to: place)
        return (
            Double(columns / 2) + 0.5 + east / metresPerColumn, Double(rows / 2) + 0.5 - north / (2 * metresPerColumn)
        )
    }

    /// The cell of a place; nil: it is outside.
    func cell(of place: Coordinates) -> MapCell? {
        let (x, y) = position(of: place)
        guard (0..<Double(columns)).contains(x), (0..<Double(rows)).contains(y) else { return nil }
        return MapCell(column: Int(x), row: Int(y))
    }

    /// The scale bar: a round distance, and its width in cells; at most a sixth of the map where that has room.
    var scale: (metres: Metres, columns: Int) {
        let most = metresPerColumn * Double(max(3, columns / 6))
        let unit = pow(10, log10(most).rounded(.down))
        let round = [5, 2, 1].map { $0 * unit }.first { $0 <= most } ?? unit
        return (Metres(round), max(1, Int((round / metresPerColumn).rounded())))
    }

    private static func metres(from: Coordinates, to: Coordinates) -> (east: Double, north: Double) {
        var east = to.longitude - from.longitude
        // The short way round, also across the antimeridian.
        if east > 180 { east -= 360 }
        if east < -180 { east += 360 }
        return (east * degree * cos(from.latitude * .pi / 180), (to.latitude - from.latitude) * degree)
    }
}

/// A cell of a map, from the left and from the top.
struct MapCell: Hashable {
    let column: Int
    let row: Int
}
