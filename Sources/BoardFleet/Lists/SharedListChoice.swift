public import BoardCore

/// What a board with favourites brings into a list.
public enum SharedListChoice: String, CaseIterable, Sendable, Codable {
    /// The board's favourites replace those of the list, on all its boards.
    case board
    /// The favourites of the list replace the board's.
    case list
    /// The list gets the board's favourites as well.
    case both
}

/// Why a board did not join a list.
public enum SharedListJoinFailure: Error, Hashable, Sendable, CustomStringConvertible {
    case alreadyMember(FleetName)
    /// The broker is not connected, or has no list of this name.
    case notReceived(FleetName)

    public var description: String {
        switch self {
        case .alreadyMember(let name): "this board shares the list \(name) already"
        case .notReceived(let name):
            "no list \(name) was received from the broker yet: check the connection with `boardd fleet`"
        }
    }
}
