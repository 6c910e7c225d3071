internal import BoardCore

/// A station, an area or a pole, with what is inside it: the answer of `/StopPoint/{id}`, as far as it is needed.
struct TfLStopPoint: Hashable, Sendable {
    /// How far down children are read; real trees have four levels.
    private static let deepest = 12

    /// The NaPTAN code.
    var code = ""
    /// The name for people.
    var name: String?
    /// What it is: `NaptanRailStation`, `NaptanPublicBusCoachTram` and so on.
    var kind = ""
    /// The lines that call.
    var lines: [Line] = []
    /// The identifiers of the lines that the answer counts among Elizabeth line or Overground.
    var railLines: Set<String> = []
    /// What is inside it.
    var children: [TfLStopPoint] = []

    /// Reads an answer.
    init(_ body: [UInt8]) throws(JSONError) {
        var reader = JSONReader(body)
        try self.init(&reader)
        try reader.end()
    }

    /// Reads the object that comes next, `depth` levels below the one that was asked for.
    init(_ reader: inout JSONReader, depth: Int = 0) throws(JSONError) {
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "naptanId": code = try reader.text() ?? code
            case "id": if code.isEmpty { code = try reader.text() ?? "" }
            case "commonName": self.name = try reader.text()
            case "stopType": kind = try reader.text() ?? ""
            case "lines":
                try Self.items(&reader) { reader throws(JSONError) in
                    if let line = try Self.line(&reader) { lines.append(line) }
                }
            case "lineModeGroups":
                try Self.items(&reader) { reader throws(JSONError) in
                    railLines.formUnion(try Self.rail(&reader))
                }
            case "children" where depth < Self.deepest:
                try Self.items(&reader) { reader throws(JSONError) in
                    children.append(try TfLStopPoint(&reader, depth: depth + 1))
                }
            default: break
            }
        }
    }

    /// The stop point of this code, here or further down.
    func find(_ wanted: String) -> TfLStopPoint? {
        if code == wanted { return self }
        for child in children {
            if let found = child.find(wanted) { return found }
        }
        return nil
    }

    /// Calls `each` at every object of an array; anything else is left to be skipped.
    private static func items(
        _ reader: inout JSONReader, _ each: (inout JSONReader) throws(JSONError) -> Void
    ) throws(JSONError) {
        guard try reader.kind() == .array else { return }
        try reader.elements { reader throws(JSONError) in
            if try reader.kind() == .object { try each(&reader) }
        }
    }

    private static func line(_ reader: inout JSONReader) throws(JSONError) -> Line? {
        var id: String?
        var title: String?
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "id": id = try reader.text()
            case "name": title = try reader.text()
            default: break
            }
        }
        return id.map { Line(id: $0, name: title ?? $0) }
    }

    private static func rail(_ reader: inout JSONReader) throws(JSONError) -> Set<String> {
        var mode: String?
        var ids: Set<String> = []
        try reader.members { name, reader throws(JSONError) in
            switch name {
            case "modeName": mode = try reader.text()
            case "lineIdentifier" where try reader.kind() == .array:
                try reader.elements { reader throws(JSONError) in
                    if let id = try reader.text() { ids.insert(id) }
                }
            default: break
            }
        }
        return mode == "elizabeth-line" || mode == "overground" ? ids : []
    }
}
