internal import BoardCore

/// A small map for a terminal: a stop in the middle, the stops around it as letters, and the path of a line.
///
/// Stops in the same cell share a letter; a dot marks a stop when the letters run out.
struct StopMap {
    /// The content of a cell.
    enum Mark: Hashable {
        case here
        /// Stops, by the number of their letter.
        case letter(Int)
        /// A stop without a letter.
        case dot
        /// A piece of the line.
        case route(Character)
    }

    /// The nearest places that the map always contains, at any distance, so that it shows a neighbourhood.
    static let minimumPlaces = 12
    private static let letters = Array("abcdefghijklmnopqrstuvwxyz")

    let view: MapView
    /// Whether any of the line is in view.
    let hasRoute: Bool
    /// The indices of the stops in each group: first those in the middle, then those of each letter.
    let groups: [[Int]]
    /// How many stops are in view without a letter.
    let unnamed: Int
    private var marks: [MapCell: Mark]

    /// - Parameters:
    ///   - middle: the location of the stop.
    ///   - stops: the others, nearest first.
    ///   - paths: the line's path, each a chain of places.
    ///   - columns: the width in cells.
    ///   - rows: the height in cells.
    init(around middle: Coordinates, stops: [Coordinates], paths: [[Coordinates]] = [], columns: Int, rows: Int) {
        var shown: [Coordinates] = []
        for stop in stops where shown.count < Self.minimumPlaces && !shown.contains(stop) { shown.append(stop) }
        let view = MapView(around: middle, showing: shown, columns: columns, rows: rows)
        var canvas = BrailleCanvas(columns: view.columns, rows: view.rows)
        var hasRoute = false
        for way in paths {
            let points = way.map { place -> BrailleCanvas.Point in
                let (x, y) = view.position(of: place)
                return BrailleCanvas.Point(x: x * 2, y: y * 4)
            }
            for (from, to) in zip(points, points.dropFirst()) {
                let isSeen = canvas.line(from: from, to: to)
                hasRoute = hasRoute || isSeen
            }
        }
        var marks: [MapCell: Mark] = [:]
        for row in 0..<view.rows {
            for column in 0..<view.columns {
                guard let piece = canvas.character(column: column, row: row) else { continue }
                marks[MapCell(column: column, row: row)] = .route(piece)
            }
        }
        let here = MapCell(column: view.columns / 2, row: view.rows / 2)
        marks[here] = .here
        var groups: [[Int]] = [[]]
        var unnamed = 0
        for (number, place) in stops.enumerated() {
            guard let cell = view.cell(of: place) else { continue }
            switch marks[cell] {
            case .here: groups[0].append(number)
            case .letter(let letter): groups[letter + 1].append(number)
            case .dot: unnamed += 1
            case .route, nil:
                if groups.count > Self.letters.count {
                    marks[cell] = .dot
                    unnamed += 1
                } else {
                    marks[cell] = .letter(groups.count - 1)
                    groups.append([number])
                }
            }
        }
        self.view = view
        self.hasRoute = hasRoute
        self.groups = groups
        self.unnamed = unnamed
        self.marks = marks
    }

    /// The symbol of a group.
    static func symbol(ofGroup number: Int) -> String {
        number == 0 ? "◆" : String(letters[number - 1])
    }

    /// The map in a frame with a scale bar below; each line terminated.
    func text(inColour: Bool = false) -> String {
        let edge = String(repeating: "─", count: view.columns)
        let rows = (0..<view.rows).map { row in
            "│" + (0..<view.columns).map { cell(MapCell(column: $0, row: row), inColour) }.joined() + "│\n"
        }
        let (metres, columns) = view.scale
        // From the middle of one end to that of the other.
        let bar = "├" + String(repeating: "─", count: columns - 1) + "┤ \(metres)"
        return "┌\(edge)┐\n" + rows.joined() + "└\(edge)┘\n" + " \(bar), north is up\n"
    }

    private func cell(_ cell: MapCell, _ inColour: Bool) -> String {
        let (text, colour) =
            switch marks[cell] {
            case .here: ("◆", "1;33")
            case .letter(let number): (Self.symbol(ofGroup: number + 1), "1")
            case .dot: ("·", "1")
            case .route(let piece): (String(piece), "36")
            case nil: (" ", "")
            }
        return inColour && !colour.isEmpty ? "\u{1B}[\(colour)m\(text)\u{1B}[0m" : text
    }
}
