/// The stops of which the trips are kept: those of interest and, of a station, its platforms.
struct StopSelection {
    /// The stops of interest, their platforms, and then the other platforms and stations that belong to them, in which a
    /// vehicle may be moved to another platform.
    private(set) var places: ByteKeys
    /// How many of ``places`` are of interest, or platforms of those.
    private(set) var watched: Int
    /// What `stops.txt` does not have.
    private(set) var unknown: [String] = []

    /// Stops that are not looked up: what is told of them is all.
    init(_ codes: [String]) {
        places = ByteKeys(codes)
        watched = places.count
    }

    /// Looks stops up.
    init(_ codes: [String], in archive: GTFSArchive) throws(GTFSFailure) {
        places = ByteKeys(codes)
        let wanted = places.count
        watched = wanted
        // Which of them are there, and where they belong.
        var isThere = [Bool](repeating: false, count: wanted)
        var stations = ByteKeys()
        var table = try Table(StopColumn.self, in: archive)
        while try table.next() {
            let number = table.number(of: StopColumn.id, in: places)
            guard number != ByteKeys.unknown else { continue }
            isThere[number] = true
            let parent = table.field(StopColumn.parent)
            if !parent.isEmpty { _ = stations.insert(parent, of: table.bytes.span) }
        }
        unknown = isThere.indices.filter { !isThere[$0] }.map { places[$0] }
        // Their children, and those of the stations in which they are.
        var siblings = ByteKeys()
        table = try Table(StopColumn.self, in: archive)
        while try table.next() {
            let parent = table.field(StopColumn.parent)
            // Entrances and the like, where nothing calls.
            guard !parent.isEmpty, ![.entrance, .node].contains(table.stopKind) else { continue }
            let number = places.number(of: parent, in: table.bytes.span)
            if number != ByteKeys.unknown, number < wanted {
                _ = places.insert(table.field(StopColumn.id), of: table.bytes.span)
            } else if stations.number(of: parent, in: table.bytes.span) != ByteKeys.unknown {
                _ = siblings.insert(table.field(StopColumn.id), of: table.bytes.span)
            }
            let (count, text) = (places.count + siblings.count, places.textCount + siblings.textCount)
            try GTFSLimits.check(count, archive.limits.selectedStops, "platforms of stops of interest", .stops)
            try GTFSLimits.check(text, archive.limits.selectedText, "bytes of their identifiers", .stops)
        }
        watched = places.count
        for number in 0..<stations.count { _ = places.insert(stations[number]) }
        for number in 0..<siblings.count { _ = places.insert(siblings[number]) }
    }
}
