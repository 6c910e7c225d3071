import BoardService

/// Who may send a request over the network; the Unix socket serves all.
package enum Access: Sendable {
    /// Everybody: what a client needs to get any other access.
    case open
    /// Everybody who may look at the board.
    case look
    /// Clients that may change something, or cause requests to an operator.
    case change
    /// A paired device, even if everybody may change something.
    case device
    /// A paired device whose owner may set up the board.
    case owner
    /// The same, where a person entered the digits on the display in the last ten minutes: the phone was not left behind.
    case present
    /// No client on the network: the Unix socket alone.
    case local
}

/// A request and its response, as the router sees them.
package struct Operation: Sendable {
    package let method: String
    /// The path as in the OpenAPI document: "/v1/stops/{stop}".
    package let template: String
    package let access: Access
    /// The names of the query parameters; nil: any.
    let parameters: [String]?
    private let segments: [Substring]
    /// The type of the body; nil: there is none.
    var body: (any (Codable & Sendable).Type)?
    /// The type of the response; nil: it has no body.
    var response: (any (Codable & Sendable).Type)?
    /// The status of a request that succeeds.
    var status = 200
    var contentType = "application/json"
    /// The most bytes of the body for those who may send the request, if it is longer than ``ControlLimits/body``.
    var maximumBody: Int?
    /// ``ControlResponse/isCompressible`` of the response to a request that succeeds.
    let isCompressible: Bool

    /// - Parameter access: by default ``Access/look`` for GET and ``Access/change`` for other methods.
    init(
        _ method: String, _ template: String, access: Access? = nil, parameters: [String]? = [],
        isCompressible: Bool = false
    ) {
        self.method = method
        self.template = template
        self.access = access ?? (method == "GET" ? .look : .change)
        self.parameters = parameters
        self.isCompressible = isCompressible
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

    /// The target of a request.
    ///
    /// - Parameters:
    ///   - values: those of the `{…}` segments, in order.
    ///   - query: the parameters; those that are nil are left out.
    func target(_ values: [String], _ query: [String: String?]) -> String {
        var values = values[...]
        let path = segments.map { segment in
            segment.hasPrefix("{") ? RequestTarget.encoded(values.popFirst() ?? "") : String(segment)
        }
        let written = query.compactMap { name, value in value.map { "\(name)=\(RequestTarget.encoded($0))" } }
        return "/" + path.joined(separator: "/")
            + (written.isEmpty ? "" : "?" + written.sorted().joined(separator: "&"))
    }
}

/// One row of the table of requests, ``API``: the router, the client and docs/control/openapi.json read it.
///
/// `Body` and `Response` are ``Nothing`` if there is none. Only the functions require that they are `Codable`: the type
/// would search the program for each conformance when the table is made, which was 7 % of the instructions of a start.
package struct Endpoint<Body, Response>: Sendable {
    package let operation: Operation

    /// - Parameters:
    ///   - access: by default ``Access/look`` for GET and ``Access/change`` for other methods.
    ///   - parameters: the names of the query parameters.
    ///   - status: of a request that succeeds; by default 200, or 204 without a response.
    ///   - isCompressible: only for a response without a secret, which is long enough.
    ///   - maximumBody: nil: as of all others.
    init(
        _ method: String, _ template: String, access: Access? = nil, parameters: [String] = [], status: Int? = nil,
        contentType: String = "application/json", isCompressible: Bool = false, maximumBody: Int? = nil
    ) where Body: Codable & Sendable, Response: Codable & Sendable {
        var operation = Operation(
            method, template, access: access, parameters: parameters, isCompressible: isCompressible)
        operation.body = Body.self is Nothing.Type ? nil : Body.self
        operation.response = Response.self is Nothing.Type ? nil : Response.self
        operation.status = status ?? (operation.response == nil ? 204 : 200)
        operation.contentType = contentType
        operation.maximumBody = maximumBody
        self.operation = operation
    }
}

/// No body, or no response.
package struct Nothing: Codable, Sendable {}
