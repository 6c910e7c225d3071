/// The bus to an eight-bit port expander: an edge of the house, real or simulated.
///
/// A write may stop after any byte when it fails: the caller then knows nothing of the port and starts over.
public protocol ExpanderBus {
    /// The clock of the bus in hertz; valid once ``open()`` has returned.
    var speed: Int { get }

    /// Opens the bus and finds the expander by reading from it; never writes to an address it does not know.
    ///
    /// May be called again after a fault, and then starts from the beginning.
    mutating func open() throws(BusFault)

    /// Puts these states on the port, one after the other.
    ///
    /// - Parameter portBytes: 1 to ``largestWrite`` of them; more are refused.
    mutating func write(_ portBytes: [UInt8]) throws(BusFault)

    /// Lets at least `duration` go by.
    mutating func wait(_ duration: Duration)

    /// Lets the bus go.
    mutating func close()
}

extension ExpanderBus {
    /// The port bytes that fit into one call: an SMBus I2C block has a command byte, which is the first port byte here,
    /// and up to 32 more.
    public static var largestWrite: Int { 33 }
}
