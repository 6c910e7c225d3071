/// How the panel is connected: `[display]` of boardd.toml.
public struct DisplayWiring: Hashable, Sendable {
    /// What drives the glass.
    public enum Driver: String, CaseIterable, Sendable {
        case hd44780
        /// No display: the board runs for its log and its commands.
        case none
    }

    /// Which I2C bus.
    public enum Bus: Hashable, Sendable {
        /// The header's: /dev/i2c-1, or /dev/i2c-0 on a machine that has no other.
        case auto
        case path(String)
    }

    /// Which expander.
    public enum Address: Hashable, Sendable {
        /// The one of 0x20–0x27 and 0x38–0x3f that answers.
        case auto
        case fixed(UInt8)
    }

    /// What drives the glass.
    public let driver: Driver
    /// The panel itself.
    public let panel: Panel
    /// Which bus.
    public let bus: Bus
    /// Which expander.
    public let address: Address
    /// How often the controller is brought in phase again without being asked; nil: never.
    public let resync: Duration?

    /// A wiring; the defaults are those of most modules.
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
