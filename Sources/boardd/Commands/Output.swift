import BoardCore
import BoardIO
import BoardService
import FoundationEssentials

/// A text table whose columns are as wide as their longest cell.
struct TextTable {
    private enum Row {
        case cells([String])
        /// A first cell, and a text that takes the rest of the line.
        case whole(String, String)
    }

    private var rows: [Row] = []

    /// Adds a row; each cell is printed as one line whatever it contains.
    mutating func add(_ cells: String...) {
        rows.append(.cells(cells.map(\.asPrintedLine)))
    }

    /// Adds a row whose text does not widen its column.
    mutating func add(whole first: String, _ text: String) {
        rows.append(.whole(first.asPrintedLine, text.asPrintedLine))
    }

    /// The rows, each terminated.
    var text: String {
        var widths: [Int] = []
        for row in rows {
            let cells: [String] =
                switch row {
                case .cells(let cells): cells
                case .whole(let first, _): [first]
                }
            for (index, cell) in cells.enumerated() {
                if index == widths.count { widths.append(0) }
                widths[index] = max(widths[index], cell.count)
            }
        }
        return rows.map { row in
            let cells: [String] =
                switch row {
                case .cells(let cells): cells
                case .whole(let first, let text): [first, text]
                }
            let line = zip(cells, widths + [0]).filter { $1 > 0 || cells.count == 2 }.map { cell, width in
                cell + String(repeating: " ", count: max(0, width - cell.count))
            }.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed()) + "\n"
        }.joined()
    }
}

/// The format of `--json`: a line per value, sorted keys, control characters as `\uXXXX`.
enum PrettyJSON {
    /// A value as JSON, with a line break at the end.
    ///
    /// - Throws: ``ServiceError`` for an infinite number or NaN, which JSON cannot represent.
    static func text(_ value: some Encodable) throws(ServiceError) -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        do {
            return String(decoding: try encoder.encode(value), as: UTF8.self).asPrintedJSON + "\n"
        } catch {
            throw ServiceError(.failed, "the result cannot be written as JSON; please report this")
        }
    }
}

/// The zone in which commands print times.
enum MachineZone {
    /// The machine's own zone; UTC, with a remark, if that is not available.
    static var current: Zone {
        do {
            return try ZoneDirectory().machineZone(tz: Environment.current["TZ"])
        } catch {
            StandardError.write("remark: \(error); times are in UTC\n")
            return .utc
        }
    }
}

extension Zone {
    /// "12:04:30", preceded by the date if it is not that of `now`.
    func text(_ moment: Timestamp, at now: Timestamp) -> String {
        let local = localTime(at: moment)
        let time = [local.hour, local.minute, local.second].map(Self.twoDigits).joined(separator: ":")
        guard local.date != localTime(at: now).date else { return time }
        return "\(local.year)-\(Self.twoDigits(local.month))-\(Self.twoDigits(local.day)) \(time)"
    }

    private static func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}
