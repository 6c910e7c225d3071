/// The GPIO connection of one button.
public struct ButtonWiring: Hashable, Sendable {
    public enum Chip: Hashable, Sendable {
        /// The chip of the Pi's header, found by its label.
        case auto
        /// A chip's label, or a device's path when it begins with a slash.
        case named(String)
    }

    /// The internal resistor.
    public enum Pull: String, CaseIterable, Sendable {
        /// To the supply; the button connects to ground and is active low.
        case up
        /// To ground; the button connects to the supply and is active high.
        case down
        /// None: the circuit has one; active high.
        case none
    }

    public let chip: Chip
    /// The line on the chip: the BCM number on every Pi.
    public let line: UInt32
    public let pull: Pull

    public init(chip: Chip = .auto, line: UInt32 = 17, pull: Pull = .up) {
        self.chip = chip
        self.line = line
        self.pull = pull
    }
}
