/// Finds what answers a request. Every request gets an answer.
struct Router: Sendable {
    /// What is asked.
    let actions: any ControlActions

    /// Answers a request.
    func response(_ request: ControlRequest) async -> ControlResponse {
        let candidates = Route.all.compactMap { route in route.open(request.target.path).map { (route, $0) } }
        guard !candidates.isEmpty else {
            let path = "/" + request.target.path.joined(separator: "/")
            return .failure(
                status: 404, "there is no \(RequestTarget.quoted(path)); docs/control/openapi.json says what there is")
        }
        guard let (route, open) = candidates.first(where: { $0.0.method == request.method }) else {
            let allowed = candidates.map(\.0.method).joined(separator: ", ")
            return .failure(
                status: 405, "\(request.method) is not possible here; allowed: \(allowed)",
                headers: [.init(name: "Allow", value: allowed)])
        }
        do throws(ControlError) {
            try Self.checkQuery(request, of: route)
            if route.takesBody, !Self.isJSON(request.contentType) {
                return .failure(status: 415, Self.wrongType(request.contentType))
            }
            var request = request
            request.open = open
            return try await route.response(request, actions)
        } catch {
            return .failure(error)
        }
    }

    private static func checkQuery(_ request: ControlRequest, of route: Route) throws(ControlError) {
        for parameter in request.target.query where !route.parameters.contains(parameter.name) {
            let allowed = route.parameters.isEmpty ? "none" : route.parameters.joined(separator: ", ")
            throw ControlError(
                .malformed, "the parameter \(RequestTarget.quoted(parameter.name)) is not known; allowed: \(allowed)")
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
