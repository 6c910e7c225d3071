internal import BoardCore
internal import BoardFormats

/// A station, an area or a bus stop with its parts: the response of `/StopPoint/{id}`, as far as it is needed.
struct TfLStopPoint: Hashable, Sendable {
    /// The most levels of children that are read; real trees have four.
    private static let maxDepth = 12
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

    init(_ body: [UInt8]) throws(JSONFault) {
        self.init(try JSONDocument(body).row())
        // It is cached for hours; King's Cross, with all entrances and bus stops, has 400.
        guard size <= ResponseLimits.rows else {
            throw JSONFault("found a stop with more than \(ResponseLimits.rows) parts and lines, which none has")
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
        children = depth < Self.maxDepth ? stop.rows("children") { TfLStopPoint($0, depth: depth + 1) } : []
    }

    /// The stop point of this code, itself or a descendant.
    func find(_ wantedCode: String) -> TfLStopPoint? {
        if code == wantedCode { return self }
        for child in children {
            if let found = child.find(wantedCode) { return found }
        }
        return nil
    }
}
