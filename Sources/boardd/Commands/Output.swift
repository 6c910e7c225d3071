import ArgumentParser
import BoardCore
import BoardDisplays
import BoardIO
import BoardService
import FoundationEssentials
import Glibc

/// A text table whose columns are as wide as their longest cell.
struct TextTable {
    /// The cells of each row, and how many of them widen their column.
    private var rows: [(cells: [String], measured: Int)] = []

    /// Adds a row; each cell is printed as one line whatever it contains.
    mutating func add(_ cells: String...) {
        rows.append((cells.map(\.asPrintedLine), cells.count))
    }

    /// Adds a row whose text does not widen its column.
    mutating func add(whole first: String, _ text: String) {
        rows.append(([first.asPrintedLine, text.asPrintedLine], 1))
    }

    /// The rows; a column without text is left out.
    var lines: [String] {
        var widths: [Int] = []
        for row in rows {
            for (index, cell) in row.cells.prefix(row.measured).enumerated() {
                if index == widths.count { widths.append(0) }
                widths[index] = max(widths[index], cell.count)
            }
        }
        return rows.map { cells, _ in
            zip(cells, widths + [0]).filter { $1 > 0 || cells.count == 2 }.map { cell, width in
                cell + String(repeating: " ", count: max(0, width - cell.count))
            }.joined(separator: "  ").withoutTrailingBlanks
        }
    }

    /// The rows, each terminated.
    var text: String { lines.map { "\($0)\n" }.joined() }
}

extension String {
    var withoutTrailingBlanks: String { String(reversed().drop { $0 == " " }.reversed()) }
}

extension [[String]] {
    /// Parts of a page with an empty line between them, each line printable and terminated; an empty part is left out.
    var page: String {
        filter { !$0.isEmpty }.map { $0.map { "\($0.asPrintedLine)\n" }.joined() }.joined(separator: "\n")
    }
}

extension StandardError {
    static func remark(_ sentence: String) { write("remark: \(sentence)".asPrintedLine + "\n") }
}

extension Terminal {
    /// Whether a person sees standard output and can press keys.
    static var isInteractive: Bool {
        let environment = Environment.current
        return [STDIN_FILENO, STDOUT_FILENO].allSatisfy { isTerminal($0, environment: environment) }
    }
}

extension RawRepresentable<String> where Self: CaseIterable & Sendable {
    /// Reads an argument that is one of the words.
    ///
    /// - Parameter kind: what the words are: "an order".
    static func reading(_ kind: String) -> @Sendable (String) throws -> Self {
        let words = allCases.map(\.rawValue)
        let list = [words.dropLast().joined(separator: ", "), words.last ?? ""].joined(separator: " or ")
        return { text in
            guard let value = Self(rawValue: text) else {
                throw ValidationError("\"\(text)\" is not \(kind); write \(list).")
            }
            return value
        }
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
            StandardError.remark("\(error); times are in UTC")
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
