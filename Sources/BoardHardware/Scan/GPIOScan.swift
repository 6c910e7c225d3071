public import BoardCore

/// The GPIO chips of this machine, and the consumers of the pin header's lines.
public struct GPIOScan: Hashable, Sendable {
    public struct Header: Hashable, Sendable {
        /// The lines that the pin header has on every Pi with 40 pins, by their BCM numbers.
        public static let lines: ClosedRange<UInt32> = 0...27

        /// The chip of the header, as in ``GPIOScan/chips``.
        public let chip: String
        /// The consumer of each line that is in use; "" where it has no name.
        public let consumers: [UInt32: String]

        public init(chip: String, consumers: [UInt32: String]) {
            self.chip = chip
            self.consumers = consumers
        }
    }

    /// The path and the label of each chip, or why it cannot be read.
    public let chips: [String]
    /// The chip with the pin header, or why there is none.
    public let header: Result<Header, ButtonFault>

    public init(chips: [String], header: Result<Header, ButtonFault>) {
        self.chips = chips
        self.header = header
    }

    /// Reads every chip, and requests no line. Blocks for some milliseconds.
    public init() {
        self.init(LibGPIO())
    }

    init(_ library: any GPIOLibrary) {
        chips = library.chips().map(\.description)
        header = Result { () throws(ButtonFault) in
            let chip = try GPIOChipFinder(library).chip(.auto)
            var consumers: [UInt32: String] = [:]
            for line in Header.lines { consumers[line] = library.user(ofLine: line, onChipAt: chip.path) }
            return Header(chip: chip.description, consumers: consumers)
        }
    }
}
