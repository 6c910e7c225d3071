internal import BoardCore

/// A model of a PCF8574 at its pins: eight pins, all high after power-on.
struct PCF8574Model: Sendable {
    private(set) var port: UInt8 = 0xFF
    private let pins: PinMap

    init(pins: PinMap) {
        self.pins = pins
    }

    /// The levels of the controller's lines.
    var lines: HD44780Model.Lines {
        HD44780Model.Lines(
            rs: isHigh(pins.rs), rw: isHigh(pins.rw), e: isHigh(pins.e),
            data: zip(UInt8(0)..., pins.data).reduce(0) { isHigh($1.1) ? $0 | 1 << $1.0 : $0 })
    }

    /// Whether the backlight is on.
    var isLit: Bool { isHigh(pins.backlight) == pins.isBacklightActiveHigh }

    /// Writes a byte: all pins change together.
    mutating func latch(_ byte: UInt8) {
        port = byte
    }

    /// Power-on reset.
    mutating func powerOn() {
        port = 0xFF
    }

    private func isHigh(_ pin: UInt8) -> Bool { port >> pin & 1 == 1 }
}
