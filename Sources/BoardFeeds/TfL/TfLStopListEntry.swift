import BoardCore

/// An entry of TfL's list with its children, as received; nil and empty if absent.
///
/// Of an entry that is not a stop (an entrance, an access area) only the children are read.
struct TfLStopListEntry: Sendable {
    /// The most levels of children that are read; real trees have four.
    private static let maximumDepth = 12
    /// The number of digits of a text message code.
    private static let shortCodeLength = 5

    private let point: JSONRow
    let code: String?
    let kind: ListedStop.Kind?
    let modes: [String]
    let lines: [Line]
    /// Which lines call at which part; read only where needed.
    let groups: [TfLLineGroup]
    let modeGroups: [TfLModeGroup]
    let children: [TfLStopListEntry]
    let badChildren: Int

    init(_ point: JSONRow, depth: Int = 0) {
        self.point = point
        code = point.text("naptanId") ?? point.text("id")
        kind = point.text("stopType").flatMap { ListedStop.Kind(tflStopType: $0) }
        let inside = depth < Self.maximumDepth ? point["children"]?.elements : nil
        let rows = inside?.rows { TfLStopListEntry($0, depth: depth + 1) }
        children = rows?.good ?? []
        badChildren = rows?.bad ?? 0
        modes = kind == nil ? [] : point.texts("modes")
        lines = kind == nil ? [] : point.rows("lines", Line.init(tfl:))
        // A bus stop with lines needs no groups, and a single mode needs no assignment.
        let isPlain = kind == .pole && !lines.isEmpty
        groups = kind == nil || isPlain ? [] : point.rows("lineGroup", TfLLineGroup.init)
        modeGroups = kind == nil || isPlain && modes.count == 1 ? [] : point.rows("lineModeGroups", TfLModeGroup.init)
    }

    /// The bus stop's letter; an arrow ("->SE") is the direction of a stop without one. Without `stopLetter` the letter
    /// comes from an indicator "Stop N".
    private var letter: String? {
        if let letter = point.text("stopLetter").flatMap(TfLText.letter) { return letter }
        let words = point.text("indicator")?.split(separator: " ") ?? []
        guard words.count == 2, words[0] == "Stop" || words[0] == "Stand" else { return nil }
        return TfLText.letter(String(words[1]))
    }

    private var shortCode: String? {
        point.text("smsCode").flatMap { code in
            code.utf8.count == Self.shortCodeLength && code.utf8.allSatisfy(\.isDigit) ? code : nil
        }
    }

    /// The direction of travel.
    private var towards: String? {
        point["additionalProperties"]?.elements?.lazy.compactMap(\.row).filter { $0.text("key") == "Towards" }
            .compactMap { $0.text("value") }.first.map(\.plainText)
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
    /// The kind for a `stopType` of TfL; nil for entrances, access areas, platforms of a station, taxi ranks and
    /// others, which have no departures. The values are those of `/StopPoint/Meta/StopTypes`, after NaPTAN's schema.
    init?(tflStopType type: String) {
        switch type {
        case "NaptanPublicBusCoachTram", "NaptanMarkedPoint", "NaptanUnmarkedPoint", "NaptanHailAndRideSection",
            "NaptanCoachBay", "NaptanCoachVariableBay", "NaptanFerryBerth":
            self = .pole
        case "NaptanMetroStation", "NaptanRailStation", "NaptanBusCoachStation", "NaptanFerryPort",
            "NaptanLiftCableCarStop", "NaptanLiftCableCarStopArea":
            self = .station
        case "NaptanOnstreetBusCoachStopPair", "NaptanOnstreetBusCoachStopCluster": self = .area
        case "TransportInterchange": self = .interchange
        default: return nil
        }
    }
}

extension TfLStopListEntry {
    /// Adds the entry and its descendants in order; an entry that is not a stop is left out, but its children are
    /// included.
    func add(to stops: inout [ListedStop], _ badRows: inout Int, below above: [TfLStopListEntry] = []) {
        badRows += badChildren
        if let stop = stop(below: above) {
            stops.append(stop)
        } else if kind != nil || code == nil {
            badRows += 1
        }
        for child in children { child.add(to: &stops, &badRows, below: above + [self]) }
    }

    /// The stop; nil if the entry is not one, or has no name or no valid code.
    private func stop(below above: [TfLStopListEntry]) -> ListedStop? {
        guard let kind, let name = point.text("commonName").map(\.plainText), !name.isEmpty, let code,
            TfLFeed.declaration.problem(aboutStop: code) == nil
        else {
            return nil
        }
        let lines = calls(below: above)
        let isPole = kind == .pole
        return ListedStop(
            id: StopID(feed: TfLFeed.name, code: code), kind: kind, name: name, letter: isPole ? letter : nil,
            towards: isPole ? towards : nil, modes: modes(with: lines), lines: lines, coordinates: point.coordinates(),
            parent: parent(below: above).map { StopID(feed: TfLFeed.name, code: $0) },
            shortCode: isPole ? shortCode : nil)
    }

    /// The parent, even if only its code is given. An access area is not a parent.
    private func parent(below above: [TfLStopListEntry]) -> String? {
        let direct = above.last.flatMap { $0.kind == nil ? nil : $0.code }
        let around = above.last { $0.kind != nil }?.code
        return [direct, point.text("stationNaptan"), around, point.text("hubNaptanCode")].lazy.compactMap { $0 }.first {
            $0 != code
        }
    }

    /// The lines that call here.
    ///
    /// A station is listed with the buses of the stops around it, which belong to those. A child is often listed
    /// without lines; the line groups of its ancestors then assign them.
    private func calls(below above: [TfLStopListEntry]) -> [ListedLine] {
        var calling = lines
        if lines.isEmpty {
            let entries = [self] + above.reversed()
            let ids = entries.lazy.map { $0.groups.filter(concerns).flatMap(\.lines) }.first { !$0.isEmpty } ?? []
            calling = ids.map { id in
                entries.lazy.compactMap { $0.lines.first { $0.id == id } }.first ?? Line(unnamed: id)
            }
        } else if kind == .station {
            let own = Set(groups.filter(concerns).flatMap(\.lines))
            if !own.isEmpty { calling = lines.filter { own.contains($0.id) } }
        }
        return calling.uniqued(by: \.id).map { line in
            let mode = mode(of: line, below: above)
            return ListedLine(line, mode: mode, colour: TfLColours.colour(of: line.id, mode: mode))
        }
    }

    /// Whether a group concerns this stop, not a part of it or a neighbour.
    private func concerns(by group: TfLLineGroup) -> Bool {
        switch kind {
        case .pole: group.pole == code
        case .station: group.station == code && (group.pole ?? code) == code
        case .area: group.station == code
        case .interchange, nil: false
        }
    }

    private func mode(of line: Line, below above: [TfLStopListEntry]) -> String? {
        if modes.count == 1 { return modes[0] }
        let groups = ([self] + above.reversed()).lazy.flatMap(\.modeGroups)
        return groups.first { $0.lines.contains(line.id) }?.mode
    }

    /// The modes that call here, except those of lines at other stops; if no modes are given, those of the lines.
    private func modes(with lines: [ListedLine]) -> [String] {
        let own = lines.compactMap(\.mode).uniqued()
        guard !modes.isEmpty else { return own }
        let foreign = modeGroups.map(\.mode).filter { !own.contains($0) }
        return own.isEmpty ? modes : modes.filter { !foreign.contains($0) }
    }
}

extension Line {
    /// Longer identifiers are words ("london-overground"), from which no name can be derived.
    private static let maximumNumberLength = 5

    /// A line of which only the identifier is given; a bus line's is its name in lower case.
    fileprivate init(unnamed id: String) {
        self.init(id: id, name: id.utf8.count <= Self.maximumNumberLength ? id.uppercased() : id)
    }
}
