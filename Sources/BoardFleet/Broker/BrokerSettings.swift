internal import BoardCore

/// Where and as whom a client connects.
struct BrokerSettings: Hashable, Sendable {
    var broker: BrokerAddress
    /// The client identifier: a broker ends a connection when another one has the same.
    var client: String
    var user: String?
    var password: Secret?
    /// A file of certificates of authorities, as PEM; nil: those of the system.
    var certificates: String?

    /// Whether others wait for this client: it connects again at once. All other boards that lose a broker spread over 10 s.
    var isHub = false

    init(
        broker: BrokerAddress, client: String, user: String? = nil, password: Secret? = nil, certificates: String? = nil
    ) {
        self.broker = broker
        self.client = client
        self.user = user
        self.password = password
        self.certificates = certificates
    }

    /// A connection of a board. Each process has a client identifier of its own: Mosquitto 2.0 ends a connection whose identifier
    /// another one takes without a reason, and the two would take it from each other again and again.
    init?(_ options: FleetOptions, board: FleetName) {
        guard let broker = options.broker else { return nil }
        let process = String(UInt32.random(in: .min ... .max), radix: 16)
        self.init(
            broker: broker, client: "boardd-\(board)-\(process)", user: options.user, password: options.password,
            certificates: options.certificates)
        isHub = options.patience.isHub
    }
}
