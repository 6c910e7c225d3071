/// The bus to an eight-bit port expander, real or simulated.
///
/// A failed write may stop after any byte: the state of the port is then unknown and the caller starts over.
public protocol ExpanderBus {
    /// The clock of the bus in hertz; valid once ``open()`` has returned.
    var speed: Int { get }

    /// Opens the bus and finds the expander by reading from it; never writes to an unverified address. May
    /// be called again after a fault; it then starts from the beginning.
    mutating func open() throws(BusFault)

    /// Writes these states to the port in order: 1 to ``largestWrite`` bytes; throws for more.
    mutating func write(_ portBytes: [UInt8]) throws(BusFault)

    mutating func wait(_ duration: Duration)

    mutating func close()
}

extension ExpanderBus {
    /// The maximum number of port bytes in one call: an SMBus I2C block has a command byte, here the first port byte,
    /// and up to 32 more.
    public static var largestWrite: Int { 33 }
}
