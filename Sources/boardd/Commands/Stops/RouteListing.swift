internal import BoardCore
internal import BoardService

/// The route of a line as text: each direction with its branches, from fork to fork, the stops in sequence.
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
        let branches = direction.branches
        // A branch of one stop is where other branches meet.
        let listed = branches.indices.filter { index in
            let stops = branches[index].stops
            return stops.count > 1
                || stops.count == 1
                    && !branches.indices.contains { other in
                        let isLonger = branches[other].stops.count > 1 || other < index
                        return other != index && isLonger && branches[other].stops.contains(stops[0])
                    }
        }
        let width = branches.flatMap(\.stops).map { Self.name($0).count }.max() ?? 0
        var lines = [heading(of: direction)]
        for index in listed {
            let stops = branches[index].stops
            let isDivided = listed.count > 1
            if isDivided { lines.append("    \(Self.name(stops[0])) → \(Self.name(stops[stops.count - 1]))") }
            lines += stops.map { line(of: $0, width, indented: isDivided ? "  " : "") }
        }
        return lines.map { $0 + "\n" }.joined()
    }

    private func line(of call: RouteEntry.Call, _ width: Int, indented indent: String) -> String {
        let name = Self.name(call)
        return (marked.contains(call.stop) ? "▶ " : "  ") + (call.isFavourite ? "★ " : "  ") + indent + name
            + String(repeating: " ", count: width - name.count) + "  " + call.stop.asPrintedLine
    }

    private func heading(of direction: RouteEntry.Direction) -> String {
        let branches = direction.branches
        let following = Set(branches.flatMap(\.next))
        let from = branches.indices.filter { !following.contains($0) }.compactMap { branches[$0].stops.first?.name }
        let to = branches.filter { !$0.next.contains(where: branches.indices.contains) }.compactMap(\.stops.last?.name)
        let way = [Self.list(from), Self.list(to)].filter { !$0.isEmpty }.joined(separator: " → ")
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
}
