internal import BoardCore

extension TfLStopListEntry {
    /// The stops of an entry and how many of them could not be read.
    struct Listing {
        /// Each before those that are inside it.
        var stops: [ListedStop] = []
        var badRows = 0
    }

    /// The entry and all that is inside it, one after the other; what is no stop is left out, what is inside it is not.
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

    /// The stop; nil where it is none, or has no name, or a code by which nothing can be asked for.
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

    /// What it is inside; where that is told by its codes alone, those. An access area is no parent.
    private func parent(below above: [TfLStopListEntry]) -> String? {
        let direct = above.last.flatMap { $0.kind == nil ? nil : $0.code }
        let around = above.last { $0.kind != nil }?.code
        return [direct, station, around, hub].lazy.compactMap { $0 }.first { $0 != code }
    }

    /// The lines that call here.
    ///
    /// A station is written with the buses of the poles around it; those are the poles' own. And a child is often written
    /// without lines; then what is around it says which of its lines call at the child.
    private func calls(below above: [TfLStopListEntry]) -> [ListedLine] {
        var calling = lines
        if lines.isEmpty {
            let points = [self] + above.reversed()
            let known = points.lazy.map { $0.groups.filter(isTold).flatMap(\.lines) }.first { !$0.isEmpty } ?? []
            calling = known.map { id in
                points.lazy.compactMap { $0.lines.first { $0.id == id } }.first ?? Line(unnamed: id)
            }
        } else if kind == .station {
            let own = Set(groups.filter(isTold).flatMap(\.lines))
            if !own.isEmpty { calling = lines.filter { own.contains($0.id) } }
        }
        var seen: Set<String> = []
        return calling.filter { seen.insert($0.id).inserted }.map { ListedLine($0, mode: mode(of: $0, below: above)) }
    }

    /// Whether a group is about this stop and not about a part of it or a neighbour.
    private func isTold(by group: TfLLineGroup) -> Bool {
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

    /// The modes that call here: without those of the lines that are others', and with those of the lines where no mode is
    /// told.
    private func modes(with lines: [ListedLine]) -> [String] {
        var own: [String] = []
        for mode in lines.compactMap(\.mode) where !own.contains(mode) { own.append(mode) }
        guard !modes.isEmpty else { return own }
        let foreign = modeGroups.map(\.mode).filter { !own.contains($0) }
        return own.isEmpty ? modes : modes.filter { !foreign.contains($0) }
    }
}

extension Line {
    /// Longer identifiers are words ("london-overground"), and their names are not to be guessed.
    private static let longestNumber = 5

    /// A line of which only the identifier is told; a bus's is its name in lower case.
    fileprivate init(unnamed id: String) {
        self.init(id: id, name: id.utf8.count <= Self.longestNumber ? id.uppercased() : id)
    }
}
