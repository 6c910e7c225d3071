import BoardCore
import BoardService

extension Route {
    /// The maximum number of stops in a response.
    static let maximumListLength = 100
    /// The number of stops in a response unless the request sets a limit.
    static let defaultListLength = 20
    /// The maximum radius in metres: farther than anyone walks, and a city has too many stops for one response.
    static let maximumRadius = 5_000
    /// The radius in metres unless the request sets one.
    static let defaultRadius = 500

    /// All routes; docs/control/openapi.json describes each.
    static let all: [Route] = board + stops + directory + favourites

    private static let board: [Route] = [
        Route("GET", "/v1/state") { _, board throws(ServiceError) in
            try .json(try await board.state())
        },
        Route("GET", "/v1/live") { _, board throws(ServiceError) in
            try .json(try await board.live())
        },
        Route("GET", "/v1/events") { _, board throws(ServiceError) in
            ControlResponse(events: EventStream(board))
        },
        Route("POST", "/v1/press", takesBody: true) { request, board throws(ServiceError) in
            let press = try request.decoded(PressRequest.self)
            try await board.press(press.gesture, button: press.button)
            return .noContent
        },
        Route("POST", "/v1/refresh") { _, board throws(ServiceError) in
            try await board.refresh()
            return .noContent
        },
        Route("POST", "/v1/show", takesBody: true) { request, board throws(ServiceError) in
            try await board.show(page: try request.decoded(ShowRequest.self).page)
            return .noContent
        },
        Route("POST", "/v1/light", takesBody: true) { request, board throws(ServiceError) in
            try await board.setLight(try request.decoded(LightRequest.self).light)
            return .noContent
        },
        Route("POST", "/v1/message", takesBody: true) { request, board throws(ServiceError) in
            try await board.show(try request.decoded(BoardMessage.self))
            return .noContent
        },
        Route("POST", "/v1/reload", access: .local) { _, board throws(ServiceError) in
            try await board.reload()
            return .noContent
        },
    ]

    private static let stops: [Route] = [
        Route("GET", "/v1/stops", parameters: ["query", "near", "radius", "modes", "box", "limit"]) {
            request, board throws(ServiceError) in
            request.parameter("box") == nil
                ? try .json(try await search(request, board.stops))
                : try .json(try await stopsInBox(request, board.stops))
        },
        Route("GET", "/v1/map.svg", parameters: ["near", "scale", "size", "stop", "line"]) {
            request, board throws(ServiceError) in
            let map = try await board.stops.map(try mapRequest(request))
            return ControlResponse(
                status: 200, headers: [.init(name: "Content-Security-Policy", value: mapPolicy)], body: Array(map.utf8),
                contentType: "image/svg+xml")
        },
        Route("GET", "/v1/stops/{stop}") { request, board throws(ServiceError) in
            try .json(try await board.stops.stop(try request.stop(), isOnline: request.mayChange))
        },
        Route("GET", "/v1/stops/{stop}/departures", parameters: ["sort"]) { request, board throws(ServiceError) in
            let stop = try request.stop()
            return try .json(try await board.departures(of: stop, sorted: try request.sortOrder()))
        },
        Route("POST", "/v1/stops/{stop}/look") { request, board throws(ServiceError) in
            try .json(try await board.look(at: try request.stop()))
        },
        Route("GET", "/v1/lines", parameters: ["feed"]) { request, board throws(ServiceError) in
            try .json(try await board.stops.lines(of: try request.feed()))
        },
        Route("GET", "/v1/lines/{line}", access: .change) { request, board throws(ServiceError) in
            let (feed, line) = try request.line()
            return try .json(try await board.stops.route(of: line, feed: feed))
        },
    ]

    private static let directory: [Route] = [
        Route("GET", "/v1/directory") { _, board throws(ServiceError) in
            try .json(try await board.stops.directory())
        },
        Route("POST", "/v1/directory/update", access: .local, parameters: ["feed"]) {
            request, board throws(ServiceError) in
            let feed = try request.feed()
            return try .json(try await board.stops.updateDirectory(feed), status: 202)
        },
    ]

    private static let favourites: [Route] = [
        Route("GET", "/v1/favourites") { _, board throws(ServiceError) in
            try .json(try await board.favourites())
        },
        Route("POST", "/v1/favourites", takesBody: true) { request, board throws(ServiceError) in
            let new = try request.decoded(NewFavourite.self)
            let item = try await board.addFavourite(new.favourite, at: new.position)
            var response = try ControlResponse.json(item, status: 201)
            response.headers = [
                .init(
                    name: "Location", value: "/v1/favourites/" + RequestTarget.encoded(item.favourite.stop.description))
            ]
            return response
        },
        Route("POST", "/v1/favourites/undo") { _, board throws(ServiceError) in
            try .json(try await board.undoFavourites())
        },
        Route("GET", "/v1/favourites/changes") { _, board throws(ServiceError) in
            try .json(try await board.favouriteChanges())
        },
        Route("POST", "/v1/favourites/{stop}/revert") { request, board throws(ServiceError) in
            try .json(try await board.revertFavourite(try request.stop()))
        },
        Route("PATCH", "/v1/favourites/{stop}", takesBody: true) { request, board throws(ServiceError) in
            let stop = try request.stop()
            let change = try request.decoded(FavouriteChange.self)
            guard change != FavouriteChange() else {
                let keys = FavouriteChange.keys.joined(separator: ", ")
                throw ServiceError(.malformed, "empty change: give one of \(keys)")
            }
            return try .json(try await board.changeFavourite(stop, change))
        },
        Route("DELETE", "/v1/favourites/{stop}") { request, board throws(ServiceError) in
            try await board.removeFavourite(try request.stop())
            return .noContent
        },
    ]

    /// A search by name or by coordinates.
    private static func search(
        _ request: ControlRequest, _ service: any StopService
    ) async throws(ServiceError) -> [StopEntry] {
        let limit = try request.integer("limit", in: 1...maximumListLength, default: defaultListLength)
        switch (request.parameter("query"), request.parameter("near")) {
        case (let text?, nil):
            for name in ["radius", "modes"] where request.parameter(name) != nil {
                throw ServiceError(.malformed, "\(name) goes with near, not with query")
            }
            guard text.contains(where: { !$0.isWhitespace }) else {
                throw ServiceError(.malformed, "query is empty; give a name, a stop letter or a short code")
            }
            return try await service.stops(matching: text, limit: limit, isOnline: request.mayChange)
        case (nil, let text?):
            let radius = try request.integer("radius", in: 1...maximumRadius, default: defaultRadius)
            let modes = (request.parameter("modes") ?? "").split(separator: ",").map { String($0) }
            return try await service.stops(
                near: try coordinates(text), within: Metres(Double(radius)), modes: modes, limit: limit,
                isOnline: request.mayChange)
        case (nil, nil):
            throw ServiceError(.malformed, "give query (a name), near (latitude,longitude) or box")
        case (_?, _?):
            throw ServiceError(.malformed, "give query or near, not both")
        }
    }

    private static func stopsInBox(
        _ request: ControlRequest, _ service: any StopService
    ) async throws(ServiceError) -> StopsInBox {
        for name in ["query", "radius", "modes"] where request.parameter(name) != nil {
            throw ServiceError(.malformed, "give \(name) or box, not both")
        }
        let maximum = MapRequest.maximumStops
        let limit = try request.integer("limit", in: 1...maximum, default: maximum)
        let text = request.parameter("box") ?? ""
        let box: BoundingBox
        do {
            box = try BoundingBox(written: text)
        } catch {
            throw ServiceError(.malformed, "box=\(RequestTarget.quoted(text)) \(error)")
        }
        return try await service.stops(
            in: box, near: try request.parameter("near").map { text throws(ServiceError) in try coordinates(text) },
            limit: limit, isOnline: request.mayChange)
    }

    /// What a browser may load for a map that it shows by itself: nothing.
    private static let mapPolicy = "default-src 'none'; style-src 'unsafe-inline'"

    private static func mapRequest(_ request: ControlRequest) throws(ServiceError) -> MapRequest {
        guard let near = request.parameter("near") else {
            throw ServiceError(.malformed, "give near (latitude,longitude): the middle of the map")
        }
        var map = MapRequest(centre: try coordinates(near))
        if let text = request.parameter("scale") {
            guard let scale = MapRequest.Scale(rawValue: text) else {
                let allowed = MapRequest.Scale.allCases.map(\.rawValue).joined(separator: ", ")
                throw ServiceError(
                    .malformed, "scale is \"\(RequestTarget.quoted(text))\"; allowed, in metres per pixel: \(allowed)")
            }
            map.scale = scale
        }
        if let text = request.parameter("size") {
            guard let size = MapRequest.Size(written: text) else {
                let (low, high) = (MapRequest.Size.allowed.lowerBound, MapRequest.Size.allowed.upperBound)
                throw ServiceError(
                    .malformed,
                    "size is \"\(RequestTarget.quoted(text))\"; write width and height in pixels, such as 360x480, each from "
                        + "\(low) to \(high)")
            }
            map.size = size
        }
        map.stop = try request.parameter("stop").map { text throws(ServiceError) in try ControlRequest.stop(text) }
        guard request.parameter("line") == nil || request.mayChange else {
            throw ServiceError(
                .notPaired, "the route of a line needs a request to its operator, which only paired devices may cause")
        }
        map.line = try request.parameter("line").map { text throws(ServiceError) in
            let (feed, line) = try ControlRequest.line(text)
            return MapRequest.NamedLine(feed: feed, line: line)
        }
        return map
    }

    private static func coordinates(_ text: String) throws(ServiceError) -> Coordinates {
        do {
            return try Coordinates(written: text)
        } catch {
            throw ServiceError(.malformed, "near=\(RequestTarget.quoted(text)) \(error)")
        }
    }
}
