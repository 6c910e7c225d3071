import BoardCore
import BoardDisplays

/// A model of an expander at the eight pins of the display's port. After power-on a PCF8574 has all pins high, an MCP230xx has
/// inputs until it is configured; the display then has low lines.
struct PortModel: Sendable {
    private var state: UInt8 = 0
    private var isOutput = false
    private let pins: PinMap

    init(pins: PinMap) {
        self.pins = pins
        powerOn()
    }

    /// The levels of each controller's lines.
    var lines: [HD44780Model.Lines] {
        [pins.e, pins.e2].compactMap(\.self).map { enable in
            HD44780Model.Lines(
                rs: isHigh(pins.rs), rw: pins.rw.map(isHigh) ?? false, e: isHigh(enable),
                data: zip(UInt8(0)..., pins.data).reduce(0) { isHigh($1.1) ? $0 | 1 << $1.0 : $0 })
        }
    }

    /// Whether the backlight is on.
    var isLit: Bool { pins.backlight.map { isHigh($0) == pins.isBacklightActiveHigh } ?? true }

    /// Writes a byte: all pins change together.
    mutating func latch(_ byte: UInt8) {
        state = byte
    }

    /// Makes the pins outputs.
    mutating func configure() {
        isOutput = true
    }

    /// Power-on reset.
    mutating func powerOn() {
        state = pins.expander == .pcf8574 ? 0xFF : 0
        isOutput = pins.expander == .pcf8574
    }

    private func isHigh(_ pin: UInt8) -> Bool { isOutput && state >> (pin & 7) & 1 == 1 }
}
