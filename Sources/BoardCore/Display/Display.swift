/// A display, real or simulated.
///
/// Used from one thread. It may block while its bus needs time. It never throws: an absent display is a state, not a
/// reason to exit.
public protocol Display {
    /// Shows `frame`, if possible.
    mutating func show(_ frame: Frame, at now: Instant) -> DisplayReport

    /// Shows the last frame, leaves the controller synchronised and closes the bus.
    mutating func close(last frame: Frame, at now: Instant)
}

public struct DisplayReport: Hashable, Sendable {
    public enum Health: Hashable, Sendable {
        case shown
        /// The display is not connected or not reachable: where, what was found, the remedy.
        case absent(String)
    }

    public let health: Health
    /// When to call ``Display/show(_:at:)`` again although the frame is the same (to recover or re-synchronise).
    public let callAgainAt: Instant?

    public init(_ health: Health, callAgainAt: Instant? = nil) {
        self.health = health
        self.callAgainAt = callAgainAt
    }
}

/// The content of the display: a grapheme in every cell, and the state of the backlight.
public struct Frame: Hashable, Sendable {
    public let columns: Int
    /// The cells, row by row; every row has `columns` cells.
    public private(set) var rows: [[Character]]
    /// Whether the backlight is on. The text stays on the display when it is off.
    public var isLit: Bool

    /// Cuts or pads each row to `columns`.
    public init(columns: Int, rows: [String], isLit: Bool = true) {
        self.columns = columns
        self.rows = rows.map { text in
            let cells = Array(text.prefix(columns))
            return cells + Array(repeating: " ", count: columns - cells.count)
        }
        self.isLit = isLit
    }

    public init(blank size: Panel.Size, isLit: Bool = true) {
        self.init(columns: size.columns, rows: Array(repeating: "", count: size.rows), isLit: isLit)
    }

    public var lines: [String] { rows.map { String($0) } }

    /// Puts `text` at a position, cut at the end of the row; ignores a row that does not exist.
    public mutating func put(_ text: some Sequence<Character>, row: Int, column: Int = 0) {
        guard rows.indices.contains(row) else { return }
        for (index, cell) in zip(column..., text) where rows[row].indices.contains(index) {
            rows[row][index] = cell
        }
    }
}

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

/// A character panel: its size, its character ROM and its pin map. No code depends on a panel's model.
public struct Panel: Hashable, Sendable {
    public struct Size: Hashable, Sendable, CustomStringConvertible {
        public let columns: Int
        public let rows: Int

        public init(columns: Int, rows: Int) {
            self.columns = columns
            self.rows = rows
        }

        /// As configuration writes it: `20x4`.
        public var description: String { "\(columns)x\(rows)" }

        /// Whether the board has a layout for it: 16 to 40 columns, 1 to 8 rows.
        public var fitsBoard: Bool { (16...40).contains(columns) && (1...8).contains(rows) }

        /// The sizes of character LCDs.
        public static let lcd: [Size] = [
            Size(columns: 16, rows: 2), Size(columns: 20, rows: 2), Size(columns: 40, rows: 2),
            Size(columns: 16, rows: 4), Size(columns: 20, rows: 4), Size(columns: 40, rows: 4),
        ]

        /// The sizes of an OLED with this many rows of dots: cells of 6x16 or 6x8 dots.
        public static func oled(dotRows: Int) -> [Size] {
            [16, 8].map { Size(columns: 20, rows: dotRows / $0) }
        }
    }

    public let size: Size
    public let rom: CharacterROM
    /// The wiring between expander and controller.
    public let pins: PinMap

    public init(size: Size, rom: CharacterROM = .a00, pins: PinMap = .standard) {
        self.size = size
        self.rom = rom
        self.pins = pins
    }

    /// The number of controllers: one has 80 cells, so 40x4 has two, each for two rows.
    public var controllerCount: Int { size.columns * size.rows > 80 ? 2 : 1 }

    /// The DDRAM address of each row's first cell in its controller (HD44780U data sheet, DDRAM map).
    ///
    /// On a four-row panel of one controller rows 2 and 3 continue rows 0 and 1, `columns` later.
    public var rowAddresses: [UInt8] {
        let second: UInt8 = 0x40
        let width = controllerCount == 1 ? UInt8(size.columns) : 0
        return Array([0, second, width, second + width].prefix(size.rows))
    }
}
