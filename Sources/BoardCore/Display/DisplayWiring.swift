/// The connection of the panel: `[display]` of boardd.toml.
public struct DisplayWiring: Hashable, Sendable {
    public enum Driver: String, CaseIterable, Sendable {
        case hd44780
        /// No display: the board runs for its log and its commands.
        case none
    }

    public enum Bus: Hashable, Sendable {
        /// The header's: /dev/i2c-1, or /dev/i2c-0 on a machine that has no other.
        case auto
        case path(String)
    }

    public enum Address: Hashable, Sendable {
        /// The one of the expander's addresses that responds.
        case auto
        case fixed(UInt8)
    }

    public let driver: Driver
    public let panel: Panel
    public let bus: Bus
    public let address: Address
    /// The interval of preventive re-synchronisation of the controller; nil: never.
    public let resync: Duration?

    public init(
        driver: Driver = .hd44780, panel: Panel = Panel(size: Panel.Size(columns: 20, rows: 4)), bus: Bus = .auto,
        address: Address = .auto, resync: Duration? = .seconds(60)
    ) {
        self.driver = driver
        self.panel = panel
        self.bus = bus
        self.address = address
        self.resync = resync
    }
}
