internal import BoardCore
internal import BoardService

/// The route of a line as text: each direction with its branches, the stops in sequence.
struct RouteListing {
    /// Longer names are cut.
    private static let maximumNameLength = 40
    /// The number of ends in a heading.
    private static let maximumEnds = 3

    private let route: RouteEntry
    private let marked: Set<String>

    /// - Parameter marked: the stops to mark.
    init(_ route: RouteEntry, marking marked: Set<String> = []) {
        self.route = route
        self.marked = marked
    }

    /// The lines, each terminated.
    var text: String {
        let heading = ["Line \(route.name)", route.mode, route.line].compactMap { $0 }.joined(separator: "  ")
        return ([heading.asPrintedLine + "\n"] + route.directions.map(text)).joined(separator: "\n")
    }

    private func text(_ direction: RouteEntry.Direction) -> String {
        let graph = RouteGraph(direction)
        let rows = RouteDrawing(graph).rows
        let twice = graph.calledTwice
        let lanes = rows.map(\.lanes.count).max() ?? 0
        let names = rows.map { $0.call.map(Self.name) ?? $0.remark ?? "" }
        let width = zip(rows, names).map { $0.call == nil ? 0 : $1.count }.max() ?? 0
        let lines = zip(rows, names).map { row, name in
            var line = Self.padded(row.lanes, lanes) + "  "
            guard let call = row.call else { return "    \(line)\(name)" }
            line += Self.padded(name, width) + "  \(call.stop.asPrintedLine)"
            if twice.contains(call.stop) { line += "  ↻ calls twice" }
            return (marked.contains(call.stop) ? "▶ " : "  ") + (call.isFavourite ? "★ " : "  ") + line
        }
        return ([heading(of: direction, graph)] + lines)
            .map { line in String(line.reversed().drop { $0 == " " }.reversed()) + "\n" }.joined()
    }

    private func heading(of direction: RouteEntry.Direction, _ graph: RouteGraph) -> String {
        let (from, to) = (Self.list(graph.origins), Self.list(graph.destinations))
        let way = [from, to].filter { !$0.isEmpty }.joined(separator: " → ")
        return [direction.name, way].filter { !$0.isEmpty }.joined(separator: ": ").asPrintedLine
    }

    private static func list(_ names: [String]) -> String {
        var seen: Set<String> = []
        let different = names.filter { seen.insert($0).inserted }
        let rest = different.count - maximumEnds
        return different.prefix(maximumEnds).joined(separator: ", ") + (rest > 0 ? " and \(rest) more" : "")
    }

    private static func name(_ call: RouteEntry.Call) -> String {
        let name = (call.letter.map { "\(call.name) (\($0))" } ?? call.name).asPrintedLine
        return name.count <= maximumNameLength ? name : name.prefix(maximumNameLength - 1) + "…"
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
