import BoardCore
package import BoardService
import BoardStore

extension Route {
    /// The fleet of the board, for users of this machine.
    package static func fleet(_ fleet: any FleetManagement) -> [Route] {
        [
            Route("GET", "/v1/fleet", access: .local) { _, _ throws(ServiceError) in
                try .json(try await fleet.fleet())
            },
            Route("DELETE", "/v1/fleet/boards/{name}", access: .local) { request, _ throws(ServiceError) in
                guard let name = FleetName(request.pathValues[0]) else {
                    throw ServiceError(
                        .malformed,
                        "\"\(RequestTarget.quoted(request.pathValues[0]))\" is not the name of a board: letters from a to z, digits and hyphens"
                    )
                }
                try await fleet.forgetBoard(name)
                return .noContent
            },
            Route("POST", "/v1/fleet/list", access: .local, takesBody: true) { request, _ throws(ServiceError) in
                let join = try request.decoded(FleetJoinRequest.self)
                return try .json(try await fleet.joinList(join.favourites))
            },
        ]
    }
}

/// The body of `POST /v1/fleet/list`.
struct FleetJoinRequest: Hashable, Sendable, Codable {
    var favourites: FleetJoin

    init(_ choice: FleetJoin) { favourites = choice }

    /// Throws for unknown keys and words.
    init(from decoder: any Decoder) throws {
        let container = try decoder.strictContainer(["favourites"])
        guard let choice = FleetJoin(rawValue: try container.decode(String.self, forKey: "favourites")) else {
            throw container.invalid("favourites", "must be board, list or both")
        }
        favourites = choice
    }
}
