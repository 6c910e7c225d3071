internal import BoardCore

/// Why a connection to the broker ended, or was not made.
struct BrokerFailure: Error, Hashable, Sendable, CustomStringConvertible {
    enum Kind: UInt8, Sendable {
        /// The name does not resolve, or nothing responds at the address.
        case unreachable
        /// The broker's certificate is not accepted, or the encrypted connection failed otherwise.
        case certificate
        /// The broker rejected the user name or the password, or does not permit the connection.
        case notAuthorised
        /// The broker has no MQTT 5: without its message expiry, an old response would have no end.
        case oldProtocol
        /// Another board has connected with the same name.
        case nameInUse
        /// The connection broke, or the broker no longer responds.
        case lost
        /// The broker sent what ended the process of the connection.
        case crashed
    }

    let kind: Kind
    /// What happened, for messages.
    let detail: String

    init(_ kind: Kind, _ detail: String) {
        self.kind = kind
        self.detail = detail
    }

    static func nameInUse(at broker: BrokerAddress) -> BrokerFailure {
        BrokerFailure(
            .nameInUse,
            "another board has connected to \(broker) with the name of this one; give each board its own: board in [fleet]"
        )
    }

    var description: String { detail }
}
