public import BoardCore
import BoardIO
import BoardStore
import Glibc

/// A map of stops as an SVG document.
///
/// It has no style sheet or script, only presentation attributes and class names, so it is complete in a file and
/// inside a page, whose style sheet may set other colours by class.
public struct MapPicture: Sendable {
    public let svg: String

    /// - Parameters:
    ///   - found: the stops in the ``box(of:)`` of the request.
    ///   - marked: the stop to mark, drawn even if it is not among the others.
    ///   - route: the line whose route is drawn.
    public init(
        _ request: MapRequest, of found: StopsInBox, marked: StopEntry? = nil, route: RouteEntry? = nil, words: Words
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
        if found.isCrowded { drawing.notice(words.text(.mapZoomIn).replacing("%code", with: "\(found.total)")) }
        drawing.furniture(attributions: found.attributions)
        drawing.lengths()
        drawing.names()
        svg = drawing.end()
    }

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
        let stop = ListedStop(
            id: id, kind: .pole, name: call.name, letter: call.letter, lines: [line],
            coordinates: Coordinates(latitude: call.latitude, longitude: call.longitude))
        self.init(stop, isFavourite: call.isFavourite)
    }
}

/// What a map shows.
public struct MapRequest: Hashable, Sendable {
    /// The maximum number of stops on a map, and in the list of a box.
    public static let maximumStops = 150

    /// The scales, in metres per pixel at the centre; the values are those of the query parameter.
    public enum Scale: String, CaseIterable, Sendable {
        case half = "0.5", one = "1", two = "2", five = "5", ten = "10", twenty = "20"

        public var metresPerPixel: Double { Double(rawValue) ?? 1 }
    }

    /// The size of the picture in pixels.
    public struct Size: Hashable, Sendable, CustomStringConvertible {
        public static let allowed = 120...1024
        public static let standard = Size(width: 360, height: 480)

        public let width: Int
        public let height: Int

        private init(width: Int, height: Int) {
            self.width = width
            self.height = height
        }

        /// Parses "360x480"; nil if a number is missing or not ``allowed``.
        public init?(written text: some StringProtocol) {
            let sides = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
            guard sides.count == 2, sides.allSatisfy(Self.allowed.contains) else { return nil }
            self.init(width: sides[0], height: sides[1])
        }

        public var description: String { "\(width)x\(height)" }
    }

    /// A line, by the operator's identifier or name.
    public struct NamedLine: Hashable, Sendable {
        public let feed: FeedName
        public let line: String

        public init(feed: FeedName, line: String) {
            self.feed = feed
            self.line = line
        }
    }

    public var centre: Coordinates
    public var scale = Scale.two
    public var size = Size.standard
    /// The stop to mark; one that the stop directory lacks is not marked.
    public var stop: StopID?
    /// The line to draw, at the cost of a request to its operator.
    public var line: NamedLine?

    public init(centre: Coordinates) {
        self.centre = centre
    }
}

/// A point of the picture: pixels right of and below its upper left corner.
struct MapPoint: Hashable {
    var x: Double
    var y: Double

    func distance(to other: MapPoint) -> Double { hypot(x - other.x, y - other.y) }
}

/// Web Mercator around a centre: the formulas of EPSG:3857 on a sphere of ``Coordinates/radiusOfEarth``, so that tiles
/// fit underneath, with a scale that holds at the centre.
struct MapProjection {
    /// The northernmost latitude of Web Mercator, whose world is a square.
    private static let limit = 85.051_128_779_806_6

    let size: MapRequest.Size
    /// The middle of the picture: the requested place, moved to the nearest latitude that Web Mercator has.
    private let centre: Coordinates
    private let pixelsPerRadian: Double

    init(_ request: MapRequest) {
        let latitude = min(max(request.centre.latitude, -Self.limit), Self.limit)
        centre = Coordinates(latitude: latitude, longitude: request.centre.longitude) ?? request.centre
        size = request.size
        pixelsPerRadian = Coordinates.radiusOfEarth * cos(latitude * .pi / 180) / request.scale.metresPerPixel
    }

    /// The position of a place, perhaps outside the picture; nil near the Earth's poles, which Web Mercator lacks.
    func point(_ place: Coordinates) -> MapPoint? {
        guard abs(place.latitude) <= Self.limit else { return nil }
        var east = place.longitude - centre.longitude
        if east > 180 { east -= 360 } else if east < -180 { east += 360 }
        return MapPoint(
            x: Double(size.width) / 2 + east * .pi / 180 * pixelsPerRadian,
            y: Double(size.height) / 2 - (Self.northing(place.latitude) - Self.northing(centre.latitude))
                * pixelsPerRadian)
    }

    /// The box that the picture shows; nil only if a number is out of range.
    var box: BoundingBox? {
        let east = Double(size.width) / 2 / pixelsPerRadian * 180 / .pi
        let north = Double(size.height) / 2 / pixelsPerRadian
        let middle = Self.northing(centre.latitude)
        return BoundingBox(
            south: max(Self.latitude(middle - north), -Self.limit), west: Self.wrapped(centre.longitude - east),
            north: min(Self.latitude(middle + north), Self.limit), east: Self.wrapped(centre.longitude + east))
    }

    /// Half the width of the world in pixels: two points that are farther apart are closer the other way around the
    /// Earth, where the picture is not.
    var halfWorld: Double { .pi * pixelsPerRadian }

    private static func wrapped(_ longitude: Double) -> Double {
        longitude < -180 ? longitude + 360 : longitude > 180 ? longitude - 360 : longitude
    }

    /// The height of a latitude in Web Mercator, in radians of the equator.
    private static func northing(_ latitude: Double) -> Double { log(tan(.pi / 4 + latitude * .pi / 360)) }

    private static func latitude(_ northing: Double) -> Double { (2 * atan(exp(northing)) - .pi / 2) * 180 / .pi }
}

extension Double {
    /// A number of pixels in a document, to a tenth, clamped to a range far larger than any picture.
    var drawn: String {
        let tenths = Int((Swift.min(Swift.max(self, -100_000), 100_000) * 10).rounded())
        let (whole, rest) = (abs(tenths) / 10, abs(tenths) % 10)
        return (tenths < 0 ? "-" : "") + (rest == 0 ? "\(whole)" : "\(whole).\(rest)")
    }
}

extension StopsInBox {
    /// Whether the box has more stops than a map shows.
    var isCrowded: Bool { total > MapRequest.maximumStops }

    /// The stops that a map of the box draws; if there are too many, only interchanges, stations and favourites. Of an
    /// interchange and its stations, which would overlap, then the interchange alone, otherwise its parts.
    var drawn: [StopEntry] {
        let stops = stops.prefix(MapRequest.maximumStops)
        guard isCrowded else {
            let parents = Set(stops.compactMap(\.parent))
            return stops.filter { !parents.contains($0.stop) }
        }
        let interchanges = Set(stops.filter { $0.kind == .interchange }.map(\.stop))
        return stops.filter { stop in
            switch stop.kind {
            case .interchange: true
            case .station: !stop.parent.isSomeAnd(interchanges.contains)
            case .area, .pole: stop.isFavourite
            }
        }
    }

    /// The stops that a map of the box draws, the nearest to a place first, with their distances.
    func drawn(near place: Coordinates) -> StopsInBox {
        let listed = drawn.compactMap { stop -> StopEntry? in
            guard let position = Coordinates(latitude: stop.latitude, longitude: stop.longitude) else { return nil }
            var stop = stop
            stop.distanceMetres = place.distance(to: position).count
            return stop
        }
        return StopsInBox(
            listed.sorted { ($0.distanceMetres ?? 0) < ($1.distanceMetres ?? 0) }, total: total,
            attributions: attributions)
    }
}

extension BoundingBox {
    /// The distance from a place in the middle to its farther edge, southern or western; at most ``maximumRadius``.
    func radius(around place: Coordinates) -> Metres {
        let edges = [(south, place.longitude), (place.latitude, west)].compactMap {
            Coordinates(latitude: $0.0, longitude: $0.1)
        }
        let farthest = edges.map { place.distance(to: $0).count }.max() ?? Self.maximumRadius
        return Metres(min(max(farthest, 1), Self.maximumRadius))
    }

    /// In metres; the maximum of a search near a place.
    private static var maximumRadius: Double { 5_000 }
}

// The map of stops.
extension LocalBoardService {
    public func stops(
        in box: BoundingBox, near place: Coordinates?, limit: Int, isOnline: Bool
    ) async throws(ServiceError) -> StopsInBox {
        do throws(ServiceError) {
            let found = try await DedicatedThread.attempt {
                try self.found(in: box, limit: limit)
            }
            guard let place else { return found }
            if !isOnline || !found.stops.isEmpty { return found.drawn(near: place) }
        } catch {
            guard isOnline, place != nil, error.kind == .noDirectory else { throw error }
        }
        guard let place else { return StopsInBox([], total: 0, attributions: []) }
        let stops = try await stops(
            near: place, within: box.radius(around: place), modes: [], limit: limit, isOnline: true)
        return StopsInBox(stops, total: stops.count, attributions: [])
    }

    public func map(_ request: MapRequest) async throws(ServiceError) -> String {
        var route: RouteEntry?
        if let line = request.line { route = try await self.route(of: line.line, feed: line.feed) }
        let words = try active().configuration.board.language.words
        return try await DedicatedThread.attempt { [route] in
            try drawn(request, route, words)
        }
    }

    /// Blocks for a few queries.
    private func drawn(_ request: MapRequest, _ route: RouteEntry?, _ words: Words) throws(ServiceError) -> String {
        guard let box = MapPicture.box(of: request) else {
            throw ServiceError(.malformed, "there is no map around \(request.centre)")
        }
        var stops = try found(in: box, limit: MapRequest.maximumStops)
        // Without a list for its feed, the stop is not marked.
        let marked = request.stop.flatMap { try? directory.stop($0) }
        let others = Set([request.line?.feed, marked?.id.feed].compactMap { $0 })
        for attribution in try attributions(of: others) where !stops.attributions.contains(attribution) {
            stops.attributions.append(attribution)
        }
        let entry = try marked.map { stop throws(ServiceError) in try entries([stop]) }?.first
        return MapPicture(request, of: stops, marked: entry, route: route, words: words).svg
    }

    /// The stops of a box. Blocks for a few queries.
    private func found(in box: BoundingBox, limit: Int) throws(ServiceError) -> StopsInBox {
        let (result, total) = try ServiceError.attempt { try directory.stops(in: box, limit: limit) }
        let attributions = try attributions(of: Set(result.found.map(\.id.feed)))
        return StopsInBox(try entries(result.found), total: total, attributions: attributions)
    }

    /// The attributions of feeds in use, in the order of their names, each once.
    private func attributions(of feeds: Set<FeedName>) throws(ServiceError) -> [String] {
        let active = try active().feeds
        let all = feeds.sorted { $0.description < $1.description }.compactMap { active[$0]?.profile.attribution }
        return all.indices.filter { all.firstIndex(of: all[$0]) == $0 }.map { all[$0] }
    }
}
