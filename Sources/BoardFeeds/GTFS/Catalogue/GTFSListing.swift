package import BoardCore

/// The stops and routes of an archive, as entries of the stop directory.
package struct GTFSListing {
    private let archive: GTFSArchive
    private let feed: FeedName
    private let routes: [Timetable.Route]
    private let translations: Translations

    package init(_ archive: GTFSArchive, feed: FeedName) throws(TableError) {
        self.archive = archive
        self.feed = feed
        var translations = Translations(archive.names)
        // Unreadable translations must not cost any stops.
        try? translations.read(archive)
        self.translations = translations
        routes = try archive.routes(translations)
    }

    /// Passes the stops and stations to `take`, with the lines that call there. Entrances, nodes and boarding areas are
    /// left out.
    ///
    /// - Throws: ``TableError``; of kind `cancelled` if `take` throws.
    package func stops(_ take: StopCatalogue.StopReceiver) throws(TableError) -> StopPage {
        let calling = try RoutesByStop(archive)
        let lines = Dictionary(routes.map { ($0.id, $0.listed) }, uniquingKeysWith: { first, _ in first })
        var table = try Table(StopColumn.self, in: archive)
        var entries = 0
        while try table.next() {
            let kind = table.stopKind
            guard !table.field(StopColumn.id).isEmpty, kind == .stop || kind == .station else { continue }
            entries += 1
            let own = calling.routes(at: table.text(StopColumn.id)).compactMap { lines[$0] }
            do {
                try take(table.listedStop(of: feed, own, translations))
            } catch {
                throw TableError(kind: .cancelled, file: GTFSFile.stops.name, detail: "rejected: \(error)")
            }
        }
        return StopPage(entries: entries, total: entries)
    }

    /// The stops of a route in each direction; nil if no route has this ID or name.
    func route(of text: String) throws(TableError) -> LineRoute? {
        guard
            let route = routes.first(where: { $0.id == text }) ?? routes.first(where: { $0.listed.line.isCalled(text) })
        else { return nil }
        let patterns = try archive.patterns(of: route.id)
        let stops = try stops(Set(patterns.flatMap(\.stops)))
        var directions: [LineRoute.Direction] = []
        for direction in [0, 1, nil] as [Int?] {
            let own = patterns.filter { $0.direction == direction }
            guard let main = own.first else { continue }
            // Flexible services call at zones, which are not stops.
            let branches = RouteBranches(own.map { $0.stops.filter { stops[$0] != nil } })
            directions.append(
                LineRoute.Direction(
                    name: main.headsign.map { translations.name($0, .tripHeadsign) } ?? main.stops.last {
                        stops[$0] != nil
                    }.flatMap { stops[$0]?.name } ?? "",
                    branches: BranchOrder.branches(
                        branches.stops.map { $0.compactMap { stops[$0] } }, next: branches.next)))
        }
        return LineRoute(line: route.listed.line, mode: route.listed.mode, colour: route.colour, directions: directions)
    }

    private func stops(_ ids: Set<String>) throws(TableError) -> [String: LineRoute.RouteStop] {
        var found: [String: LineRoute.RouteStop] = [:]
        var table = try Table(StopColumn.self, in: archive)
        var text = 0
        while try table.next() {
            let id = table.text(StopColumn.id)
            guard ids.contains(id) else { continue }
            let name = table.nameIfAny(StopColumn.name, translations, .stopName, of: id) ?? id
            text += name.utf8.count
            try GTFSLimits.check(text, archive.limits.text, "bytes of names of a line's stops", .stops)
            found[id] = LineRoute.RouteStop(
                id: StopID(feed: feed, code: id), name: name, letter: table.nameIfAny(StopColumn.platform),
                coordinates: table.coordinates)
        }
        return found
    }
}

extension Table {
    /// The current row of `stops.txt` with the lines that call there.
    fileprivate func listedStop(of feed: FeedName, _ lines: [ListedLine], _ translations: Translations) -> ListedStop {
        let id = text(StopColumn.id)
        let code = nameIfAny(StopColumn.code)
        let name = nameIfAny(StopColumn.name, translations, .stopName, of: id) ?? id
        return ListedStop(
            id: StopID(feed: feed, code: id), kind: stopKind == .station ? .station : .pole, name: name,
            otherNames: translations.others(than: name, of: text(StopColumn.name), .stopName, of: id),
            letter: nameIfAny(StopColumn.platform), modes: lines.compactMap(\.mode).uniqued(),
            lines: lines.sorted { ($0.line.name.count, $0.line.name) < ($1.line.name.count, $1.line.name) },
            coordinates: coordinates, parent: textIfAny(StopColumn.parent).map { StopID(feed: feed, code: $0) },
            shortCode: code == id ? nil : code)
    }

    /// Nil if missing or out of range.
    fileprivate var coordinates: Coordinates? {
        guard let latitude = bytes.span.decimal(field(StopColumn.latitude)),
            let longitude = bytes.span.decimal(field(StopColumn.longitude)),
            // Some operators write 0, 0 for unknown coordinates.
            latitude != 0 || longitude != 0
        else { return nil }
        return Coordinates(latitude: latitude, longitude: longitude)
    }
}

extension GTFSArchive {
    /// The routes, in the order of the file. Rows without a `route_id` are skipped.
    func routes(_ translations: Translations) throws(TableError) -> [Timetable.Route] {
        var table = try Table(RouteColumn.self, in: self)
        var routes: [Timetable.Route] = []
        var text = 0
        while try table.next() {
            guard !table.field(RouteColumn.id).isEmpty else { continue }
            routes.append(table.route(translations))
            text += table.textCount(RouteColumn.id, .shortName, .longName, .agency)
            try GTFSLimits.check(routes.count, limits.routes, "lines", .routes)
            try GTFSLimits.check(text, limits.text, "bytes of their names", .routes)
        }
        return routes
    }
}

extension Timetable.Route {
    fileprivate var listed: ListedLine { ListedLine(Line(id: id, name: name), mode: mode, colour: colour) }

    /// From `route_type`, as ``mode``.
    var transitMode: TransitMode? {
        switch type {
        case 3, 11, 200..<300, 700..<900: .bus
        case 0, 5, 900..<1_000, 1_701: .tram
        case 1, 12, 400..<700: .metro
        case 2, 100..<200, 300..<400: .train
        case 4, 1_000..<1_100, 1_200..<1_300: .ferry
        default: nil
        }
    }

    /// The mode in riders' words, from `route_type`: 0–12 and the extended types by hundreds.
    private var mode: String? {
        switch type {
        case 0, 900..<1_000: "tram"
        case 1, 400..<500, 500..<600, 600..<700: "metro"
        case 2, 100..<200, 300..<400: "train"
        case 3, 700..<800: "bus"
        case 4, 1_000..<1_100, 1_200..<1_300: "ferry"
        case 5, 1_701: "cable-tram"
        case 6, 1_300..<1_400: "cable-car"
        case 7, 1_400..<1_500: "funicular"
        case 11, 800..<900: "trolleybus"
        case 12: "monorail"
        case 200..<300: "coach"
        default: nil
        }
    }
}
