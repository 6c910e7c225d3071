import BoardCore
import CI2C
import Glibc
import PanelModel
import Synchronization
import Testing

@testable import BoardDisplays

/// An I2C bus with an MCP23008 or MCP23017 at 0x20, and a display at its pins. Its time advances only with the bytes.
private final class RegisterBus: I2CLibrary {
    struct State {
        var chip: MCP230xxModel
        var controller: HD44780Model
        /// A level on every change of the pins of the display's lines, also while they are inputs.
        var lines: HD44780Model.Lines?
        var longest = 0
        var now: Int64 = 0
    }

    let state: Mutex<State>
    private let map: PinMap

    init(_ panel: Panel, chip: MCP230xxModel) {
        map = panel.pins
        state = Mutex(State(chip: chip, controller: HD44780Model(panel: panel, start: .eightBit)))
    }

    func open(_ path: String) -> Int32 { 100 }
    func close(_ file: Int32) {}
    func functions(_ file: Int32) -> Int {
        Int(I2C_FUNC_SMBUS_WRITE_I2C_BLOCK) | Int(I2C_FUNC_SMBUS_READ_BYTE) | Int(I2C_FUNC_SMBUS_WRITE_BYTE)
    }
    func setTimeout(_ file: Int32, _ tensOfMilliseconds: UInt) {}
    func setAddress(_ file: Int32, _ address: UInt8) -> Int32 { address == 0x20 ? 0 : -EBUSY }
    func readByte(_ file: Int32) -> Int32 { 0 }
    func readRegister(_ file: Int32, _ register: UInt8) -> Int32 { 0 }
    func writeByte(_ file: Int32, _ byte: UInt8) -> Int32 { write([byte]) }
    func writeBlock(_ file: Int32, command: UInt8, _ bytes: ArraySlice<UInt8>) -> Int32 { write([command] + bytes) }

    private func write(_ bytes: [UInt8]) -> Int32 {
        state.withLock { state in
            state.longest = max(state.longest, bytes.count)
            var seen: [MCP230xxModel] = []
            state.chip.write(bytes) { seen.append($0) }
            for chip in seen {
                // Longer than every instruction and every pause after power-on.
                state.now += 50_000_000
                let new = lines(chip)
                if let old = state.lines { state.controller.lines(from: old, to: new, at: state.now) }
                state.lines = new
            }
            return 0
        }
    }

    private func lines(_ chip: MCP230xxModel) -> HD44780Model.Lines {
        let pins = chip.pins
        func isHigh(_ pin: UInt8) -> Bool { pins[Int(pin)] ?? false }
        return HD44780Model.Lines(
            rs: isHigh(map.rs), rw: map.rw.map(isHigh) ?? false, e: isHigh(map.e),
            data: zip(UInt8(0)..., map.data).reduce(0) { isHigh($1.1) ? $0 | 1 << $1.0 : $0 })
    }
}

@Suite("Expanders with registers")
struct ExpanderRegisterTests {
    private static let portB = PinMap(
        expander: .mcp23017, rs: 15, rw: 14, e: 13, backlight: 8, data: [12, 11, 10, 9], isBacklightActiveHigh: false)
    private static let size = DisplaySize(columns: 20, rows: 4)

    /// IOCON as another program may leave it: BANK and SEQOP in all combinations, and other bits.
    private static let controls: [UInt8] = [0x00, 0x20, 0x80, 0xA0, 0x44]

    private func frame(_ rows: String..., isLit: Bool = true) -> Frame {
        Frame(columns: 20, rows: rows + Array(repeating: "", count: 4 - rows.count), isLit: isLit)
    }

    @Test(
        "the picture is right from any state of the registers, and after a reset of the chip",
        arguments: [PinMap.adafruit, Expander.mcp23017.usualPins, portB], controls)
    func anyState(_ pins: PinMap, control: UInt8) {
        let panel = Panel(size: Self.size, pins: pins)
        let bus = RegisterBus(panel, chip: MCP230xxModel(ports: pins.expander.pinCount / 8, control: control))
        let expander = SMBusExpander(bus: .path("/dev/i2c-1"), address: .auto, pins: pins, library: bus)
        var display = HD44780Display(panel: panel, resync: .seconds(10), bus: expander)
        let first = frame("73  Oxford Cir   due", "390 Archwäy", "", "é")
        #expect(display.show(first, at: Instant(microseconds: 0)).health == .shown)
        #expect(bus.state.withLock { $0.controller.cells } == first.rows)
        #expect(bus.state.withLock { $0.longest } == 33)
        #expect(bus.state.withLock { !$0.chip.isDisturbed })
        let pin = pins.backlight.map(Int.init) ?? 0
        #expect(bus.state.withLock { $0.chip.pins[pin] } == pins.isBacklightActiveHigh)
        // The chip loses its registers, and the panel its cells, without a failed transfer.
        bus.state.withLock { state in
            state.chip.powerOn()
            state.controller.powerOn(at: state.now)
        }
        _ = display.show(first, at: Instant(microseconds: 10_000_000))
        #expect(bus.state.withLock { $0.controller.cells } == first.rows)
        let second = frame("73  Oxford Cir    1m", isLit: false)
        #expect(display.show(second, at: Instant(microseconds: 11_000_000)).health == .shown)
        #expect(bus.state.withLock { $0.controller.cells } == second.rows)
        #expect(bus.state.withLock { $0.chip.pins[pin] } != pins.isBacklightActiveHigh)
        #expect(bus.state.withLock { $0.controller.violations.isEmpty })
    }

    @Test(
        "the set-up keeps the levels of a working display",
        arguments: [PinMap.adafruit, Expander.mcp23017.usualPins, portB])
    func steady(_ pins: PinMap) {
        var chip = MCP230xxModel(ports: pins.expander.pinCount / 8)
        let registers = ExpanderRegisters(pins)
        let state: UInt8 = 0x93
        for bytes in registers.setUp(preserving: 0) + [[registers.port ?? 0, state]] { chip.write(bytes) { _ in } }
        let levels = chip.pins
        var seen: [[Bool?]] = []
        for bytes in registers.setUp(preserving: state) { chip.write(bytes) { seen.append($0.pins) } }
        #expect(!seen.isEmpty && seen.allSatisfy { $0 == levels })
    }

    @Test("the pins of the other port of an MCP23017 stay inputs")
    func otherPort() {
        for pins in [Expander.mcp23017.usualPins, Self.portB] {
            var chip = MCP230xxModel(ports: 2)
            for bytes in ExpanderRegisters(pins).setUp(preserving: 0) { chip.write(bytes) { _ in } }
            let outputs = chip.pins.indices.filter { chip.pins[$0] != nil }
            #expect(outputs == Array(pins.port == 0 ? 0..<8 : 8..<16))
        }
    }
}
