internal import BoardService

/// One direction of a line, drawn from the top in the order of travel: a row per stop and a lane per branch, with forks and
/// joins.
///
///     ● Old Bridge
///     ├─╮
///     ● │ Mill Lane
///     │ ● Church Road
///     ├─╯
///     ● Market
struct RouteDrawing {
    /// A row: the lanes, and a stop or a remark.
    struct Row: Hashable {
        let lanes: String
        var call: RouteEntry.Call?
        var remark: String?
    }

    private let graph: RouteGraph
    private var lanes: [Int?] = []
    private var laneOf: [Int: Int] = [:]
    private var arrived: Set<Int> = []
    private var drawn: Set<Int> = []
    private(set) var rows: [Row] = []

    init(_ graph: RouteGraph) {
        self.graph = graph
        for (number, segment) in graph.segments.enumerated() {
            if !drawn.contains(segment.from) { draw(segment.from) }
            guard let lane = laneOf[number] else { continue }
            for stop in segment.stops { rows.append(Row(lanes: picture(lane, "●"), call: stop)) }
            arrive(number, in: lane)
        }
        for node in graph.nodes.indices where !drawn.contains(node) { draw(node) }
    }

    /// Ends a segment.
    private mutating func arrive(_ number: Int, in lane: Int) {
        let end = graph.segments[number].to
        arrived.insert(number)
        if drawn.contains(end) {
            // A loop: the following stops have their rows already.
            let name = graph.nodes[end].stop?.name ?? "where it came from"
            rows.append(Row(lanes: picture(lane, "╰"), remark: "↻ on to \(name), above"))
            lanes[lane] = nil
        } else if graph.nodes[end].leaving.isEmpty, graph.nodes[end].arriving.allSatisfy(arrived.contains) {
            draw(end)
        }
    }

    /// Draws a node: arriving segments join, leaving ones fork.
    private mutating func draw(_ number: Int) {
        let node = graph.nodes[number]
        drawn.insert(number)
        let joining = node.arriving.filter(arrived.contains).compactMap { laneOf[$0] }.sorted()
        let lane = joining.first ?? freeLane(from: 0)
        // An unconnected branch starts after an empty row.
        if joining.isEmpty, !rows.isEmpty, lanes.allSatisfy({ $0 == nil }) { rows.append(Row(lanes: "")) }
        if joining.count > 1 {
            rows.append(Row(lanes: connection(from: lane, to: Set(joining.dropFirst()), "┴", "╯")))
        }
        for other in joining { lanes[other] = nil }
        if let stop = node.stop { rows.append(Row(lanes: picture(lane, "●"), call: stop)) }
        guard let first = node.leaving.first else { return }
        take(lane, by: first)
        let others = node.leaving.dropFirst().map { segment -> Int in
            let other = freeLane(from: lane + 1)
            take(other, by: segment)
            return other
        }
        if !others.isEmpty { rows.append(Row(lanes: connection(from: lane, to: Set(others), "┬", "╮"))) }
    }

    private mutating func take(_ lane: Int, by segment: Int) {
        while lanes.count <= lane { lanes.append(nil) }
        lanes[lane] = segment
        laneOf[segment] = lane
    }

    private func freeLane(from first: Int) -> Int {
        var lane = first
        while lane < lanes.count, lanes[lane] != nil { lane += 1 }
        return lane
    }

    /// All lanes side by side, with a glyph in one.
    private func picture(_ lane: Int, _ glyph: String) -> String {
        (0..<max(lanes.count, lane + 1)).map { number in
            number == lane ? glyph : lanes.indices.contains(number) && lanes[number] != nil ? "│" : " "
        }.joined(separator: " ")
    }

    /// A horizontal line from a lane to others on its right, across those between.
    private func connection(from lane: Int, to others: Set<Int>, _ between: String, _ last: String) -> String {
        let end = others.max() ?? lane
        let row = (0..<max(lanes.count, end + 1)).map { number in
            let isTaken = lanes.indices.contains(number) && lanes[number] != nil
            let glyph: String
            switch number {
            case lane: glyph = "├"
            case end: glyph = last
            case _ where others.contains(number): glyph = between
            case lane..<end: glyph = isTaken ? "┼" : "─"
            default: glyph = isTaken ? "│" : " "
            }
            return glyph + ((lane..<end).contains(number) ? "─" : " ")
        }
        return String(row.joined().dropLast())
    }
}
