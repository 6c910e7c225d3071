internal import BoardControl

/// One direction of a line, drawn from the top in the order of travel: a stop a row, a lane a branch, so that one sees where
/// branches fork and join.
///
///     ● Old Bridge
///     ├─╮
///     ● │ Mill Lane
///     │ ● Church Road
///     ├─╯
///     ● Market
struct RouteDrawing {
    /// A row: the lanes, and the stop or what else is to be said there.
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

    /// Draws a graph.
    init(_ graph: RouteGraph) {
        self.graph = graph
        for (number, stretch) in graph.stretches.enumerated() {
            if !drawn.contains(stretch.from) { draw(stretch.from) }
            guard let lane = laneOf[number] else { continue }
            for stop in stretch.stops { rows.append(Row(lanes: picture(lane, "●"), call: stop)) }
            arrive(number, in: lane)
        }
        for place in graph.places.indices where !drawn.contains(place) { draw(place) }
    }

    /// A stretch has come to its end.
    private mutating func arrive(_ number: Int, in lane: Int) {
        let end = graph.stretches[number].to
        arrived.insert(number)
        if drawn.contains(end) {
            // A circle: what follows has its rows already.
            let name = graph.places[end].stop?.name ?? "where it came from"
            rows.append(Row(lanes: picture(lane, "╰"), remark: "↻ on to \(name), above"))
            lanes[lane] = nil
        } else if graph.places[end].leaving.isEmpty, graph.places[end].arriving.allSatisfy(arrived.contains) {
            draw(end)
        }
    }

    /// Draws a place: what arrives joins, what leaves forks.
    private mutating func draw(_ number: Int) {
        let place = graph.places[number]
        drawn.insert(number)
        let joining = place.arriving.filter(arrived.contains).compactMap { laneOf[$0] }.sorted()
        let lane = joining.first ?? freeLane(from: 0)
        // A way that has nothing to do with those above does not go on from them.
        if joining.isEmpty, !rows.isEmpty, lanes.allSatisfy({ $0 == nil }) { rows.append(Row(lanes: "")) }
        if joining.count > 1 {
            rows.append(Row(lanes: connection(from: lane, to: Set(joining.dropFirst()), "┴", "╯")))
        }
        for other in joining { lanes[other] = nil }
        if let stop = place.stop { rows.append(Row(lanes: picture(lane, "●"), call: stop)) }
        guard let first = place.leaving.first else { return }
        take(lane, by: first)
        let others = place.leaving.dropFirst().map { stretch -> Int in
            let other = freeLane(from: lane + 1)
            take(other, by: stretch)
            return other
        }
        if !others.isEmpty { rows.append(Row(lanes: connection(from: lane, to: Set(others), "┬", "╮"))) }
    }

    private mutating func take(_ lane: Int, by stretch: Int) {
        while lanes.count <= lane { lanes.append(nil) }
        lanes[lane] = stretch
        laneOf[stretch] = lane
    }

    private func freeLane(from first: Int) -> Int {
        var lane = first
        while lane < lanes.count, lanes[lane] != nil { lane += 1 }
        return lane
    }

    /// All lanes beside each other, with a glyph in one.
    private func picture(_ lane: Int, _ glyph: String) -> String {
        (0..<max(lanes.count, lane + 1)).map { number in
            number == lane ? glyph : lanes.indices.contains(number) && lanes[number] != nil ? "│" : " "
        }.joined(separator: " ")
    }

    /// A line from a lane to others on its right, across those between.
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
