package import BoardService
import BoardStore
import NIOHTTP1

/// A request that has reached its route.
package struct Call<Body: Sendable>: Sendable {
    package let request: ControlRequest
    package let body: Body
    package let board: any RunningBoard
}

/// An operation and its handler.
package struct Route: Sendable {
    package typealias Handler = @Sendable (ControlRequest, any RunningBoard) async throws -> ControlResponse

    package let operation: Operation
    let response: Handler

    /// A route with a response of its own form.
    package init(_ operation: Operation, response: @escaping Handler) {
        self.operation = operation
        self.response = response
    }

    /// A route of ``API`` that responds with JSON.
    ///
    /// - Parameter headers: those of the response besides the usual ones.
    package init<Body: Codable & Sendable, Response: Codable & Sendable>(
        _ endpoint: Endpoint<Body, Response>,
        headers: @escaping @Sendable (Response, ControlRequest) -> [ControlResponse.Header] = { _, _ in [] },
        handler: @escaping @Sendable (Call<Body>) async throws -> Response
    ) {
        let operation = endpoint.operation
        self.init(operation) { request, board in
            let body = try Self.body(Body.self, of: request)
            let result = try await handler(Call(request: request, body: body, board: board))
            var response = try ControlResponse.json(result, status: operation.status)
            response.headers = headers(result, request)
            return response
        }
    }

    /// A route of ``API`` without a response.
    package init<Body: Codable & Sendable>(
        _ endpoint: Endpoint<Body, Nothing>,
        handler: @escaping @Sendable (Call<Body>) async throws -> Void
    ) {
        self.init(endpoint.operation) { request, board in
            try await handler(Call(request: request, body: try Self.body(Body.self, of: request), board: board))
            return .noContent
        }
    }

    private static func body<Body: Codable>(
        _ type: Body.Type, of request: ControlRequest
    ) throws(ServiceError) -> Body {
        if let nothing = Nothing() as? Body { return nothing }
        return try request.decoded(type)
    }
}

/// Passes each request to its route. Every request gets a response.
package struct Router: Sendable {
    /// Returns the response to a request that may not use its route; otherwise notes in it what its client may do.
    package typealias Authorisation = @Sendable (Access, inout ControlRequest) async -> ControlResponse?

    let board: any RunningBoard
    let routes: [Route]
    let authorisation: Authorisation

    /// - Parameters:
    ///   - feed: the events of the board; nil: one for the clients of this router.
    ///   - routes: in addition to those of every board.
    package init(
        board: any RunningBoard, feed: LiveFeed? = nil, adding routes: [Route] = [],
        authorisation: @escaping Authorisation = { _, _ in nil }
    ) {
        self.board = board
        self.routes = Route.board + [.events(feed ?? LiveFeed(board))] + routes
        self.authorisation = authorisation
    }

    package func response(_ request: ControlRequest) async -> ControlResponse {
        let matches = routes.compactMap { route in route.operation.match(request.target.path).map { (route, $0) } }
        // A path without values takes precedence over a template with values: /v1/favourites/undo.
        let fewest = matches.map(\.1.count).min()
        let candidates = matches.filter { $0.1.count == fewest }
        guard !candidates.isEmpty else {
            let path = "/" + request.target.path.joined(separator: "/")
            return .failure(status: 404, "no such path: \(RequestTarget.quoted(path)); see docs/control/openapi.json")
        }
        guard let (route, pathValues) = candidates.first(where: { $0.0.operation.method == request.method }) else {
            let allowed = candidates.map(\.0.operation.method).joined(separator: ", ")
            return .failure(
                status: 405, "\(request.method) is not supported here; allowed: \(allowed)",
                headers: [.init(name: "Allow", value: allowed)])
        }
        var request = request
        request.pathValues = pathValues
        if let rejection = await authorisation(route.operation.access, &request) { return rejection }
        do {
            try Self.checkQuery(request, of: route)
            let contentType = request.headers.first(name: "content-type")
            if route.operation.body != nil || !request.body.isEmpty, !Self.isJSON(contentType) {
                return .failure(status: 415, Self.wrongType(contentType))
            }
            var response = try await route.response(request, board)
            if route.operation.isCompressible { response.isCompressible = true }
            await response.events?.check { [request] in
                var request = request
                return await authorisation(route.operation.access, &request) == nil
            }
            return response
        } catch {
            return .failure(ServiceError(error))
        }
    }

    /// The most bytes of the body of a request that has only its head yet; nil: as of all others.
    package func maximumBody(of request: ControlRequest) async -> Int? {
        let route = routes.first {
            $0.operation.method == request.method && $0.operation.match(request.target.path) != nil
        }
        guard let operation = route?.operation, let maximum = operation.maximumBody else { return nil }
        var request = request
        return await authorisation(operation.access, &request) == nil ? maximum : nil
    }

    private static func checkQuery(_ request: ControlRequest, of route: Route) throws(ServiceError) {
        guard let names = route.operation.parameters else { return }
        for parameter in request.target.query where !names.contains(parameter.name) {
            let allowed = names.isEmpty ? "none" : names.joined(separator: ", ")
            throw ServiceError(
                .malformed, "the parameter \(RequestTarget.quoted(parameter.name)) is unknown; allowed: \(allowed)",
                value: InvalidValue(parameter.name, .unknown, allowed: names))
        }
    }

    private static func isJSON(_ type: String?) -> Bool {
        guard let media = type?.split(separator: ";").first else { return false }
        return media.filter { !$0.isWhitespace }.lowercased() == "application/json"
    }

    private static func wrongType(_ type: String?) -> String {
        let found = type.map { "\"\(RequestTarget.quoted($0))\"" } ?? "nothing"
        return "the body must be JSON: send the header Content-Type: application/json (found \(found))"
    }
}
