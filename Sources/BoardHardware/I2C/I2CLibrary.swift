internal import CI2C
internal import Glibc

/// The I2C functions for the expander: i2c-dev and libi2c, or a model of them in tests. Every result is 0 or more, or a
/// negative errno.
protocol I2CLibrary: Sendable {
    func open(_ path: String) -> Int32
    func close(_ file: Int32)
    /// The `I2C_FUNC_` bits of the bus's adapter.
    func functions(_ file: Int32) -> Int
    /// Sets the time-out of a transfer, in units of 10 ms.
    func setTimeout(_ file: Int32, _ tensOfMilliseconds: UInt)
    /// Selects this 7-bit address for further transfers; -EBUSY where a kernel driver uses it.
    func setAddress(_ file: Int32, _ address: UInt8) -> Int32
    func readByte(_ file: Int32) -> Int32
    func writeByte(_ file: Int32, _ byte: UInt8) -> Int32
    /// Writes a command byte and up to 32 bytes in one transfer.
    func writeBlock(_ file: Int32, command: UInt8, _ bytes: ArraySlice<UInt8>) -> Int32
}

/// I2C through i2c-dev and libi2c.
struct LibI2C: I2CLibrary {
    func open(_ path: String) -> Int32 {
        let file = unsafe Glibc.open(path, O_RDWR | O_CLOEXEC)
        return file >= 0 ? file : -errno
    }

    func close(_ file: Int32) { _ = Glibc.close(file) }

    func functions(_ file: Int32) -> Int { ci2c_functions(file) }

    func setTimeout(_ file: Int32, _ tensOfMilliseconds: UInt) { _ = ci2c_set_timeout(file, tensOfMilliseconds) }

    func setAddress(_ file: Int32, _ address: UInt8) -> Int32 { ci2c_set_address(file, address) }

    func readByte(_ file: Int32) -> Int32 { i2c_smbus_read_byte(file) }

    func writeByte(_ file: Int32, _ byte: UInt8) -> Int32 { i2c_smbus_write_byte(file, byte) }

    func writeBlock(_ file: Int32, command: UInt8, _ bytes: ArraySlice<UInt8>) -> Int32 {
        unsafe bytes.withUnsafeBufferPointer { bytes in
            unsafe i2c_smbus_write_i2c_block_data(file, command, UInt8(bytes.count), bytes.baseAddress)
        }
    }
}
