import BoardCore

/// An error of a display, a bus or the buttons, with its remedy.
public struct DeviceError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kernel's error number; 0 if no call failed.
    public let errno: Int32
    /// A sentence for the log: where, what was found, the remedy.
    public let description: String

    public init(errno: Int32 = 0, _ description: String) {
        self.errno = errno
        self.description = description
    }

    /// The error for a Linux errno on an I2C bus; the numbers are the same on all architectures of a Pi (asm-generic).
    public init(errno: Int32, bus: String, address: UInt8? = nil) {
        let place = (address.map { "\($0.asHex) on " } ?? "") + bus
        let description =
            switch errno {
            case 121, 6:  // EREMOTEIO; ENXIO on i2c-gpio
                "no device acknowledges at \(place): check SDA, SCL, VCC and GND, and the address"
            case 5:  // EIO
                "\(place): I/O error during a transfer: check the wiring, and what else is on the bus"
            case 16:  // EBUSY
                "\(place) is in use by a kernel driver: "
                    + "remove the overlay (hd44780-i2c-lcd, pcf857x, ssd1306) from config.txt and restart the Pi"
            case 2, 19:  // ENOENT, ENODEV
                "there is no \(bus): put dtparam=i2c_arm=on into /boot/firmware/config.txt, "
                    + "load i2c-dev and restart the Pi"
            case 13, 1:  // EACCES, EPERM
                "\(bus): permission denied: add the user that runs boardd to group i2c"
            case 110:  // ETIMEDOUT
                "\(place): transfer timed out, SDA or SCL is stuck low: "
                    + "check the wiring and the levels; power-cycle the display"
            case 11:  // EAGAIN
                "\(bus): arbitration lost to another master: put the display on a bus of its own"
            case 25, 22, 95:  // ENOTTY, EINVAL, EOPNOTSUPP
                "\(bus) is not an I2C bus that can write SMBus blocks: set [display] bus"
            default:
                "\(place) failed with error \(errno)"
            }
        self.init(errno: errno, description)
    }
}

extension UInt8 {
    /// As bus addresses are written: "0x27".
    public var asHex: String { "0x" + padded(to: 2, radix: 16) }
}
