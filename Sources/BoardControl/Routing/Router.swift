internal import BoardService

/// Passes each request to its route. Every request gets a response.
struct Router: Sendable {
    let board: any BoardService

    func response(_ request: ControlRequest) async -> ControlResponse {
        let candidates = Route.all.compactMap { route in route.match(request.target.path).map { (route, $0) } }
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
        do throws(ServiceError) {
            try Self.checkQuery(request, of: route)
            if route.takesBody, !Self.isJSON(request.contentType) {
                return .failure(status: 415, Self.wrongType(request.contentType))
            }
            var request = request
            request.pathValues = pathValues
            return try await route.response(request, board)
        } catch {
            return .failure(error)
        }
    }

    private static func checkQuery(_ request: ControlRequest, of route: Route) throws(ServiceError) {
        for parameter in request.target.query where !route.parameters.contains(parameter.name) {
            let allowed = route.parameters.isEmpty ? "none" : route.parameters.joined(separator: ", ")
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
