package import BoardService
import NIOHTTP1

/// One route: a method, a path template and a handler.
package struct Route: Sendable {
    /// Who may use a route over the network; the Unix socket serves all.
    package enum Access: Sendable {
        /// Everybody: what a client needs to get any other access.
        case open
        /// Everybody who may look at the board.
        case look
        /// Clients that may change something, or cause requests to an operator.
        case change
        /// A paired device, even if everybody may change something.
        case device
        /// No client on the network: the Unix socket alone.
        case local
    }

    package typealias Handler =
        @Sendable (ControlRequest, any RunningBoard) async throws(ServiceError) -> ControlResponse

    package let method: String
    /// The path as in the OpenAPI document: "/v1/stops/{stop}".
    package let template: String
    package let access: Access
    /// The names of the query parameters; nil: any.
    let parameters: [String]?
    let takesBody: Bool
    let response: Handler

    private let segments: [Substring]

    /// - Parameter access: by default ``Access/look`` for GET and ``Access/change`` for other methods.
    package init(
        _ method: String, _ template: String, access: Access? = nil, parameters: [String]? = [],
        takesBody: Bool = false, response: @escaping Handler
    ) {
        self.method = method
        self.template = template
        self.access = access ?? (method == "GET" ? .look : .change)
        self.parameters = parameters
        self.takesBody = takesBody
        self.response = response
        segments = template.dropFirst().split(separator: "/")
    }

    /// The values of the `{…}` segments of a path; nil if the path does not match.
    func match(_ path: [String]) -> [String]? {
        guard path.count == segments.count else { return nil }
        var values: [String] = []
        for (segment, part) in zip(segments, path) {
            if segment.hasPrefix("{") {
                values.append(part)
            } else if part != segment {
                return nil
            }
        }
        return values
    }
}

/// Passes each request to its route. Every request gets a response.
package struct Router: Sendable {
    /// Returns the response to a request that may not use its route; otherwise notes in it what its client may do.
    package typealias Authorisation = @Sendable (Route, inout ControlRequest) async -> ControlResponse?

    let board: any RunningBoard
    let routes: [Route]
    let authorisation: Authorisation

    /// - Parameter routes: in addition to ``Route/all``.
    package init(
        board: any RunningBoard, adding routes: [Route] = [],
        authorisation: @escaping Authorisation = { _, _ in nil }
    ) {
        self.board = board
        self.routes = Route.all + routes
        self.authorisation = authorisation
    }

    package func response(_ request: ControlRequest) async -> ControlResponse {
        let matches = routes.compactMap { route in route.match(request.target.path).map { (route, $0) } }
        // A path without values takes precedence over a template with values: /v1/favourites/undo.
        let fewest = matches.map(\.1.count).min()
        let candidates = matches.filter { $0.1.count == fewest }
        guard !candidates.isEmpty else {
            let path = "/" + request.target.path.joined(separator: "/")
            return .failure(
                status: 404, "no such path: \(RequestTarget.quoted(path)); see docs/control/openapi.json")
        }
        guard let (route, pathValues) = candidates.first(where: { $0.0.method == request.method }) else {
            let allowed = candidates.map(\.0.method).joined(separator: ", ")
            return .failure(
                status: 405, "\(request.method) is not supported here; allowed: \(allowed)",
                headers: [.init(name: "Allow", value: allowed)])
        }
        var request = request
        request.pathValues = pathValues
        if let rejection = await authorisation(route, &request) { return rejection }
        do throws(ServiceError) {
            try Self.checkQuery(request, of: route)
            let contentType = request.headers.first(name: "content-type")
            if route.takesBody || !request.body.isEmpty, !Self.isJSON(contentType) {
                return .failure(status: 415, Self.wrongType(contentType))
            }
            let response = try await route.response(request, board)
            await response.events?.check { [request] in
                var request = request
                return await authorisation(route, &request) == nil
            }
            return response
        } catch {
            return .failure(error)
        }
    }

    private static func checkQuery(_ request: ControlRequest, of route: Route) throws(ServiceError) {
        guard let names = route.parameters else { return }
        for parameter in request.target.query where !names.contains(parameter.name) {
            let allowed = names.isEmpty ? "none" : names.joined(separator: ", ")
            throw ServiceError(
                .malformed, "the parameter \(RequestTarget.quoted(parameter.name)) is unknown; allowed: \(allowed)")
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
