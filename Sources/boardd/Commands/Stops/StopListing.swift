internal import BoardCore
internal import BoardService

/// Stops as a table: star, distance, code, name with letter, modes, direction, lines.
struct StopListing {
    /// Longer names and directions are cut: the columns after them distinguish the poles.
    private static let maximumLength = 36
    /// The number of lines in a row; `show` and JSON have all.
    private static let maximumLines = 8

    private let stops: [StopEntry]

    init(_ stops: [StopEntry]) {
        self.stops = stops
    }

    /// The rows, each terminated.
    var table: String { table(indented: "") }

    /// The rows after a margin.
    func table(indented margin: String) -> String {
        var table = TextTable()
        let distances = stops.map { $0.distanceMetres.map { Metres($0).description } ?? "" }
        let width = distances.map(\.count).max() ?? 0
        for (stop, distance) in zip(stops, distances) {
            table.add(
                stop.isFavourite ? "★" : "", String(repeating: " ", count: width - distance.count) + distance,
                stop.stop, Self.cut(stop.nameWithLetter), stop.kindDescription,
                stop.towards.map { Self.cut("→ \($0)") } ?? "", Self.lines(stop))
        }
        return table.text.split(separator: "\n").map { "\(margin)\($0)\n" }.joined()
    }

    private static func lines(_ stop: StopEntry) -> String {
        let names = stop.lines.map(\.name)
        // One more name is as short as "+1".
        guard names.count > maximumLines + 1 else { return names.joined(separator: " ") }
        return names.prefix(maximumLines).joined(separator: " ") + " +\(names.count - maximumLines)"
    }

    private static func cut(_ text: String) -> String {
        text.count <= maximumLength ? text : text.prefix(maximumLength - 1) + "…"
    }
}

extension StopEntry {
    /// "High Street (N)": the name, and the letter on the pole.
    var nameWithLetter: String { letter.map { "\(name) (\($0))" } ?? name }

    /// The modes at a pole or a station; other stops with their kind.
    var kindDescription: String {
        let modes = modes.joined(separator: " ")
        switch kind {
        case .pole: return modes.isEmpty ? "pole" : modes
        case .station: return modes.isEmpty ? "station" : modes
        case .area, .interchange: return modes.isEmpty ? kind.rawValue : "\(kind.rawValue): \(modes)"
        }
    }
}
