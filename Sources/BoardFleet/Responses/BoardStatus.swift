internal import BoardCore

/// The payload of `board/NAME/status`: the online status of a board, and the will of its connection.
struct BoardStatus: Hashable, Sendable, Codable {
    enum State: String, Sendable, Codable {
        case online, offline
    }

    var state: State
    /// The session to which it belongs: a will that arrives late does not end a newer session.
    var session: String
    var version: String
    /// The value of `patience` in its boardd.toml; "0s": it is a hub.
    var patience: String
    /// What identifies it in Home Assistant.
    var device: DeviceID?

    var isHub: Bool { state == .online && patience == FleetOptions.Patience.wait(.zero).written }
}
