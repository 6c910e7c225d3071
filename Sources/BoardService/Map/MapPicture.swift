public import BoardCore

/// A map of stops as an SVG document.
///
/// It has neither a style sheet nor a script, only presentation attributes and class names, so that it is complete in a file and inside of a page,
/// whose style sheet may set other colours by class.
public struct MapPicture: Sendable {
    /// The SVG document.
    public let svg: String

    /// - Parameters:
    ///   - found: the stops in the ``box(of:)`` of the request.
    ///   - marked: the stop to mark, drawn also where it is not among the others.
    ///   - route: the line whose way is drawn.
    public init(
        _ request: MapRequest, of found: StopsInBox, marked: StopEntry? = nil, route: RouteEntry? = nil, words: MapWords
    ) {
        var drawing = MapDrawing(request, words)
        drawing.begin()
        drawing.surroundings()
        var calls: [StopEntry] = []
        if let route {
            drawing.way(of: route)
            calls = Self.calls(of: route)
        }
        drawing.stops(found.drawn, calls: calls, marked: marked)
        if found.isCrowded { drawing.notice(words.zoomIn(found.total)) }
        drawing.furniture(attributions: found.attributions)
        drawing.lengths()
        drawing.names()
        svg = drawing.end()
    }

    /// The box that a map shows.
    public static func box(of request: MapRequest) -> BoundingBox? { MapProjection(request).box }

    /// The stops of a line, each once.
    private static func calls(of route: RouteEntry) -> [StopEntry] {
        var seen: Set<String> = []
        return route.directions.flatMap(\.branches).flatMap(\.stops).compactMap { call in
            seen.insert(call.stop).inserted ? StopEntry(call, of: route) : nil
        }
    }
}

extension StopEntry {
    /// A stop as the route of a line has it.
    fileprivate init?(_ call: RouteEntry.Call, of route: RouteEntry) {
        guard let id = StopID(call.stop) else { return nil }
        let line = ListedLine(Line(id: route.line, name: route.name), mode: route.mode)
        let place = call.latitude.flatMap { north in
            call.longitude.flatMap { Coordinates(latitude: north, longitude: $0) }
        }
        let stop = ListedStop(
            id: id, kind: .pole, name: call.name, letter: call.letter, lines: [line], coordinates: place)
        self.init(stop, isFavourite: call.isFavourite)
    }
}
