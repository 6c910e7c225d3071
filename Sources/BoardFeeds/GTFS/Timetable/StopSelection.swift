internal import BoardFormats

/// The stops whose trips are selected: the requested stops, and all platforms of their stations, between which trips move.
package struct StopSelection {
    /// The requested stops, their platforms, and then the other platforms and stations of the same stations, to which a
    /// vehicle may be reassigned.
    private(set) var places: ByteKeys
    /// The number of ``places`` that are requested stops or their platforms.
    private(set) var watched: Int
    private(set) var unknown: [String] = []

    /// Selects stops without reading `stops.txt`.
    package init(_ codes: [String]) {
        places = ByteKeys(codes)
        watched = places.count
    }

    /// Selects stops with their platforms and stations.
    init(_ codes: [String], in archive: GTFSArchive) throws(TableFailure) {
        places = ByteKeys(codes)
        let requested = places.count
        watched = requested
        // Finds which of them exist, and their stations.
        var exists = [Bool](repeating: false, count: requested)
        var stations = ByteKeys()
        var table = try Table(StopColumn.self, in: archive)
        while try table.next() {
            let number = table.number(of: StopColumn.id, in: places)
            guard number != ByteKeys.unknown else { continue }
            exists[number] = true
            let parent = table.field(StopColumn.parent)
            if !parent.isEmpty { _ = stations.insert(parent, of: table.bytes.span) }
        }
        unknown = exists.indices.filter { !exists[$0] }.map { places[$0] }
        // Finds their children, and those of their stations.
        var siblings = ByteKeys()
        table = try Table(StopColumn.self, in: archive)
        while try table.next() {
            let parent = table.field(StopColumn.parent)
            // Nothing calls at entrances and nodes.
            guard !parent.isEmpty, ![.entrance, .node].contains(table.stopKind) else { continue }
            let number = places.number(of: parent, in: table.bytes.span)
            if number != ByteKeys.unknown, number < requested {
                _ = places.insert(table.field(StopColumn.id), of: table.bytes.span)
            } else if stations.number(of: parent, in: table.bytes.span) != ByteKeys.unknown {
                _ = siblings.insert(table.field(StopColumn.id), of: table.bytes.span)
            }
            let (count, text) = (places.count + siblings.count, places.textCount + siblings.textCount)
            try GTFSLimits.check(count, archive.limits.selectedStops, "platforms of the requested stops", .stops)
            try GTFSLimits.check(text, archive.limits.selectedText, "bytes of their identifiers", .stops)
        }
        watched = places.count
        for number in 0..<stations.count { _ = places.insert(stations[number]) }
        for number in 0..<siblings.count { _ = places.insert(siblings[number]) }
    }
}
