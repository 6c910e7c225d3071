internal import BoardCore

/// The answer of `/Line/{id}/Route/Sequence/all`: a line's branches in no order, those of both directions together.
struct TfLRouteSequence {
    /// The most branches of a direction; the Northern line has 10 in each.
    private static let mostBranches = 500

    private let line: Line
    private let mode: String?
    private let branches: [TfLBranch]

    /// Reads the whole answer.
    init(_ body: [UInt8]) throws(JSONFault) {
        let answer = try JSONDocument(body).row()
        // Without its line it is something else, such as an error.
        guard let id = answer.text("lineId") else { throw .unexpectedStructure }
        line = Line(id: id, name: answer.text("lineName").map(TfLText.clean) ?? id)
        mode = answer.text("mode")
        let written = answer.rows("stopPointSequences", TfLBranch.init)
        branches = Array(written.lazy.filter { !$0.stops.isEmpty }.prefix(2 * Self.mostBranches))
    }

    /// The route: the directions as they come, with the branches of each in sequence.
    var route: LineRoute {
        var names: [String] = []
        for branch in branches where !names.contains(branch.direction) { names.append(branch.direction) }
        return LineRoute(
            line: line, mode: mode,
            directions: names.map { name in
                let all = branches.filter { $0.direction == name }
                // A tube line's nights repeat some of its days; only of what runs by night alone they are all there is.
                let days = all.filter { !$0.isNight }
                return .init(
                    name: name,
                    branches: LineRoute.Branch.sequence((days.isEmpty ? all : days).prefix(Self.mostBranches))
                )
            })
    }
}

/// A stretch of a line between forks, as it is written.
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
    /// A stop of a branch, as it is written; nil where there is no name, or nothing by which departures could be asked for.
    fileprivate init?(_ row: JSONRow) {
        let code = Self.code(row.text("id"), station: row.text("stationId"))
        guard let code, TfLFeed.declaration.problem(aboutStop: code) == nil,
            let name = row.text("name").map(TfLText.clean), !name.isEmpty
        else { return nil }
        self.init(
            id: StopID(feed: TfLFeed.name, code: code), name: name,
            letter: row.text("stopLetter").flatMap(TfLText.letter),
            coordinates: TfLText.coordinates(row.number("lat"), row.number("lon")))
    }

    /// The code by which departures are asked for: the pole, or the station. An interchange is more than the line's
    /// station in it, and a platform (9400…, 9100…) is less.
    private static func code(_ id: String?, station: String?) -> String? {
        guard let id, let station else { return id ?? station }
        return ["HUB", "9400", "9100"].contains(where: id.hasPrefix) ? station : id
    }
}
