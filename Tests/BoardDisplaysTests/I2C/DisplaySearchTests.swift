import BoardCore
import Glibc
import PanelModel
import Synchronization
import Testing

@testable import BoardDisplays

@Suite("A display that no file describes")
struct DisplaySearchTests {
    private static let bus = HeaderBus.path()
    private static let start = Instant(microseconds: 0)

    /// A board without `[display]`, and the bus of its pin header.
    private final class Rig {
        let bus = FakeI2C()
        private let wirings = Mutex<[DisplayWiring]>([])
        private(set) var now = DisplaySearchTests.start
        private var display: (any Display)?

        init(_ devices: UInt8...) {
            bus.state.withLock { $0.devices = Set(devices) }
            display = HardwareDisplay.make(DisplayWiring(origin: .searched), library: bus) { [weak self] wiring in
                self?.wirings.withLock { $0.append(wiring) }
            }
        }

        /// The wirings that were reported, in order.
        var found: [DisplayWiring] { wirings.withLock { $0 } }
        var written: Set<UInt8> { bus.state.withLock { Set($0.writes.map(\.address)) } }

        /// Shows a frame; nil: the display's last report asks for no further call.
        @discardableResult
        func show(_ frame: Frame) -> DisplayReport {
            let report = display?.show(frame, at: now)
            return report ?? DisplayReport(.shown)
        }

        func fault() -> String? {
            if case .absent(let fault) = show(Frame(blank: DisplaySize(columns: 20, rows: 4))).health {
                fault
            } else {
                nil
            }
        }

        func advance(to moment: Instant) { now = moment }

        /// Connects a character LCD behind a PCF8574.
        func connect(_ lcd: SimulatedExpander, at address: UInt8) {
            bus.state.withLock { state in
                state.devices.insert(address)
                state.receivers[address] = { bytes in
                    for byte in bytes {
                        // Longer than every instruction and every pause after power-on.
                        lcd.advance(by: .milliseconds(50))
                        try? lcd.write([byte])
                    }
                }
            }
        }

        func connect(_ device: SimulatedDevice<some DeviceModel>, at address: UInt8) {
            bus.state.withLock { state in
                state.devices.insert(address)
                state.receivers[address] = { bytes in
                    try? device.open()
                    try? device.write(bytes)
                }
            }
        }
    }

    private func frame(_ rows: String...) -> Frame {
        Frame(columns: rows.map(\.count).max() ?? 0, rows: rows)
    }

    private func panel(_ columns: Int, _ rows: Int) -> Panel { Panel(size: DisplaySize(columns: columns, rows: rows)) }

    @Test("a backpack alone is the display, and shows 16x2 in the upper left corner of whatever size it has")
    func lcd() {
        let rig = Rig(0x68)
        let lcd = SimulatedExpander(panel: panel(20, 4), start: .pending(0x5))
        rig.connect(lcd, at: 0x27)
        #expect(rig.show(frame("73  Victoria      4m", "390 Archway       9m", "no", "no")).health == .shown)
        #expect(rig.found.map(\.panel) == [panel(16, 2)])
        #expect(rig.found.map(\.address) == [.fixed(0x27)] && rig.found.map(\.bus) == [.path(Self.bus)])
        #expect(
            lcd.screen == [
                "73  Victoria        ", "390 Archway         ", "                    ", "                    ",
            ])
        #expect(rig.show(frame("73  Victoria  4m", "390 Archway   9m")).health == .shown)
        #expect(lcd.screen.prefix(2) == ["73  Victoria  4m    ", "390 Archway   9m    "])
        #expect(rig.found.count == 1 && rig.written == [0x27])
        #expect(rig.bus.state.withLock { $0.asked.isEmpty }, "the usual address of a PCF8574")
    }

    @Test("an OLED alone is the display, in its default size")
    func oled() throws {
        let rig = Rig()
        let oled = SimulatedDevice(OLEDModel(chip: .ssd1306, height: 64))
        rig.connect(oled, at: 0x3D)
        #expect(rig.show(Frame(blank: DisplaySize(columns: 20, rows: 8))).health == .shown)
        let wiring = try #require(rig.found.first)
        #expect(wiring.driver == .ssd1306 && wiring.address == .fixed(0x3D))
        #expect(wiring.panel.size == DisplaySize(columns: 20, rows: 8) && wiring.hasDoubleSize)
        #expect(oled.model.isOn && oled.model.violations.isEmpty)
    }

    @Test("LED modules are one display; a sensor at the end of their addresses is none of them")
    func modules() throws {
        let rig = Rig(0x77)
        let modules = (0..<4).map { _ in SimulatedDevice(HT16K33Model()) }
        for (address, module) in zip(UInt8(0x70)..., modules) { rig.connect(module, at: address) }
        #expect(rig.show(frame("73 Victoria  4m ")).health == .shown)
        let wiring = try #require(rig.found.first)
        #expect(wiring.driver == .ht16k33 && wiring.modules == LEDModules(addresses: [0x70, 0x71, 0x72, 0x73]))
        #expect(wiring.panel.size == DisplaySize(columns: 16, rows: 1))
        #expect(modules.allSatisfy { $0.model.isOn } && !rig.written.contains(0x77))
    }

    @Test("of several displays none is chosen, and none is written to; the fault names them")
    func several() {
        let rig = Rig(0x3C, 0x38)
        #expect(
            rig.fault()
                == "several displays can be on \(Self.bus) (ssd1306 at 0x3c; hd44780 at 0x38): boardd hardware scan prints the "
                + "lines for boardd.toml that choose one")
        #expect(rig.written.isEmpty && rig.found.isEmpty)
    }

    @Test(
        "beside other displays a backpack at its usual address is used with the defaults, as the one that is likeliest")
    func likeliest() {
        let rig = Rig(0x3C)
        let lcd = SimulatedExpander(panel: panel(20, 4))
        rig.connect(lcd, at: 0x27)
        #expect(rig.show(frame("a", "b", "c", "73  Victoria      4m")).health == .shown)
        #expect(lcd.screen.last == "73  Victoria      4m")
        #expect(rig.written == [0x27] && rig.found.isEmpty)
    }

    @Test("a display that is connected later is found at one of the retries of a missing display")
    func later() {
        let rig = Rig()
        var waits: [Duration] = []
        for _ in 0..<8 {
            let report = rig.show(Frame(blank: DisplaySize(columns: 20, rows: 4)))
            guard case .absent(let fault) = report.health, let next = report.callAgainAt else {
                Issue.record("\(report)")
                return
            }
            #expect(fault.hasPrefix("no display responds on \(Self.bus) at 0x20–0x27 or 0x38–0x3f or 0x70–0x77: "))
            waits.append(next - rig.now)
            rig.advance(to: next)
        }
        #expect(waits == [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000].map { .milliseconds($0) })
        #expect(rig.fault() != nil)
        rig.connect(SimulatedExpander(panel: panel(16, 2)), at: 0x3F)
        rig.bus.state.withLock { $0.read = [] }
        #expect(rig.fault() != nil)
        #expect(rig.bus.state.withLock { $0.read.isEmpty }, "not before its time")
        rig.advance(to: rig.now + .seconds(5))
        #expect(rig.fault() == nil)
        #expect(rig.found.map(\.address) == [.fixed(0x3F)])
    }

    @Test("what was found stays the display: a sensor gets no byte while it is unplugged")
    func unplugged() {
        let rig = Rig()
        rig.connect(SimulatedExpander(panel: panel(16, 2)), at: 0x27)
        #expect(rig.fault() == nil)
        rig.bus.state.withLock { $0.devices = [0x3F] }
        for row in ["a", "b", "c"] {
            let report = rig.show(frame(row, ""))
            #expect(report.health != .shown)
            rig.advance(to: report.callAgainAt ?? rig.now)
        }
        #expect(!rig.written.contains(0x3F))
        rig.bus.state.withLock { $0.devices = [0x27, 0x3F] }
        #expect(rig.show(frame("d", "")).health == .shown)
        #expect(rig.found.count == 1 && rig.written == [0x27])
    }

    @Test(
        "an expander is told by its registers, after power-on and after a driver has set them",
        arguments: [
            ([:], .pcf8574), ([0x00: 0xFF], .mcp23008), ([0x05: 0x20], .mcp23008), ([0x00: 0xFF, 0x01: 0xFF], nil),
            ([0x05: 0xA0], nil),
        ] as [([UInt8: UInt8], Expander?)])
    func expander(registers: [UInt8: UInt8], expander: Expander?) {
        let rig = Rig(0x20)
        rig.bus.state.withLock { $0.registers = [0x20: registers] }
        let fault = rig.fault()
        #expect(rig.found.map(\.panel.pins) == (expander.map { [$0.usualPins] } ?? []))
        guard expander == nil else { return }
        #expect(fault?.hasPrefix("an MCP23017 responds at 0x20 on \(Self.bus), whose pins differ") == true)
        #expect(rig.written.isEmpty)
    }

    @Test("a device that is no display, or that the kernel uses, is named, and only addresses of displays are read")
    func others() {
        #expect(Rig(0x76).fault()?.hasPrefix("only 0x76 responds on \(Self.bus), which is no display: ") == true)
        let sensor = Rig()
        sensor.bus.state.withLock { $0.claimed = [0x76] }
        #expect(sensor.fault()?.hasPrefix("no display responds on \(Self.bus) at ") == true)
        let rig = Rig(0x50)
        rig.bus.state.withLock { $0.claimed = [0x27] }
        #expect(rig.fault()?.hasPrefix("0x27 on \(Self.bus) is in use by a kernel driver") == true)
        #expect(rig.written.isEmpty)
        let displays = [0x20...0x27, 0x38...0x3F, 0x70...0x77] as [ClosedRange<UInt8>]
        #expect(rig.bus.state.withLock { Set($0.read) } == Set(displays.joined()).subtracting([0x27]))
    }
}
