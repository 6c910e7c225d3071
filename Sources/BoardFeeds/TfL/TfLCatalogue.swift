public import BoardCore

/// TfL's own list of its stops, and the routes of its lines.
///
/// The list is `/StopPoint/Mode/{modes}?page=`, with a thousand entries and some megabytes a page. Half of the entries
/// are entrances and the like.
public struct TfLCatalogue: StopCatalogue {
    /// The listed modes: all with predictions. TfL also lists coaches, National Rail and others, without predictions.
    static let modes = ["tube", "dlr", "elizabeth-line", "overground", "tram", "bus", "river-bus", "cable-car"]

    private let api: TfLAPI

    public init(_ context: FeedContext) throws(FeedSettingError) { api = try TfLAPI(context) }

    /// Fetches a page.
    ///
    /// TfL lists most stops more than once: by themselves, and inside stations and interchanges, often without lines,
    /// direction and coordinates. If the whole list comes as page 1, later pages that repeat it count as empty.
    public func stops(page: Int, take: @escaping StopReceiver) async throws(FeedError) -> StopPage {
        let list = try await api.stopList(of: Self.modes, page: page)
        let result = list.page
        if page > 1, let total = result.total, total > 0, result.entries >= total {
            return StopPage(entries: 0, badRows: 0, total: total)
        }
        try await Self.emit(list.stops, from: api.base, to: take)
        return result
    }

    /// Fetches both directions of a line at once.
    public func route(of line: String) async throws(FeedError) -> LineRoute? {
        let id = line.lowercased()
        guard !id.isEmpty else { return nil }
        return try await FeedError.nilIfUnknown { () throws(FeedError) in try await api.routeSequence(of: id) }
    }
}

extension StopPage {
    /// Decodes a page of the list.
    static func tfl(_ body: [UInt8]) throws(FormatError) -> (page: StopPage, stops: [ListedStop]) {
        let document = try JSONDocument(body, maximumValues: ResponseLimits.listValues)
        let row = document.root.row
        guard let elements = row?["stopPoints"]?.elements ?? document.root.elements else { throw .unexpectedStructure }
        var (stops, rows, badRows): ([ListedStop], Int, Int) = ([], 0, 0)
        let others = elements.eachRow { row in
            rows += 1
            TfLStopListEntry(row).add(to: &stops, &badRows)
        }
        return (StopPage(entries: rows + others, badRows: badRows + others, total: row?.integer("total")), stops)
    }
}

extension LineRoute {
    /// The most branches of a direction; the Northern line has 10 in each.
    private static let maximumBranches = 500

    /// Decodes the response of `/Line/{id}/Route/Sequence/all`, a line's branches, unordered, for both directions: the
    /// directions in the order received, with the branches of each in sequence.
    init(tfl body: [UInt8]) throws(FormatError) {
        let root = try JSONDocument(body).row()
        // A response without a line is something else, such as an error.
        guard let id = root.text("lineId") else { throw .unexpectedStructure }
        let mode = root.text("mode")
        let branches = root.rows("stopPointSequences", TfLBranch.init).filter { !$0.stops.isEmpty }
            .prefix(2 * Self.maximumBranches)
        self.init(
            line: Line(id: id, name: root.text("lineName").map(\.plainText) ?? id), mode: mode,
            colour: TfLColours.colour(of: id, mode: mode),
            directions: branches.map(\.direction).uniqued().map { name in
                let all = branches.filter { $0.direction == name }
                // A tube line's night branches repeat some of its day branches; a night-only line has no others.
                let days = all.filter { !$0.isNight }
                let shown = days.isEmpty ? all : days
                return Direction(name: name, branches: Branch.sequence(shown.prefix(Self.maximumBranches)))
            })
    }
}

/// A section of a line between junctions.
private struct TfLBranch {
    private let row: JSONRow
    let stops: [LineRoute.RouteStop]

    var direction: String { row.text("direction") ?? "" }
    var id: Int? { row.integer("branchId") }
    var next: [Int] { row.integers("nextBranchIds") }
    var previous: [Int] { row.integers("prevBranchIds") }
    var isNight: Bool { row.text("serviceType") == "Night" }

    init(_ row: JSONRow) {
        self.row = row
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
            letter: row.text("stopLetter").flatMap(TfLText.letter), coordinates: row.coordinates())
    }

    /// The code for departure requests: the bus stop, or the station. An interchange is more than the line's station in
    /// it, and a platform (9400…, 9100…) is less.
    private static func code(_ id: String?, station: String?) -> String? {
        guard let id, let station else { return id ?? station }
        return ["HUB", "9400", "9100"].contains(where: id.hasPrefix) ? station : id
    }
}

extension LineRoute.Branch {
    /// Orders the branches of a direction by their references to neighbours; those to missing branches are ignored.
    fileprivate static func sequence(_ branches: some Collection<TfLBranch>) -> [LineRoute.Branch] {
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

/// A station, an area or a bus stop with its parts: the response of `/StopPoint/{id}`, as far as it is needed.
struct TfLStopPoint: Hashable, Sendable {
    /// The most levels of children that are read; real trees have four.
    private static let maximumDepth = 12
    private static let railModes: Set<String> = ["elizabeth-line", "overground"]

    /// The NaPTAN code.
    let code: String
    let name: String?
    /// The type: `NaptanRailStation`, `NaptanPublicBusCoachTram` and others.
    let kind: String
    let lines: [Line]
    /// The identifiers of the lines that the response assigns to the Elizabeth line or Overground.
    let railLines: Set<String>
    let children: [TfLStopPoint]

    init(_ body: [UInt8]) throws(FormatError) {
        self.init(try JSONDocument(body).row())
        // It is cached for hours; King's Cross, with all entrances and bus stops, has 400.
        guard size <= ResponseLimits.rows else {
            throw FormatError("found a stop with more than \(ResponseLimits.rows) parts and lines, which no stop has")
        }
    }

    /// The number of stop points and lines, including all descendants.
    private var size: Int { children.reduce(1 + lines.count + railLines.count) { $0 + $1.size } }

    init(_ stop: JSONRow, depth: Int = 0) {
        code = stop.text("naptanId") ?? stop.text("id") ?? ""
        name = stop.text("commonName")
        kind = stop.text("stopType") ?? ""
        lines = stop.rows("lines", Line.init(tfl:))
        let rail = stop.rows("lineModeGroups", TfLModeGroup.init).filter { Self.railModes.contains($0.mode) }
        railLines = Set(rail.flatMap(\.lines))
        children = depth < Self.maximumDepth ? stop.rows("children") { TfLStopPoint($0, depth: depth + 1) } : []
    }

    /// The stop point with this code, itself or a descendant.
    func find(_ wantedCode: String) -> TfLStopPoint? {
        if code == wantedCode { return self }
        for child in children {
            if let found = child.find(wantedCode) { return found }
        }
        return nil
    }
}

/// The colours of lines in TfL's colour standard (issue 10).
enum TfLColours {
    private static let lines = [
        "bakerloo": "B26300", "central": "DC241F", "circle": "FFC80A", "district": "007D32",
        "hammersmith-city": "F589A6", "jubilee": "838D93", "metropolitan": "9B0058", "northern": "000000",
        "piccadilly": "0019A8", "victoria": "039BE5", "waterloo-city": "76D0BD",
        "dlr": "00AFAD", "elizabeth": "60399E", "tram": "5FB526", "london-cable-car": "734FA0",
        "london-overground": "FA7B05", "liberty": "5D6061", "lioness": "FAA61A", "mildmay": "0077AD",
        "suffragette": "5BBD72", "weaver": "823A62", "windrush": "ED1B00",
    ]
    private static let buses = "DC241F"

    /// - Parameters:
    ///   - line: TfL's identifier of the line.
    ///   - mode: TfL's mode; nil if unknown.
    static func colour(of line: String, mode: String?) -> String? { lines[line] ?? (mode == "bus" ? buses : nil) }
}

extension TransitMode {
    /// By TfL's modes; none for the cable car, and for modes without departures.
    static let tfl: [String: TransitMode] = [
        "bus": .bus, "tram": .tram, "tube": .metro, "dlr": .metro, "elizabeth-line": .train, "overground": .train,
        "river-bus": .ferry,
    ]
}
