/// What an I2C bus refused, with what to do about it.
public struct BusFault: Error, Hashable, Sendable, CustomStringConvertible {
    /// What kind of refusal it is.
    public enum Cause: Hashable, Sendable {
        /// No device took the address or a byte.
        case noAcknowledge
        /// A kernel driver owns the address.
        case claimedByDriver
        /// The bus is not there.
        case noBus
        /// The file's permissions.
        case permissionDenied
        /// The bus did not end the transfer: a line is held down.
        case stuck
        /// Another master was talking.
        case arbitrationLost
        /// The adapter cannot do what is needed.
        case unsupported
        /// More than one address answers, and none is the usual one.
        case ambiguous
        /// Anything else, by its errno.
        case other
    }

    /// What kind of refusal it is.
    public let cause: Cause
    /// The kernel's number of the error; 0 if it came from no call.
    public let errno: Int32
    /// Where, what was found, what to do: a sentence for the log.
    public let description: String

    /// A fault in full.
    public init(_ cause: Cause, errno: Int32 = 0, _ description: String) {
        self.cause = cause
        self.errno = errno
        self.description = description
    }

    /// The fault that an errno of Linux means on an I2C bus.
    ///
    /// - Parameters:
    ///   - errno: as a call left it. The numbers are those of Linux on the machines that a Pi can be (asm-generic).
    ///   - bus: the device file.
    ///   - address: the expander's address, or nil if none was involved.
    public init(errno: Int32, bus: String, address: UInt8? = nil) {
        let place = (address.map { "\(Self.hex($0)) on " } ?? "") + bus
        let (cause, description): (Cause, String) =
            switch errno {
            case 121, 6:  // EREMOTEIO; ENXIO on i2c-gpio
                (.noAcknowledge, "nothing answers at \(place): check SDA, SCL, 5 V and GND, and the address")
            case 5:  // EIO
                (.other, "a transfer to \(place) was cut short: check the wiring, and what else is on the bus")
            case 16:  // EBUSY
                (
                    .claimedByDriver,
                    "\(place) is held by a kernel driver: "
                        + "remove the overlay (hd44780-i2c-lcd, pcf857x) from config.txt and restart the Pi"
                )
            case 2, 19:  // ENOENT, ENODEV
                (
                    .noBus,
                    "there is no \(bus): put dtparam=i2c_arm=on into /boot/firmware/config.txt, "
                        + "load i2c-dev and restart the Pi"
                )
            case 13, 1:  // EACCES, EPERM
                (.permissionDenied, "\(bus) may not be opened: put the user that runs boardd into group i2c")
            case 110:  // ETIMEDOUT
                (
                    .stuck,
                    "\(place) does not end a transfer, a line is held down: "
                        + "check the wiring and the level of SDA and SCL; power the display off and on"
                )
            case 11:  // EAGAIN
                (.arbitrationLost, "another master is talking on \(bus): the display must be on a bus of its own")
            case 25, 22, 95:  // ENOTTY, EINVAL, EOPNOTSUPP
                (.unsupported, "\(bus) is not an I2C bus that can write SMBus blocks: set [display] bus")
            default:
                (.other, "\(place) failed with error \(errno)")
            }
        self.init(cause, errno: errno, description)
    }

    /// An address as a person writes it: 0x27.
    public static func hex(_ address: UInt8) -> String {
        let digits = String(address, radix: 16)
        return "0x" + (digits.count < 2 ? "0" : "") + digits
    }
}
