internal import BoardCore

extension TfLStopListEntry {
    /// The stops of an entry, with the number of malformed ones.
    struct Listing {
        /// The stops, parents before children.
        var stops: [ListedStop] = []
        var badRows = 0
    }

    /// The entry and its descendants in order; an entry that is not a stop is left out, but its children are included.
    var listing: Listing {
        var listing = Listing()
        add(to: &listing, below: [])
        return listing
    }

    private func add(to listing: inout Listing, below above: [TfLStopListEntry]) {
        listing.badRows += badChildren
        if let stop = stop(below: above) {
            listing.stops.append(stop)
        } else if kind != nil || code == nil {
            listing.badRows += 1
        }
        for child in children { child.add(to: &listing, below: above + [self]) }
    }

    /// The stop; nil if the entry is not one, or has no name or no valid code.
    private func stop(below above: [TfLStopListEntry]) -> ListedStop? {
        guard let kind, let name, !name.isEmpty, let code, TfLFeed.declaration.problem(aboutStop: code) == nil else {
            return nil
        }
        let lines = calls(below: above)
        return ListedStop(
            id: StopID(feed: TfLFeed.name, code: code), kind: kind, name: name, letter: letter, towards: towards,
            modes: modes(with: lines), lines: lines, coordinates: coordinates,
            parent: parent(below: above).map { StopID(feed: TfLFeed.name, code: $0) }, shortCode: shortCode)
    }

    /// The parent, also if only its code is given. An access area is not a parent.
    private func parent(below above: [TfLStopListEntry]) -> String? {
        let direct = above.last.flatMap { $0.kind == nil ? nil : $0.code }
        let around = above.last { $0.kind != nil }?.code
        return [direct, station, around, hub].lazy.compactMap { $0 }.first { $0 != code }
    }

    /// The lines that call here.
    ///
    /// A station is listed with the buses of the bus stops around it, which belong to those. A child is often listed without
    /// lines; the line groups of its ancestors then assign them.
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
        var seen: Set<String> = []
        return calling.filter { seen.insert($0.id).inserted }.map { ListedLine($0, mode: mode(of: $0, below: above)) }
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

    /// The modes that call here: without those of lines that belong to other stops; if no modes are given, those of the lines.
    private func modes(with lines: [ListedLine]) -> [String] {
        var own: [String] = []
        for mode in lines.compactMap(\.mode) where !own.contains(mode) { own.append(mode) }
        guard !modes.isEmpty else { return own }
        let foreign = modeGroups.map(\.mode).filter { !own.contains($0) }
        return own.isEmpty ? modes : modes.filter { !foreign.contains($0) }
    }
}

extension Line {
    /// Longer identifiers are words ("london-overground"), from which no name can be derived.
    private static let longestNumber = 5

    /// A line of which only the identifier is given; a bus's is its name in lower case.
    fileprivate init(unnamed id: String) {
        self.init(id: id, name: id.utf8.count <= Self.longestNumber ? id.uppercased() : id)
    }
}
