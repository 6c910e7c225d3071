/// The bus to eight pins of a port expander, real or simulated.
///
/// A failed write may stop after any byte: the state of the port is then unknown and the caller starts over.
public protocol ExpanderBus {
    /// The clock of the bus in hertz; valid once ``open()`` has returned.
    var speed: Int { get }

    /// The maximum number of port bytes in one call: an SMBus I2C block has a command byte and up to 32 more. The command
    /// byte is the first port byte, or the register of an expander with registers.
    var largestWrite: Int { get }

    /// Opens the bus, finds the expander by reading from it, and configures it; never writes to an unverified address. May
    /// be called again after a fault; it then starts from the beginning.
    mutating func open() throws(BusFault)

    /// Sets the expander's registers, whatever state they are in: an interruption of its supply resets them.
    mutating func configure() throws(BusFault)

    /// Writes these states to the port in order: 1 to ``largestWrite`` bytes; throws for more.
    mutating func write(_ portBytes: [UInt8]) throws(BusFault)

    mutating func wait(_ duration: Duration)

    mutating func close()
}
