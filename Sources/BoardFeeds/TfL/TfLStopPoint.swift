internal import BoardCore

/// A station, an area or a pole, with what is inside it: the answer of `/StopPoint/{id}`, as far as it is needed.
struct TfLStopPoint: Hashable, Sendable {
    /// How far down children are read; real trees have four levels.
    private static let deepest = 12
    private static let railModes: Set<String> = ["elizabeth-line", "overground"]

    /// The NaPTAN code.
    let code: String
    /// The name for people.
    let name: String?
    /// What it is: `NaptanRailStation`, `NaptanPublicBusCoachTram` and so on.
    let kind: String
    /// The lines that call.
    let lines: [Line]
    /// The identifiers of the lines that the answer counts among Elizabeth line or Overground.
    let railLines: Set<String>
    /// What is inside it.
    let children: [TfLStopPoint]

    /// Reads an answer.
    init(_ body: [UInt8]) throws(JSONFault) {
        self.init(try JSONDocument(body).row())
        // It is remembered for hours; King's Cross, with all entrances and bus stops, has 400.
        guard size <= ResponseLimits.rows else {
            throw JSONFault("found a stop with more than \(ResponseLimits.rows) parts and lines, which none has")
        }
    }

    /// How many stop points and lines it has, with all inside of it.
    private var size: Int { children.reduce(1 + lines.count + railLines.count) { $0 + $1.size } }

    /// Reads a stop point; `depth` says how many it is inside of.
    init(_ stop: JSONRow, depth: Int = 0) {
        code = stop.text("naptanId") ?? stop.text("id") ?? ""
        name = stop.text("commonName")
        kind = stop.text("stopType") ?? ""
        lines = stop.rows("lines", Line.init(tfl:))
        let rail = stop.rows("lineModeGroups", TfLModeGroup.init).filter { Self.railModes.contains($0.mode) }
        railLines = Set(rail.flatMap(\.lines))
        children = depth < Self.deepest ? stop.rows("children") { TfLStopPoint($0, depth: depth + 1) } : []
    }

    /// The stop point of this code, here or further down.
    func find(_ wanted: String) -> TfLStopPoint? {
        if code == wanted { return self }
        for child in children {
            if let found = child.find(wanted) { return found }
        }
        return nil
    }
}
