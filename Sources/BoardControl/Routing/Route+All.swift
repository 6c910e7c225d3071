internal import BoardCore

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
        Route("GET", "/v1/state") { _, actions throws(ControlError) in
            try .json(try await actions.state())
        },
        Route("POST", "/v1/press", takesBody: true) { request, actions throws(ControlError) in
            let press = try request.decoded(PressRequest.self)
            try await actions.press(press.gesture.gesture, button: ButtonID(press.button ?? 0))
            return .noContent
        },
        Route("POST", "/v1/refresh") { _, actions throws(ControlError) in
            try await actions.refresh()
            return .noContent
        },
        Route("POST", "/v1/reload") { _, actions throws(ControlError) in
            try await actions.reload()
            return .noContent
        },
    ]

    private static let stops: [Route] = [
        Route("GET", "/v1/stops", parameters: ["query", "near", "radius", "modes", "limit"]) {
            request, actions throws(ControlError) in
            try .json(try await search(request, actions))
        },
        Route("GET", "/v1/stops/{stop}") { request, actions throws(ControlError) in
            try .json(try await actions.stop(try request.stop()))
        },
        Route("GET", "/v1/lines", parameters: ["feed"]) { request, actions throws(ControlError) in
            try .json(try await actions.lines(of: try request.feed()))
        },
        Route("GET", "/v1/lines/{line}") { request, actions throws(ControlError) in
            let (feed, line) = try request.line()
            return try .json(try await actions.route(of: line, feed: feed))
        },
    ]

    private static let directory: [Route] = [
        Route("GET", "/v1/directory") { _, actions throws(ControlError) in
            try .json(try await actions.directory())
        },
        Route("POST", "/v1/directory/update", parameters: ["feed"]) { request, actions throws(ControlError) in
            let feed = try request.feed()
            return try .json(try await actions.updateDirectory(feed), status: 202)
        },
    ]

    private static let favourites: [Route] = [
        Route("GET", "/v1/favourites") { _, actions throws(ControlError) in
            try .json(try await actions.favourites())
        },
        Route("POST", "/v1/favourites", takesBody: true) { request, actions throws(ControlError) in
            let new = try request.decoded(NewFavourite.self)
            let item = try await actions.addFavourite(new.favourite)
            var response = try ControlResponse.json(item, status: 201)
            response.headers = [.init(name: "Location", value: "/v1/favourites/" + RequestTarget.encoded(item.stop))]
            return response
        },
        Route("PATCH", "/v1/favourites/{stop}", takesBody: true) { request, actions throws(ControlError) in
            let stop = try request.stop()
            let change = try request.decoded(FavouriteChange.self)
            guard change != FavouriteChange() else {
                let keys = FavouriteChange.keys.joined(separator: ", ")
                throw ControlError(.malformed, "empty change: give one of \(keys)")
            }
            return try .json(try await actions.changeFavourite(stop, change))
        },
        Route("DELETE", "/v1/favourites/{stop}") { request, actions throws(ControlError) in
            try await actions.removeFavourite(try request.stop())
            return .noContent
        },
    ]

    /// A search by name or by coordinates.
    private static func search(
        _ request: ControlRequest, _ actions: any ControlActions
    ) async throws(ControlError) -> [StopEntry] {
        let limit = try request.integer("limit", in: 1...maximumListLength, default: defaultListLength)
        switch (request.parameter("query"), request.parameter("near")) {
        case (let text?, nil):
            for name in ["radius", "modes"] where request.parameter(name) != nil {
                throw ControlError(.malformed, "\(name) goes with near, not with query")
            }
            guard text.contains(where: { !$0.isWhitespace }) else {
                throw ControlError(.malformed, "query is empty; give a name, a stop letter or a short code")
            }
            return try await actions.stops(matching: text, limit: limit)
        case (nil, let text?):
            let radius = try request.integer("radius", in: 1...maximumRadius, default: defaultRadius)
            let modes = (request.parameter("modes") ?? "").split(separator: ",").map { String($0) }
            return try await actions.stops(
                near: try coordinates(text), within: Metres(Double(radius)), modes: modes, limit: limit)
        case (nil, nil):
            throw ControlError(.malformed, "give query (a name) or near (latitude,longitude)")
        case (_?, _?):
            throw ControlError(.malformed, "give query or near, not both")
        }
    }

    private static func coordinates(_ text: String) throws(ControlError) -> Coordinates {
        do throws(CoordinatesFault) {
            return try Coordinates(written: text)
        } catch {
            throw ControlError(.malformed, "near=\(RequestTarget.quoted(text)) \(error)")
        }
    }
}
