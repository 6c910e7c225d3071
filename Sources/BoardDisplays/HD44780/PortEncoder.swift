import BoardCore

/// Encodes instructions and data as states of the expander's port.
///
/// A nibble is two port bytes, E high and E low: the controller reads it at the falling edge of E. RS must not change
/// in the byte with the rising edge of E (its set-up time is 40 ns, and the port's pins do not switch together), so
/// each change of RS costs a byte. A port byte lasts 90 µs at 100 kHz, longer than all other times of the interface.
struct PortEncoder: Hashable, Sendable {
    /// Whether the backlight is on, from the next byte.
    var isLit = true
    /// The bytes since the last ``take()``.
    private(set) var bytes: [UInt8] = []

    private let pins: PinMap
    /// The enable line of each controller.
    private let enables: [UInt8]
    private let padding: Int
    /// The number of port bytes that must still precede the next byte for each controller.
    private var busy: [Int]
    /// The level of RS on the port; nil while unknown.
    private var registerSelect: Bool?
    /// The data pins of each nibble.
    private let patterns: [UInt8]

    /// - Parameter speed: the bus clock in hertz, which decides whether idle bytes must cover the execution time.
    init(pins: PinMap, speed: Int) {
        self.pins = pins
        enables = [pins.e, pins.e2].compactMap { $0.map(Self.bit) }
        padding = Self.padding(at: speed)
        busy = enables.map { _ in 0 }
        patterns = (0..<16).map { (nibble: UInt8) in
            zip(UInt8(0)..., pins.data).reduce(0) { port, line in
                nibble >> line.0 & 1 == 1 ? port | Self.bit(line.1) : port
            }
        }
    }

    /// Port bytes between two bytes for one controller: none at 100 kHz, one at 400 kHz.
    ///
    /// From the falling edge of E that ends one byte to the one that transfers the next nibble is two port bytes.
    static func padding(at speed: Int) -> Int {
        let portByte = 9_000_000_000 / max(speed, 1)  // eight bits and the acknowledgement, in nanoseconds
        let needed = Int(Instruction.execution.components.attoseconds / 1_000_000_000)
        return max(0, (needed + max(portByte, 1) - 1) / max(portByte, 1) - 2)
    }

    mutating func take() -> [UInt8] {
        defer { bytes = [] }
        return bytes
    }

    /// Brings a port of unknown state to its idle state.
    ///
    /// After power-on all pins of a PCF8574 are high: E, and also R/W, so that the controller drives the data lines.
    /// First only E goes low, which ends a read; then R/W changes.
    mutating func settle() {
        let enable = enables.reduce(0, |)
        append(~(enable | backlight) | light)
        append(light)
        registerSelect = false
    }

    /// One pulse of E with RS low: half an instruction, or a complete one for an 8-bit interface. For all controllers.
    mutating func nibble(_ value: UInt8) {
        select(data: false)
        pulse(value, enables.reduce(0, |))
    }

    /// - Parameter controller: the index of the only controller that receives it; nil: all.
    mutating func instruction(_ value: UInt8, to controller: Int? = nil) {
        send(value, data: false, to: controller)
    }

    /// A data byte for the addressed cell or glyph.
    ///
    /// - Parameter controller: the index of the only controller that receives it; nil: all.
    mutating func data(_ value: UInt8, to controller: Int? = nil) {
        send(value, data: true, to: controller)
    }

    /// One byte that changes only the backlight.
    mutating func idle() {
        append(light | selection)
    }

    private mutating func send(_ value: UInt8, data: Bool, to controller: Int?) {
        let receivers = enables.indices.filter { controller == nil || $0 == controller }
        let enable = receivers.reduce(0) { $0 | enables[$1] }
        select(data: data)
        while receivers.contains(where: { busy[$0] > 0 }) { idle() }
        pulse(value >> 4, enable)
        pulse(value & 0xF, enable)
        for receiver in receivers { busy[receiver] = padding }
    }

    private mutating func select(data: Bool) {
        guard registerSelect != data else { return }
        registerSelect = data
        idle()
    }

    private mutating func pulse(_ nibble: UInt8, _ enable: UInt8) {
        let low = light | selection | patterns[Int(nibble & 0xF)]
        append(low | enable)
        append(low)
    }

    private mutating func append(_ byte: UInt8) {
        bytes.append(byte)
        for index in busy.indices where busy[index] > 0 { busy[index] -= 1 }
    }

    private var selection: UInt8 { registerSelect == true ? Self.bit(pins.rs) : 0 }
    private var backlight: UInt8 { pins.backlight.map(Self.bit) ?? 0 }
    private var light: UInt8 { isLit == pins.isBacklightActiveHigh ? backlight : 0 }

    /// The pin's bit in its port.
    private static func bit(_ pin: UInt8) -> UInt8 { 1 << (pin & 7) }
}

/// The controller's instructions (HD44780U data sheet, table 6), and the pauses after the longer ones.
enum Instruction {
    /// Clears the cells; sent only while the display is off.
    static let clear: UInt8 = 0x01
    /// Also resets the display shift.
    static let home: UInt8 = 0x02
    /// The address increments, without display shift.
    static let entryMode: UInt8 = 0x06
    /// Display, cursor and blinking off.
    static let displayOff: UInt8 = 0x08
    static let displayOn: UInt8 = 0x0C
    /// 4-bit interface, two lines (every panel of two or four rows), 5x8 dots.
    static let functionSet: UInt8 = 0x28

    /// The nibble of "function set, 8 bit"; an initialisation begins with three of them.
    static let eightBitNibble: UInt8 = 0x3
    /// The nibble of "function set, 4 bit".
    static let fourBitNibble: UInt8 = 0x2

    /// Sets the address for further data to this cell.
    static func cell(_ address: UInt8) -> UInt8 { 0x80 | address }
    /// Sets the address for further data to this custom glyph.
    static func glyph(_ slot: Int) -> UInt8 { 0x40 | UInt8(truncatingIfNeeded: slot & 7) << 3 }

    /// The longest ordinary instruction: 60.5 µs, a data write at the slowest clock (190 kHz).
    static let execution: Duration = .nanoseconds(60_500)
    /// Clear and home: 2.16 ms at the slowest clock.
    static let clearing: Duration = .milliseconds(3)
    /// After power-on: at least 40 ms (data sheet, figure 24).
    static let powerOn: Duration = .milliseconds(50)
    /// After the first nibble 3: at least 4.1 ms. The nibble may also have completed a stray "home".
    static let firstFunctionSet: Duration = .milliseconds(5)
    /// After the others: at least 100 µs.
    static let laterFunctionSet: Duration = .microseconds(200)
}
