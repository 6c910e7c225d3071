public import BoardCore

/// The fleet of a running board, for users of its machine.
public protocol FleetManagement: Sendable {
    /// - Throws: ``ServiceError`` of kind `notFound` where the board has no fleet.
    func fleet() async throws(ServiceError) -> FleetReport
    /// Removes what the broker stores about a board, also at Home Assistant. One that is online sends everything again.
    func forgetBoard(_ name: FleetName) async throws(ServiceError)
    /// Shares the favourites of this board as the list in `[fleet]`, which has other favourites.
    func joinList(_ choice: FleetJoin) async throws(ServiceError) -> FleetReport
}

/// Whose favourites remain when a board joins a list that has others.
public enum FleetJoin: String, CaseIterable, Sendable, Codable {
    /// Those of this board, on all boards.
    case board
    /// Those of the list.
    case list
    /// Those of the list, then those of this board that it lacks.
    case both
}
