public import BoardCore

/// The last change of a favourite by another board of the fleet, of the last seven days.
public struct SharedFavouriteChange: Hashable, Sendable, Codable {
    public enum Kind: String, CaseIterable, Hashable, Sendable, Codable {
        case added, removed
        /// Other values, or another place in the list.
        case changed
    }

    public var stop: StopID
    /// The label, or the operator's name of the stop, where one is known.
    public var name: String?
    /// The board that made the change.
    public var board: FleetName
    public var at: RFC3339Timestamp
    public var kind: Kind
    /// The changed keys as in favourites.toml, with `place` for a move.
    public var fields: [String]

    public init(
        stop: StopID, name: String? = nil, board: FleetName, at: RFC3339Timestamp, kind: Kind, fields: [String]
    ) {
        self.stop = stop
        self.name = name
        self.board = board
        self.at = at
        self.kind = kind
        self.fields = fields
    }
}
