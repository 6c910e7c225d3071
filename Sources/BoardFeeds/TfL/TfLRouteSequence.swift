internal import BoardCore
internal import BoardFormats

/// The response of `/Line/{id}/Route/Sequence/all`: a line's branches, unordered, for both directions.
struct TfLRouteSequence {
    /// The most branches of a direction; the Northern line has 10 in each.
    private static let maxBranches = 500

    private let line: Line
    private let mode: String?
    private let branches: [TfLBranch]

    init(_ body: [UInt8]) throws(JSONFault) {
        let root = try JSONDocument(body).row()
        // A response without a line is something else, such as an error.
        guard let id = root.text("lineId") else { throw .unexpectedStructure }
        line = Line(id: id, name: root.text("lineName").map(\.plainText) ?? id)
        mode = root.text("mode")
        let rows = root.rows("stopPointSequences", TfLBranch.init)
        branches = Array(rows.lazy.filter { !$0.stops.isEmpty }.prefix(2 * Self.maxBranches))
    }

    /// The route: the directions in their received order, with the branches of each in sequence.
    var route: LineRoute {
        var names: [String] = []
        for branch in branches where !names.contains(branch.direction) { names.append(branch.direction) }
        return LineRoute(
            line: line, mode: mode,
            directions: names.map { name in
                let all = branches.filter { $0.direction == name }
                // A tube line's night branches repeat some of its day branches; a night-only line has no others.
                let days = all.filter { !$0.isNight }
                return .init(
                    name: name,
                    branches: LineRoute.Branch.sequence((days.isEmpty ? all : days).prefix(Self.maxBranches))
                )
            })
    }
}

/// A section of a line between junctions, as received.
struct TfLBranch {
    let direction: String
    let id: Int?
    let next: [Int]
    let previous: [Int]
    let isNight: Bool
    let stops: [LineRoute.RouteStop]

    init(_ row: JSONRow) {
        direction = row.text("direction") ?? ""
        id = row.integer("branchId")
        next = row.integers("nextBranchIds")
        previous = row.integers("prevBranchIds")
        isNight = row.text("serviceType") == "Night"
        stops = row.rows("stopPoint", LineRoute.RouteStop.init)
    }
}

extension LineRoute.RouteStop {
    /// A stop of a branch; nil without a name or a code for requests.
    fileprivate init?(_ row: JSONRow) {
        let code = Self.code(row.text("id"), station: row.text("stationId"))
        guard let code, TfLFeed.declaration.problem(aboutStop: code) == nil,
            let name = row.text("name").map(\.plainText), !name.isEmpty
        else { return nil }
        self.init(
            id: StopID(feed: TfLFeed.name, code: code), name: name,
            letter: row.text("stopLetter").flatMap(TfLText.letter),
            coordinates: row.coordinates())
    }

    /// The code for departure requests: the bus stop, or the station. An interchange is more than the line's station in it,
    /// and a platform (9400…, 9100…) is less.
    private static func code(_ id: String?, station: String?) -> String? {
        guard let id, let station else { return id ?? station }
        return ["HUB", "9400", "9100"].contains(where: id.hasPrefix) ? station : id
    }
}

extension LineRoute.Branch {
    /// Orders the branches of one direction by their references to neighbours; references to missing branches are ignored.
    static func sequence(_ branches: some Collection<TfLBranch>) -> [LineRoute.Branch] {
        // TfL numbers branches from one end of the line to the other, as far as there are ends.
        let all = branches.sorted { ($0.id ?? .max) < ($1.id ?? .max) }
        var indices: [Int: Int] = [:]
        for (index, branch) in all.enumerated() {
            if let id = branch.id, indices[id] == nil { indices[id] = index }
        }
        var next = all.map { branch in Set(branch.next.compactMap { indices[$0] }) }
        for (index, branch) in all.enumerated() {
            for previous in branch.previous.compactMap({ indices[$0] }) { next[previous].insert(index) }
        }
        return BranchOrder.branches(all.map(\.stops), next: next)
    }
}
