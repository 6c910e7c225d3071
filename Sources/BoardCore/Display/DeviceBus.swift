/// The bus to one device of a display, real or simulated.
public protocol DeviceBus {
    /// Opens the bus and finds the device by reading from it; never writes to an unverified address. May be called again
    /// after a fault; it then starts from the beginning.
    mutating func open() throws(BusFault)

    /// Writes 1 to 33 bytes in one transfer: an SMBus I2C block with its command byte. A failed write may stop after any byte.
    mutating func write(_ bytes: [UInt8]) throws(BusFault)

    mutating func close()
}
