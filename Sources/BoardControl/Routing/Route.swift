package import BoardService

/// One route: a method, a path template and a handler.
package struct Route: Sendable {
    /// Who may use a route over the network; the Unix socket serves all.
    package enum Access: Sendable {
        /// Everybody: what is necessary to get another access.
        case open
        /// Everybody who may look at the board.
        case look
        /// Who may change something, or cause requests to an operator.
        case change
        /// A paired device, also where everybody may change something.
        case device
        /// No client of the network: the Unix socket alone.
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

    /// - Parameter access: by default everybody may look, and other methods change something.
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
