internal import BoardService

/// One route: a method, a path template and a handler.
struct Route: Sendable {
    let method: String
    /// The path as in the OpenAPI document: "/v1/stops/{stop}".
    let template: String
    /// The names of the query parameters.
    let parameters: [String]
    let takesBody: Bool
    /// Handles a request.
    let response: @Sendable (ControlRequest, any BoardService) async throws(ServiceError) -> ControlResponse

    private let segments: [Substring]

    init(
        _ method: String, _ template: String, parameters: [String] = [], takesBody: Bool = false,
        response:
            @escaping @Sendable (ControlRequest, any BoardService) async throws(ServiceError) -> ControlResponse
    ) {
        self.method = method
        self.template = template
        self.parameters = parameters
        self.takesBody = takesBody
        self.response = response
        segments = template.dropFirst().split(separator: "/")
    }

    /// The values of the `{…}` segments of a path; nil where the path does not match.
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
