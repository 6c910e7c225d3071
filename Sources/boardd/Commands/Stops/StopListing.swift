internal import BoardControl
internal import BoardCore

/// Stops for a person, one a line, so that the right pole is seen at a glance: star, distance, code, name with letter, what
/// calls there, where it goes, lines.
struct StopListing {
    /// A longer name or direction is cut: the columns after it are what tells poles apart.
    private static let longest = 36
    /// How many lines are named; the whole list is in `show` and in JSON.
    private static let mostLines = 8

    private let stops: [StopEntry]

    init(_ stops: [StopEntry]) {
        self.stops = stops
    }

    /// The lines, each ended.
    var table: String { table(indented: "") }

    /// The lines behind a margin.
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
        // One more than there is room for is as short as to say that there is one more.
        guard names.count > mostLines + 1 else { return names.joined(separator: " ") }
        return names.prefix(mostLines).joined(separator: " ") + " +\(names.count - mostLines)"
    }

    private static func cut(_ text: String) -> String {
        text.count <= longest ? text : text.prefix(longest - 1) + "…"
    }
}

extension StopEntry {
    /// "High Street (N)": the name, and the letter on the pole.
    var nameWithLetter: String { letter.map { "\(name) (\($0))" } ?? name }

    /// What calls at a pole or a station; what else a stop is.
    var kindDescription: String {
        let modes = modes.joined(separator: " ")
        switch kind {
        case .pole: return modes.isEmpty ? "pole" : modes
        case .station: return modes.isEmpty ? "station" : modes
        case .area, .interchange: return modes.isEmpty ? kind.rawValue : "\(kind.rawValue): \(modes)"
        }
    }
}
