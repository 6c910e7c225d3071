internal import BoardCore

/// Encodes instructions and data as states of the expander's port.
///
/// A nibble is two port bytes, E high and E low: the controller reads it at the falling edge of E. RS must not change in
/// the byte with the rising edge of E (its set-up time is 40 ns, and the port's pins do not switch together), so each
/// change of RS costs a byte. A port byte lasts 90 µs at 100 kHz, longer than all other times of the interface.
struct PortEncoder: Hashable, Sendable {
    /// Whether the backlight is on, from the next byte on.
    var isLit = true
    /// The bytes since the last ``take()``.
    private(set) var bytes: [UInt8] = []

    private let pins: PinMap
    private let padding: Int
    /// The level of RS on the port; nil while unknown.
    private var registerSelect: Bool?
    /// The data pins of each nibble.
    private let patterns: [UInt8]

    /// - Parameter speed: the bus clock in hertz, which decides whether idle bytes must cover the execution time.
    init(pins: PinMap, speed: Int) {
        self.pins = pins
        padding = Self.padding(at: speed)
        patterns = (0..<16).map { (nibble: UInt8) in
            zip(UInt8(0)..., pins.data).reduce(0) { port, line in
                nibble >> line.0 & 1 == 1 ? port | Self.bit(line.1) : port
            }
        }
    }

    /// Idle bytes after each byte for the controller: none at 100 kHz, one at 400 kHz.
    ///
    /// From the falling edge of E that ends one byte to the one that transfers the next nibble there are two port bytes.
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
    /// After power-on all pins of an expander are high: E, and also R/W, so that the controller drives the data lines. First
    /// only E goes low, which ends a read; then R/W changes.
    mutating func settle() {
        bytes.append(~(Self.bit(pins.e) | Self.bit(pins.backlight)) | light)
        bytes.append(light)
        registerSelect = false
    }

    /// One pulse of E with RS low: half an instruction, or a complete one for an 8-bit interface.
    mutating func nibble(_ value: UInt8) {
        select(data: false)
        pulse(value)
    }

    mutating func instruction(_ value: UInt8) {
        send(value, data: false)
    }

    /// A data byte for the addressed cell or glyph.
    mutating func data(_ value: UInt8) {
        send(value, data: true)
    }

    /// One byte that changes only the backlight.
    mutating func idle() {
        bytes.append(light | selection)
    }

    private mutating func send(_ value: UInt8, data: Bool) {
        select(data: data)
        pulse(value >> 4)
        pulse(value & 0xF)
        let resting = light | selection | patterns[Int(value & 0xF)]
        bytes.append(contentsOf: repeatElement(resting, count: padding))
    }

    private mutating func select(data: Bool) {
        guard registerSelect != data else { return }
        registerSelect = data
        bytes.append(light | selection)
    }

    private mutating func pulse(_ nibble: UInt8) {
        let low = light | selection | patterns[Int(nibble & 0xF)]
        bytes.append(low | Self.bit(pins.e))
        bytes.append(low)
    }

    private var selection: UInt8 { registerSelect == true ? Self.bit(pins.rs) : 0 }
    private var light: UInt8 { isLit == pins.isBacklightActiveHigh ? Self.bit(pins.backlight) : 0 }

    private static func bit(_ pin: UInt8) -> UInt8 { 1 << pin }
}
