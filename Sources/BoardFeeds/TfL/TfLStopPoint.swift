internal import BoardCore

/// A station, an area or a pole, with what is inside it: the answer of `/StopPoint/{id}`, as far as it is needed.
struct TfLStopPoint: Decodable, Hashable, Sendable {
    /// How far down children are read; real trees have four levels.
    private static let deepest = 12
    private static let railModes: Set<String> = ["elizabeth-line", "overground"]

    private enum CodingKeys: String, CodingKey {
        case naptanId, id, commonName, stopType, lines, lineModeGroups, children
    }

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
        self = try JSONAnswer.decode(TfLStopPoint.self, from: body)
    }

    init(from decoder: any Decoder) throws {
        let stop = try decoder.container(keyedBy: CodingKeys.self)
        code = stop.text(.naptanId) ?? stop.text(.id) ?? ""
        name = stop.text(.commonName)
        kind = stop.text(.stopType) ?? ""
        lines = stop.rows(.lines, of: TfLLine.self).compactMap(\.line)
        let rail = stop.rows(.lineModeGroups, of: TfLModeGroup.self).filter { Self.railModes.contains($0.mode) }
        railLines = Set(rail.flatMap(\.lines))
        // Each level adds the key and the place in its array.
        children = decoder.codingPath.count < 2 * Self.deepest ? stop.rows(.children) : []
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
