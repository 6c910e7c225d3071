import BoardCore
package import BoardService
import BoardStore

extension Route {
    /// The maximum number of stops in a response.
    static let maximumListLength = 100
    /// The number of stops in a response unless the request sets a limit.
    static let defaultListLength = 20
    /// The maximum radius in metres: farther than anyone walks, and a city has too many stops for one response.
    static let maximumRadius = 5_000
    /// The radius in metres unless the request sets one.
    static let defaultRadius = 500

    /// The stream of events.
    static func events(_ feed: LiveFeed) -> Route {
        Route(API.events.operation) { request, _ in
            ControlResponse(events: EventStream(feed, after: request.parameter("after").flatMap(UInt64.init)))
        }
    }

    /// The routes of every board, but the stream of events.
    static let board: [Route] = [
        Route(API.state) { try await $0.board.state() },
        Route(API.live) { try await $0.board.live() },
        Route(API.display.operation) { _, board in
            .picture(try await board.displayDrawing(), contentType: API.display.operation.contentType)
        },
        Route(API.press) { try await $0.board.press($0.body.gesture, button: ButtonID(number: $0.body.number)) },
        Route(API.refresh) { try await $0.board.refresh() },
        Route(API.show) { try await $0.board.show(page: $0.body.page) },
        Route(API.light) { try await $0.board.setLight($0.body.light) },
        Route(API.message) { try await $0.board.show($0.body) },
        Route(API.reload) { try await $0.board.reload() },

        Route(API.searchStops) { call in
            call.request.parameter("box") == nil
                ? .list(try await search(call.request, call.board.stops))
                : .box(try await stopsInBox(call.request, call.board.stops))
        },
        Route(API.map.operation) { request, board in
            let map = try await board.stops.map(try mapRequest(request))
            return .picture(map, contentType: API.map.operation.contentType)
        },
        Route(API.stop) { try await $0.board.stops.stop(try $0.request.stop(), isOnline: $0.request.mayChange) },
        Route(API.departures) { call in
            let stop = try call.request.stop()
            return try await call.board.departures(of: stop, sorted: try call.request.sortOrder())
        },
        Route(API.look) { try await $0.board.look(at: try $0.request.stop()) },
        Route(API.lines) { try await $0.board.stops.lines(of: try $0.request.feed()) },
        Route(API.route) { call in
            let (feed, line) = try call.request.line()
            return try await call.board.stops.route(of: line, feed: feed)
        },
        Route(API.directory) { try await $0.board.stops.directory() },
        Route(API.updateDirectory) { try await $0.board.stops.updateDirectory(try $0.request.feed()) },

        Route(API.favourites) { try await $0.board.favourites() },
        Route(
            API.addFavourite,
            headers: { item, _ in
                [
                    .init(
                        name: "Location",
                        value: "/v1/favourites/\(RequestTarget.encoded(item.favourite.stop.description))")
                ]
            }
        ) { call in
            try await call.board.addFavourite(call.body.favourite, at: call.body.position)
        },
        Route(API.undoFavourites) { try await $0.board.undoFavourites() },
        Route(API.favouriteChanges) { try await $0.board.favouriteChanges() },
        Route(API.revertFavourite) { try await $0.board.revertFavourite(try $0.request.stop()) },
        Route(API.changeFavourite) { call in
            let stop = try call.request.stop()
            guard call.body != FavouriteChange() else {
                let keys = FavouriteChange.keys.joined(separator: ", ")
                throw ServiceError(.malformed, "empty change: give one of \(keys)")
            }
            return try await call.board.changeFavourite(stop, call.body)
        },
        Route(API.removeFavourite) { try await $0.board.removeFavourite(try $0.request.stop()) },
    ]

    /// Pairing and the paired devices.
    ///
    /// - Parameters:
    ///   - isLocal: whether the callers are on this machine: they get the code.
    ///   - cookies: nil: the callers get none.
    ///   - isAllowed: whether devices may be paired now.
    ///   - isOpenForSetup: whether such a device may set up the board.
    package static func pairing(
        _ devices: any PageDevices, isLocal: Bool, cookies: SessionCookies? = nil,
        isAllowed: @escaping @Sendable () -> Bool = { true },
        isOpenForSetup: @escaping @Sendable () -> Bool = { false }
    ) -> [Route] {
        let cookie = { @Sendable (token: PairingToken, request: ControlRequest) in
            cookies?.header(for: token, to: request) ?? []
        }
        return [
            Route(API.startPairing) { call in
                guard isAllowed() else {
                    throw ServiceError(
                        .notAllowed, "the page allows no changes: change is \"nobody\" in [page] of boardd.toml")
                }
                return try await devices.startPairing(isLocal: isLocal, from: call.request.peer.remote)
            },
            Route(API.finishPairing, headers: cookie) { call in
                try await devices.finishPairing(
                    call.request.pathValues[0], code: call.body.code, name: call.body.name, isOwner: isOpenForSetup(),
                    device: call.request.device?.name, from: call.request.peer.remote)
            },
            Route(API.getPairing) { try await devices.pairing($0.request.pathValues[0], from: $0.request.peer.remote) },
            Route(API.session, headers: cookie) { call in
                guard let cookies else { throw ServiceError.notPaired }
                return try await cookies.renew(call.request)
            },
            Route(API.changeDevice) { call in
                try await devices.changeDevice(named: call.request.pathValues[0], isOwner: call.body.isOwner)
                return try await devices.devices()
            },
            Route(API.devices) { _ in try await devices.devices() },
            Route(API.removeDevice) { call in
                let (name, own) = (call.request.pathValues[0], call.request.device)
                let isOwner = try await devices.devices().contains { $0.name == name && $0.isOwner }
                guard isLocal || !isOwner || own?.isOwner == true || own?.name == name else {
                    throw ServiceError.noOwner
                }
                try await devices.removeDevice(named: name)
            },
        ]
    }

    /// Set-up by phone.
    package static func setup(_ setup: any SetupManagement) -> [Route] {
        [
            Route(API.setup) { _ in try await setup.setup() },
            Route(API.openSetup) { _ in try await setup.openSetup() },
            Route(API.closeSetup) { _ in try await setup.closeSetup() },
            Route(API.pressedButton) { _ in try await setup.pressedButton() },
            Route(API.places) { call in
                guard let query = call.request.parameter("query"), query.contains(where: { !$0.isWhitespace }) else {
                    throw ServiceError(
                        .malformed, "query is empty; give a town, an operator or a position",
                        value: InvalidValue("query", .missing))
                }
                return try await setup.places(query)
            },
            Route(API.setTable) { try await setup.setTable($0.request.pathValues[0], to: $0.body.tables) },
            Route(API.removeTable) { try await setup.setTable($0.request.pathValues[0], to: []) },
            Route(API.backup) { _ in try await setup.backup() },
            Route(API.restore) { try await setup.restore($0.body) },
            Route(API.setKey) { try await setup.setKey($0.request.pathValues[0], to: $0.body.value) },
            Route(API.removeKey) { try await setup.setKey($0.request.pathValues[0], to: nil) },
        ]
    }

    /// The fleet of the board.
    package static func fleet(_ fleet: any FleetManagement) -> [Route] {
        [
            Route(API.fleet) { _ in try await fleet.fleet() },
            Route(API.forgetBoard) { call in
                let name = call.request.pathValues[0]
                guard let board = FleetName(name) else {
                    throw ServiceError(
                        .malformed,
                        "\"\(RequestTarget.quoted(name))\" is not the name of a board: letters from a to z, digits and hyphens"
                    )
                }
                try await fleet.forgetBoard(board)
            },
            Route(API.joinList) { try await fleet.joinList($0.body.favourites) },
        ]
    }

    // MARK: - Searches and maps

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
            throw ServiceError(
                .malformed, "box=\(RequestTarget.quoted(text)) \(error)", value: InvalidValue("box", .format))
        }
        return try await service.stops(
            in: box, near: try request.parameter("near").map { text throws(ServiceError) in try coordinates(text) },
            limit: limit, isOnline: request.mayChange)
    }

    private static func mapRequest(_ request: ControlRequest) throws(ServiceError) -> MapRequest {
        guard let near = request.parameter("near") else {
            throw ServiceError(.malformed, "give near (latitude,longitude): the middle of the map")
        }
        var map = MapRequest(centre: try coordinates(near))
        if let text = request.parameter("scale") {
            guard let scale = MapRequest.Scale(rawValue: text) else {
                let allowed = MapRequest.Scale.allCases.map(\.rawValue)
                throw ServiceError(
                    .malformed,
                    "scale is \"\(RequestTarget.quoted(text))\"; allowed, in metres per pixel: "
                        + allowed.joined(separator: ", "),
                    value: InvalidValue("scale", .choice, allowed: allowed))
            }
            map.scale = scale
        }
        if let text = request.parameter("size") {
            guard let size = MapRequest.Size(written: text) else {
                let (low, high) = (MapRequest.Size.allowed.lowerBound, MapRequest.Size.allowed.upperBound)
                throw ServiceError(
                    .malformed,
                    "size is \"\(RequestTarget.quoted(text))\"; write width and height in pixels, such as 360x480, each from "
                        + "\(low) to \(high)", value: InvalidValue("size", .format))
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
            throw ServiceError(
                .malformed, "near=\(RequestTarget.quoted(text)) \(error)", value: InvalidValue("near", .format))
        }
    }
}

extension ControlResponse {
    /// A picture, for which a browser that shows it by itself may load nothing.
    static func picture(_ svg: String, contentType: String) -> ControlResponse {
        let policy = "default-src 'none'; style-src 'unsafe-inline'"
        return ControlResponse(
            status: 200, headers: [.init(name: "Content-Security-Policy", value: policy)], body: Array(svg.utf8),
            contentType: contentType)
    }
}
