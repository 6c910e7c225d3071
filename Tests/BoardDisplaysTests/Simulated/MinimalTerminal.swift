/// The part of a terminal that the simulated display uses; anything else is an error.
struct MinimalTerminal {
    struct Unknown: Error {
        let sequence: String
    }

    private struct Cell {
        var character: Character = " "
        var attributes = ""
    }

    private(set) var isSecondScreen = false
    private(set) var isCursorShown = true
    private var screens = [[[Cell]]](repeating: [], count: 2)
    private var cursors = [(row: 0, column: 0), (row: 0, column: 0)]
    private var rendition = ""

    private var screen: Int { isSecondScreen ? 1 : 0 }

    /// The text of the visible screen, without trailing blanks and blank lines.
    var lines: [String] {
        var lines = screens[screen].map { row -> String in
            var text = String(row.map(\.character))
            while text.last == " " { text.removeLast() }
            return text
        }
        while lines.last == "" { lines.removeLast() }
        return lines
    }

    /// The attributes of a line's second cell.
    func attributes(line: Int) -> String { screens[screen][line][1].attributes }

    mutating func feed(_ text: String) throws {
        var scalars = text.unicodeScalars[...]
        while let scalar = scalars.popFirst() {
            switch scalar {
            case "\u{1B}":
                var sequence = ""
                while let next = scalars.popFirst() {
                    sequence.unicodeScalars.append(next)
                    if next != "[", ("@"..."~").contains(next) { break }
                }
                try control(sequence)
            case "\r": cursors[screen].column = 0
            // The terminal's output processing adds the carriage return.
            case "\n": cursors[screen] = (cursors[screen].row + 1, 0)
            default: put(Character(scalar))
            }
        }
    }

    private mutating func put(_ character: Character) {
        let (row, column) = cursors[screen]
        while screens[screen].count <= row { screens[screen].append([]) }
        while screens[screen][row].count <= column { screens[screen][row].append(Cell()) }
        screens[screen][row][column] = Cell(character: character, attributes: rendition)
        cursors[screen].column += 1
    }

    private mutating func control(_ sequence: String) throws {
        let (row, column) = cursors[screen]
        switch sequence {
        case "[?1049h": isSecondScreen = true
        case "[?1049l": isSecondScreen = false
        case "[?25l": isCursorShown = false
        case "[?25h": isCursorShown = true
        case "[2J": screens[screen] = []
        case "[H": cursors[screen] = (0, 0)
        case "[K":
            guard screens[screen].indices.contains(row) else { return }
            screens[screen][row] = Array(screens[screen][row].prefix(column))
        case "[J": screens[screen] = Array(screens[screen].prefix(row))
        case "[0m": rendition = ""
        case let colour where colour.hasSuffix("m"): rendition = String(colour.dropFirst().dropLast())
        default: throw Unknown(sequence: sequence)
        }
    }
}
