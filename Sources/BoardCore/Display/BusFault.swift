/// An error of an I2C bus, with its remedy.
public struct BusFault: Error, Hashable, Sendable, CustomStringConvertible {
    public enum Cause: Hashable, Sendable {
        /// No device acknowledged the address or a byte.
        case noAcknowledge
        case claimedByDriver
        /// There is no such bus.
        case noBus
        /// The file permissions.
        case permissionDenied
        /// The transfer timed out: SDA or SCL is stuck low.
        case stuck
        case arbitrationLost
        /// The adapter lacks a needed function.
        case unsupported
        /// More than one address responds, and none is the usual one.
        case ambiguous
        /// Another errno.
        case other
    }

    public let cause: Cause
    /// The kernel's error number; 0 if no call failed.
    public let errno: Int32
    /// A sentence for the log: where, what was found, the remedy.
    public let description: String

    public init(_ cause: Cause, errno: Int32 = 0, _ description: String) {
        self.cause = cause
        self.errno = errno
        self.description = description
    }

    /// The fault for a Linux errno on an I2C bus.
    ///
    /// - Parameters:
    ///   - errno: the error number. The numbers are those of Linux on all architectures of a Pi (asm-generic).
    ///   - bus: the device file.
    ///   - address: the expander's address, or nil if none was involved.
    public init(errno: Int32, bus: String, address: UInt8? = nil) {
        let place = (address.map { "\(Self.hex($0)) on " } ?? "") + bus
        let (cause, description): (Cause, String) =
            switch errno {
            case 121, 6:  // EREMOTEIO; ENXIO on i2c-gpio
                (.noAcknowledge, "no device acknowledges at \(place): check SDA, SCL, 5 V and GND, and the address")
            case 5:  // EIO
                (.other, "\(place): I/O error during a transfer: check the wiring, and what else is on the bus")
            case 16:  // EBUSY
                (
                    .claimedByDriver,
                    "\(place) is in use by a kernel driver: "
                        + "remove the overlay (hd44780-i2c-lcd, pcf857x) from config.txt and restart the Pi"
                )
            case 2, 19:  // ENOENT, ENODEV
                (
                    .noBus,
                    "there is no \(bus): put dtparam=i2c_arm=on into /boot/firmware/config.txt, "
                        + "load i2c-dev and restart the Pi"
                )
            case 13, 1:  // EACCES, EPERM
                (.permissionDenied, "\(bus): permission denied: add the user that runs boardd to group i2c")
            case 110:  // ETIMEDOUT
                (
                    .stuck,
                    "\(place): transfer timed out, SDA or SCL is stuck low: "
                        + "check the wiring and the levels; power-cycle the display"
                )
            case 11:  // EAGAIN
                (.arbitrationLost, "\(bus): arbitration lost to another master: put the display on a bus of its own")
            case 25, 22, 95:  // ENOTTY, EINVAL, EOPNOTSUPP
                (.unsupported, "\(bus) is not an I2C bus that can write SMBus blocks: set [display] bus")
            default:
                (.other, "\(place) failed with error \(errno)")
            }
        self.init(cause, errno: errno, description)
    }

    /// An address as "0x27".
    public static func hex(_ address: UInt8) -> String {
        let digits = String(address, radix: 16)
        return "0x" + (digits.count < 2 ? "0" : "") + digits
    }
}
