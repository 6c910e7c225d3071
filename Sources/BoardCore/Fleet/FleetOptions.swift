/// `[fleet]`: the MQTT broker over which several boards share responses and favourites.
public struct FleetOptions: Hashable, Sendable {
    /// How long a board waits for a response of another board before it sends its own request.
    public enum Patience: Hashable, Sendable {
        /// At most this time beyond the interval of the polls; zero: the board is a hub, which sends its requests at once.
        case wait(Duration)
        /// The board sends no request to an operator.
        case never

        public var isHub: Bool { self == .wait(.zero) }

        /// The value in boardd.toml: "20s", "never".
        public var written: String {
            switch self {
            case .wait(let duration): duration.written
            case .never: "never"
            }
        }
    }

    /// Nil: no fleet.
    public var broker: BrokerAddress?
    /// The name of the board in topics; nil: the host name.
    public var board: FleetName?
    /// A file of certificates of authorities, as PEM; nil: those of the system.
    public var certificates: String?
    public var patience = Patience.wait(.seconds(20))
    /// The list of favourites that the board shares; nil: none.
    public var list = FleetName("home")
    /// Whether the board is announced to Home Assistant.
    public var homeAssistant = true
    /// `FLEET_USER` of keys.env; nil: none.
    public var user: String?
    /// `FLEET_PASSWORD` of keys.env; nil: none.
    public var password: Secret?

    public init() {}
}
