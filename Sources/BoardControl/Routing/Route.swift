/// One thing that can be asked: a method, a path with open parts, and what answers.
struct Route: Sendable {
    /// GET, POST, PATCH or DELETE.
    let method: String
    /// The path as the description writes it: "/v1/stops/{stop}".
    let template: String
    /// The names of the parameters of its query.
    let parameters: [String]
    /// Whether it reads a body.
    let takesBody: Bool
    /// Answers a request.
    let response: @Sendable (ControlRequest, any ControlActions) async throws(ControlError) -> ControlResponse

    private let segments: [Substring]

    init(
        _ method: String, _ template: String, parameters: [String] = [], takesBody: Bool = false,
        response:
            @escaping @Sendable (ControlRequest, any ControlActions) async throws(ControlError) -> ControlResponse
    ) {
        self.method = method
        self.template = template
        self.parameters = parameters
        self.takesBody = takesBody
        self.response = response
        segments = template.dropFirst().split(separator: "/")
    }

    /// The open parts of a path that this route serves; nil for another path.
    func open(_ path: [String]) -> [String]? {
        guard path.count == segments.count else { return nil }
        var open: [String] = []
        for (segment, part) in zip(segments, path) {
            if segment.hasPrefix("{") {
                open.append(part)
            } else if part != segment {
                return nil
            }
        }
        return open
    }
}
