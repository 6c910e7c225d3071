internal import BoardCore

/// An entry of TfL's list with what is inside it, as it is written; nil and empty where nothing is said.
///
/// Of what is no stop (an entrance, an access area) only the children are read.
struct TfLListedPoint: Decodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case naptanId, id, commonName, stopType, stopLetter, indicator, smsCode, stationNaptan, hubNaptanCode
        case modes, lines, lineGroup, lineModeGroups, additionalProperties, children, lat, lon
    }

    /// How far down children are read; real trees have four levels.
    private static let deepest = 12
    /// The digits of a code for text messages.
    private static let shortCodeLength = 5

    let code: String?
    let kind: ListedStop.Kind?
    let name: String?
    let letter: String?
    let towards: String?
    let shortCode: String?
    let modes: [String]
    let lines: [Line]
    /// Which lines call at which part; read where it can matter.
    let groups: [TfLLineGroup]
    /// Which lines are of which mode.
    let modeGroups: [TfLModeGroup]
    let coordinates: Coordinates?
    /// The station or the area of which it is a part; often itself.
    let station: String?
    let hub: String?
    let children: [TfLListedPoint]
    /// Children that could not be read.
    let badChildren: Int

    init(from decoder: any Decoder) throws {
        let point = try decoder.container(keyedBy: CodingKeys.self)
        code = point.text(.naptanId) ?? point.text(.id)
        kind = point.text(.stopType).flatMap { ListedStop.Kind(tflStopType: $0) }
        // Each level adds the key and the place in its array.
        let isDeep = decoder.codingPath.count >= 2 * Self.deepest
        let rows = isDeep ? nil : try? point.decodeIfPresent([LossyRow<TfLListedPoint>].self, forKey: .children)
        children = rows?.compactMap(\.row) ?? []
        badChildren = (rows?.count ?? 0) - children.count
        let isPole = kind == .pole
        name = kind == nil ? nil : point.text(.commonName).map(TfLText.clean)
        letter = isPole ? Self.letter(point.text(.stopLetter), point.text(.indicator)) : nil
        towards =
            isPole ? point.rows(.additionalProperties, of: TfLProperty.self).lazy.compactMap(\.towards).first : nil
        shortCode = isPole ? point.text(.smsCode).flatMap(Self.shortCode) : nil
        station = kind == nil ? nil : point.text(.stationNaptan)
        hub = kind == nil ? nil : point.text(.hubNaptanCode)
        modes = kind == nil ? [] : point.rows(.modes, of: String.self)
        lines = kind == nil ? [] : point.rows(.lines, of: TfLLine.self).compactMap(\.line)
        // A pole with lines has them said, and of one mode there is nothing to tell apart.
        let isPlain = isPole && !lines.isEmpty
        groups = kind == nil || isPlain ? [] : point.rows(.lineGroup)
        modeGroups = kind == nil || isPlain && modes.count == 1 ? [] : point.rows(.lineModeGroups)
        coordinates = kind == nil ? nil : Self.coordinates(point)
    }

    /// The pole's letter; an arrow ("->SE") shows where a pole without one faces. Where `stopLetter` is missing, the
    /// indicator "Stop N" tells it.
    private static func letter(_ text: String?, _ indicator: String?) -> String? {
        if let letter = text.flatMap(TfLText.letter) { return letter }
        guard let words = indicator?.split(separator: " "), words.count == 2, words[0] == "Stop" || words[0] == "Stand"
        else { return nil }
        return TfLText.letter(String(words[1]))
    }

    private static func shortCode(_ text: String) -> String? {
        text.utf8.count == shortCodeLength
            && text.utf8.allSatisfy { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }
            ? text : nil
    }

    /// Where it is; 0,0 is TfL's "not known".
    private static func coordinates(_ point: KeyedDecodingContainer<CodingKeys>) -> Coordinates? {
        TfLText.coordinates(
            try? point.decodeIfPresent(Double.self, forKey: .lat), try? point.decodeIfPresent(Double.self, forKey: .lon)
        )
    }
}

/// A line as TfL names it.
struct TfLLine: Decodable {
    private enum CodingKeys: String, CodingKey {
        case id, name
    }

    let line: Line?

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodingKeys.self)
        line = row.text(.id).map { Line(id: $0, name: row.text(.name) ?? $0) }
    }
}

/// Which lines call at one part of a station, an area or an interchange.
struct TfLLineGroup: Decodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case naptanIdReference, stationAtcoCode, lineIdentifier
    }

    /// The pole; nil for the station itself.
    let pole: String?
    /// The station, or the area of the pole.
    let station: String?
    let lines: [String]

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodingKeys.self)
        pole = row.text(.naptanIdReference)
        station = row.text(.stationAtcoCode)
        lines = row.rows(.lineIdentifier, of: String.self)
    }
}

/// The lines of one mode at a stop point.
struct TfLModeGroup: Decodable, Sendable {
    private enum CodingKeys: String, CodingKey {
        case modeName, lineIdentifier
    }

    let mode: String
    let lines: [String]

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodingKeys.self)
        mode = row.text(.modeName) ?? ""
        lines = row.rows(.lineIdentifier, of: String.self)
    }
}

/// One of the many things that are told of a stop point.
private struct TfLProperty: Decodable {
    private enum CodingKeys: String, CodingKey {
        case key, value
    }

    /// Where vehicles go next, where that is what is told.
    let towards: String?

    init(from decoder: any Decoder) throws {
        let row = try decoder.container(keyedBy: CodingKeys.self)
        towards = row.text(.key) == "Towards" ? row.text(.value).map(TfLText.clean) : nil
    }
}
