internal import BoardCore

/// The answer of `/Line/{id}/Route/Sequence/all`: a line's branches in no order, those of both directions together.
struct TfLRouteSequence: Decodable {
    private enum CodingKeys: String, CodingKey {
        case lineId, lineName, mode, stopPointSequences
    }

    /// The most branches that are read; the Northern line has 10 in each direction.
    private static let mostBranches = 500

    private let line: Line
    private let mode: String?
    private let branches: [TfLBranch]

    /// Reads the whole answer.
    init(_ body: [UInt8]) throws(JSONFault) {
        self = try JSONAnswer.decode(TfLRouteSequence.self, from: body)
    }

    init(from decoder: any Decoder) throws {
        let answer = try decoder.container(keyedBy: CodingKeys.self)
        // Without its line it is something else (an error, a list).
        let id = try answer.decode(String.self, forKey: .lineId)
        line = Line(id: id, name: answer.text(.lineName).map(TfLText.clean) ?? id)
        mode = answer.text(.mode)
        branches = answer.rows(.stopPointSequences, of: TfLBranch.self).filter { !$0.stops.isEmpty }
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
                    name: name, branches: TfLBranchOrder((days.isEmpty ? all : days).prefix(Self.mostBranches)).branches
                )
            })
    }
}

/// A stretch of a line between forks, as it is written.
struct TfLBranch: Decodable {
    private enum CodingKeys: String, CodingKey {
        case direction, branchId, nextBranchIds, prevBranchIds, serviceType, stopPoint
    }

    let direction: String
    let id: Int?
    let next: [Int]
    let previous: [Int]
    let isNight: Bool
    let stops: [LineRoute.RouteStop]

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodingKeys.self)
        direction = row.text(.direction) ?? ""
        id = row.integer(.branchId)
        next = row.rows(.nextBranchIds)
        previous = row.rows(.prevBranchIds)
        isNight = row.text(.serviceType) == "Night"
        stops = row.rows(.stopPoint, of: TfLMatchedStop.self).compactMap(\.stop)
    }
}

/// A stop of a branch, as it is written.
private struct TfLMatchedStop: Decodable {
    private enum CodingKeys: String, CodingKey {
        case id, stationId, name, stopLetter, lat, lon
    }

    /// Nil where there is no name, or nothing by which departures could be asked for.
    let stop: LineRoute.RouteStop?

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodingKeys.self)
        let coordinates = TfLText.coordinates(
            try? row.decodeIfPresent(Double.self, forKey: .lat), try? row.decodeIfPresent(Double.self, forKey: .lon))
        let code = Self.code(row.text(.id), station: row.text(.stationId))
        guard let code, TfLFeed.declaration.complaint(aboutStop: code) == nil,
            let name = row.text(.name).map(TfLText.clean), !name.isEmpty
        else {
            stop = nil
            return
        }
        stop = LineRoute.RouteStop(
            id: StopID(feed: TfLFeed.name, code: code), name: name,
            letter: row.text(.stopLetter).flatMap(TfLText.letter), coordinates: coordinates)
    }

    /// The code by which departures are asked for: the pole, or the station. An interchange is more than the line's
    /// station in it, and a platform (9400…, 9100…) is less.
    private static func code(_ id: String?, station: String?) -> String? {
        guard let id, let station else { return id ?? station }
        return ["HUB", "9400", "9100"].contains(where: id.hasPrefix) ? station : id
    }
}
