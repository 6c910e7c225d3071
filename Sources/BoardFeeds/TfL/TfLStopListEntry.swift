internal import BoardCore
internal import BoardFormats

/// An entry of TfL's list with its children, as received; nil and empty if absent.
///
/// Of an entry that is not a stop (an entrance, an access area) only the children are read.
struct TfLStopListEntry: Sendable {
    /// The most levels of children that are read; real trees have four.
    private static let maxDepth = 12
    /// The number of digits of a text message code.
    private static let shortCodeLength = 5

    let code: String?
    let kind: ListedStop.Kind?
    let name: String?
    let letter: String?
    let towards: String?
    let shortCode: String?
    let modes: [String]
    let lines: [Line]
    /// Which lines call at which part; read only where needed.
    let groups: [TfLLineGroup]
    let modeGroups: [TfLModeGroup]
    let coordinates: Coordinates?
    /// The station or the area that contains it; often itself.
    let station: String?
    let hub: String?
    let children: [TfLStopListEntry]
    let badChildren: Int

    init(_ point: JSONRow, depth: Int = 0) {
        code = point.text("naptanId") ?? point.text("id")
        kind = point.text("stopType").flatMap { ListedStop.Kind(tflStopType: $0) }
        let inside = depth < Self.maxDepth ? point["children"]?.elements : nil
        let rows = inside?.rows { TfLStopListEntry($0, depth: depth + 1) }
        children = rows?.good ?? []
        badChildren = rows?.bad ?? 0
        let isPole = kind == .pole
        name = kind == nil ? nil : point.text("commonName").map(\.plainText)
        letter = isPole ? Self.letter(point.text("stopLetter"), point.text("indicator")) : nil
        towards =
            isPole
            ? point["additionalProperties"]?.elements?.lazy.compactMap { $0.row.flatMap(Self.towards) }.first : nil
        shortCode = isPole ? point.text("smsCode").flatMap(Self.shortCode) : nil
        station = kind == nil ? nil : point.text("stationNaptan")
        hub = kind == nil ? nil : point.text("hubNaptanCode")
        modes = kind == nil ? [] : point.texts("modes")
        lines = kind == nil ? [] : point.rows("lines", Line.init(tfl:))
        // A bus stop with lines needs no groups, and a single mode needs no assignment.
        let isPlain = isPole && !lines.isEmpty
        groups = kind == nil || isPlain ? [] : point.rows("lineGroup", TfLLineGroup.init)
        modeGroups = kind == nil || isPlain && modes.count == 1 ? [] : point.rows("lineModeGroups", TfLModeGroup.init)
        coordinates = kind == nil ? nil : point.coordinates()
    }

    /// The bus stop's letter; an arrow ("->SE") is the direction of one without a letter. Without `stopLetter` the letter comes
    /// from an indicator "Stop N".
    private static func letter(_ text: String?, _ indicator: String?) -> String? {
        if let letter = text.flatMap(TfLText.letter) { return letter }
        guard let words = indicator?.split(separator: " "), words.count == 2, words[0] == "Stop" || words[0] == "Stand"
        else { return nil }
        return TfLText.letter(String(words[1]))
    }

    private static func shortCode(_ text: String) -> String? {
        text.utf8.count == shortCodeLength && text.utf8.allSatisfy(\.isDigit) ? text : nil
    }

    /// The direction of travel, if this property is `Towards`.
    private static func towards(_ property: JSONRow) -> String? {
        property.text("key") == "Towards" ? property.text("value").map(\.plainText) : nil
    }
}

extension Line {
    /// A line as TfL sends it; nil without an identifier.
    init?(tfl row: JSONRow) {
        guard let id = row.text("id") else { return nil }
        self.init(id: id, name: row.text("name") ?? id)
    }
}

/// The lines that call at one part of a station, an area or an interchange.
struct TfLLineGroup: Sendable {
    /// The bus stop; nil for the station itself.
    let pole: String?
    /// The station, or the area of the bus stop.
    let station: String?
    let lines: [String]

    init(_ row: JSONRow) {
        pole = row.text("naptanIdReference")
        station = row.text("stationAtcoCode")
        lines = row.texts("lineIdentifier")
    }
}

/// The lines of one mode at a stop point.
struct TfLModeGroup: Sendable {
    let mode: String
    let lines: [String]

    init(_ row: JSONRow) {
        mode = row.text("modeName") ?? ""
        lines = row.texts("lineIdentifier")
    }
}

extension ListedStop.Kind {
    /// The kind for a `stopType` of TfL; nil for entrances, access areas, platforms of a station, taxi ranks and others, which
    /// have no departures. The values are those of `/StopPoint/Meta/StopTypes`, after NaPTAN's schema.
    init?(tflStopType type: String) {
        switch type {
        case "NaptanPublicBusCoachTram", "NaptanMarkedPoint", "NaptanUnmarkedPoint", "NaptanHailAndRideSection",
            "NaptanCoachBay", "NaptanCoachVariableBay", "NaptanFerryBerth":
            self = .pole
        case "NaptanMetroStation", "NaptanRailStation", "NaptanBusCoachStation", "NaptanFerryPort",
            "NaptanLiftCableCarStop", "NaptanLiftCableCarStopArea":
            self = .station
        case "NaptanOnstreetBusCoachStopPair", "NaptanOnstreetBusCoachStopCluster":
            self = .area
        case "TransportInterchange":
            self = .interchange
        default:
            return nil
        }
    }
}
