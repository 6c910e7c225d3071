import BoardCore
import PanelModel
import Synchronization
import Testing

@testable import BoardDisplays

/// A driver and a modelled OLED.
struct OLEDRig {
    let panel: OLEDPanel
    let device: SimulatedDevice<OLEDModel>
    var display: ReconnectingDisplay<OLEDLink<SimulatedDevice<OLEDModel>>>

    init(_ chip: OLEDChip = .ssd1306, height: Int = 64, rows: Int = 4, resync: Duration? = .seconds(60)) {
        panel = OLEDPanel(chip: chip, height: height, size: DisplaySize(columns: 20, rows: rows), brightness: 50)
        device = SimulatedDevice(OLEDModel(chip: chip == .sh1106 ? .sh1106 : .ssd1306, height: height))
        display = ReconnectingDisplay(OLEDLink(panel: panel, bus: device), resync: resync)
    }

    static let start = Instant(microseconds: 0)

    var cells: [[Character]] { device.model.cells(panel.size) }
    var lines: [String] { cells.map { String($0) } }

    func frame(_ rows: [String], isLit: Bool = true) -> Frame {
        Frame(columns: 20, rows: (0..<panel.size.rows).map { rows.indices.contains($0) ? rows[$0] : "" }, isLit: isLit)
    }

    @discardableResult
    mutating func show(_ rows: [String], isLit: Bool = true, after: Duration = .zero) -> DisplayReport {
        display.show(frame(rows, isLit: isLit), at: Self.start + after)
    }
}

/// The modules that the configuration allows.
struct OLEDKind: Hashable, CustomTestStringConvertible {
    let chip: OLEDChip
    let height: Int
    let rows: Int

    static let all = [
        OLEDKind(chip: .ssd1306, height: 64, rows: 4), OLEDKind(chip: .ssd1306, height: 64, rows: 8),
        OLEDKind(chip: .ssd1306, height: 32, rows: 2), OLEDKind(chip: .ssd1306, height: 32, rows: 4),
        OLEDKind(chip: .sh1106, height: 64, rows: 4), OLEDKind(chip: .sh1106, height: 64, rows: 8),
    ]

    var testDescription: String { "\(chip) 128x\(height) 20x\(rows)" }
    var rig: OLEDRig { OLEDRig(chip, height: height, rows: rows) }
}

@Suite("Frames on an OLED")
struct OLEDTests {
    private let rows = [
        "Oxford St N   12:04⇨", "73  Oxford…      due", "390 Archway       4m", "N73 Zürich éèêàç\\~?13",
    ]

    @Test("every module shows the frame from any memory, and nothing before it is complete", arguments: OLEDKind.all)
    func start(kind: OLEDKind) {
        var rig = kind.rig
        let device = rig.device
        let size = rig.panel.size
        let frame = rig.frame([rows[0], "éèêàçåøæłőğ↑↓▲▼€✓⚠♥"] + rows.dropFirst(2))
        device.observing { model in
            #expect(!model.isOn || model.cells(size) == frame.rows)
        } during: {
            #expect(rig.display.show(frame, at: OLEDRig.start).health == .shown)
        }
        #expect(rig.cells == frame.rows)
        #expect(device.model.violations.isEmpty)
    }

    @Test("every frame of a long walk is shown exactly", arguments: OLEDKind.all)
    func walk(kind: OLEDKind) {
        var rig = kind.rig
        var random = RandomSource(seed: 7)
        let letters = Array("ABCabcxyz0123456789 .:?*éüßÅ⇨~…→°")
        var frame = rig.frame(rows)
        for _ in 0..<60 {
            for _ in 0..<Int.random(in: 0...12, using: &random) {
                frame.put(
                    [letters.randomElement(using: &random) ?? " "], row: Int.random(in: 0..<kind.rows, using: &random),
                    column: Int.random(in: 0..<20, using: &random))
            }
            frame.isLit = Int.random(in: 0..<8, using: &random) > 0
            _ = rig.display.show(frame, at: OLEDRig.start)
            let blank = Frame(blank: rig.panel.size)
            #expect(rig.cells == (frame.isLit ? frame.rows : blank.rows))
        }
        #expect(rig.device.model.violations.isEmpty)
    }

    @Test("an unchanged frame costs nothing, a digit its columns, a complete picture 40 transfers")
    func cost() {
        var rig = OLEDRig()
        rig.show(["12:04"])
        rig.device.resetCounts()
        rig.show(["12:04"])
        #expect(rig.device.counts.calls == 0)
        rig.show(["12:05"])
        // Two pages of five columns at most, each with its address.
        #expect(rig.device.counts.calls == 4)
        #expect(rig.device.counts.bytes <= 2 * (4 + 6))
        rig.device.resetCounts()
        rig.show(Array(repeating: String(repeating: "M", count: 20), count: 4))
        #expect(rig.device.counts.calls <= 8 * (1 + 4))
        // At 100 kHz.
        #expect(rig.device.counts.clocks <= 11_000)
        print(
            "a complete 128x64 picture: \(rig.device.counts.calls) calls, \(rig.device.counts.clocks / 100) ms at 100 kHz"
        )
    }

    @Test("only changed pages are sent")
    func pages() {
        var rig = OLEDRig(rows: 8)
        rig.show(["first", "second", "third"])
        rig.device.resetCounts()
        rig.show(["first", "sEcond", "third"])
        #expect(rig.device.counts.calls == 2)
    }

    @Test("the dark turns the display off, keeps its picture, and light turns it on again: one command each")
    func light() {
        var rig = OLEDRig()
        rig.show(rows)
        rig.device.resetCounts()
        rig.show(rows, isLit: false)
        #expect(!rig.device.model.isOn)
        #expect(rig.device.model.dots.allSatisfy { !$0.contains(true) })
        rig.show(rows)
        #expect(rig.cells == rig.frame(rows).rows)
        #expect(rig.device.counts.bytes == 4)
    }

    @Test("brightness sets the contrast", arguments: [(1, 2), (50, 127), (100, 255)])
    func brightness(percent: Int, contrast: UInt8) {
        let panel = OLEDPanel(chip: .ssd1306, height: 64, size: DisplaySize(columns: 20, rows: 4), brightness: percent)
        let device = SimulatedDevice(OLEDModel(chip: .ssd1306, height: 64))
        var display = ReconnectingDisplay(OLEDLink(panel: panel, bus: device), resync: nil)
        _ = display.show(Frame(blank: panel.size), at: OLEDRig.start)
        #expect(device.model.contrast == contrast)
    }
}

@Suite("Recovery of an OLED")
struct OLEDHealingTests {
    private let rows = ["Oxford St N   12:04⇨", "73  Oxford…      due", "390 Archway       4m", "N73 Zürich éè  12:45"]

    @Test("unplugged: reported with the remedy, no transfer between attempts; plugged in again: the newest frame")
    func unplugged() throws {
        var rig = OLEDRig()
        rig.show(rows)
        rig.device.unplug()
        let report = rig.show(["12:05"], after: .seconds(1))
        guard case .absent(let fault) = report.health else { return #expect(Bool(false), "no fault") }
        #expect(fault.description.contains("check SDA, SCL"))
        #expect(report.callAgainAt == OLEDRig.start + .milliseconds(1_100))
        rig.device.resetCounts()
        rig.show(["12:05"], after: .milliseconds(1_050))
        #expect(rig.device.counts.calls == 0)
        #expect(!rig.device.isOpen)
        rig.device.replug()
        rig.show(["12:06"], after: .milliseconds(1_100))
        #expect(rig.lines == rig.frame(["12:06"]).lines)
    }

    @Test(
        "a byte without an acknowledge anywhere in a frame: initialised again at the next attempt",
        arguments: [0, 1, 2, 5, 40, 41, 300])
    func rejectedByte(after count: Int) {
        var rig = OLEDRig()
        rig.show(rows)
        rig.device.nackByte(after: count)
        let next = Array(repeating: "éèbbbbbbbbbbbbbbbbbb", count: 4)
        let report = rig.show(next, after: .seconds(1))
        #expect(report.health != .shown)
        rig.show(next, after: .seconds(2))
        #expect(rig.lines == rig.frame(next).lines)
    }

    @Test("a re-synchronisation repairs each of the 256 stray commands", arguments: [OLEDChip.ssd1306, .sh1106])
    func strayCommands(chip: OLEDChip) {
        /// The dots after a re-synchronisation, and after the next change.
        func pictures(after stray: UInt8?) -> [[[Bool]]] {
            var rig = OLEDRig(chip, resync: .seconds(10))
            rig.show(rows)
            if let stray { rig.device.stray([0x00, stray]) }
            return [(rows, 10), (["12:05"], 11)].map { rows, seconds in
                rig.show(rows, after: .seconds(seconds))
                return rig.device.model.dots
            }
        }
        let undisturbed = pictures(after: nil)
        #expect(undisturbed[0] != undisturbed[1])
        for command in UInt8.min...UInt8.max {
            #expect(pictures(after: command) == undisturbed, "command \(command)")
        }
    }

    @Test(
        "a brown-out of the module is repaired, and its random memory is never visible",
        arguments: [OLEDChip.ssd1306, .sh1106])
    func brownOut(chip: OLEDChip) {
        var rig = OLEDRig(chip, resync: .seconds(10))
        rig.show(rows)
        rig.device.brownOut()
        let frame = rig.frame(rows)
        let size = rig.panel.size
        rig.device.observing { model in
            #expect(!model.isOn || model.cells(size) == frame.rows)
        } during: {
            rig.show(rows, after: .seconds(10))
        }
        #expect(rig.cells == frame.rows)
    }

    @Test("each re-synchronisation moves the picture by one column, over all columns that the text leaves free")
    func shift() {
        var rig = OLEDRig(resync: .seconds(60))
        rig.show(rows)
        var lefts: Set<Int> = []
        for minute in 1...60 {
            rig.show(rows, after: .seconds(60 * minute))
            #expect(rig.lines == rig.frame(rows).lines)
            let columns = rig.device.model.dots.reduce(into: Set<Int>()) { columns, row in
                columns.formUnion(row.indices.filter { row[$0] })
            }
            lefts.formUnion([columns.min() ?? 0])
        }
        #expect(lefts == Set(0...8))
    }

    @Test("closing shows the last frame and closes the bus; the next program starts")
    func close() {
        var rig = OLEDRig()
        rig.show(rows)
        rig.display.close(last: rig.frame(["stopped"]), at: OLEDRig.start)
        #expect(rig.lines == rig.frame(["stopped"]).lines)
        #expect(!rig.device.isOpen)
        var successor = ReconnectingDisplay(OLEDLink(panel: rig.panel, bus: rig.device), resync: nil)
        #expect(successor.show(rig.frame(rows), at: OLEDRig.start).health == .shown)
        #expect(rig.lines == rig.frame(rows).lines)
    }
}

@Suite("An OLED on the bus of this machine")
struct OLEDBusTests {
    @Test("the module is searched at 0x3c and 0x3d by reading, and only that address is written")
    func search() {
        let bus = FakeI2C()
        bus.state.withLock { $0.devices = [0x3D, 0x27] }
        let device = I2CDevice(bus: .path("/dev/i2c-1"), address: .auto, candidates: .oled, library: bus)
        let panel = OLEDPanel(chip: .sh1106, height: 64, size: DisplaySize(columns: 20, rows: 4), brightness: 50)
        var display = ReconnectingDisplay(OLEDLink(panel: panel, bus: device), resync: nil)
        #expect(display.show(Frame(blank: panel.size), at: OLEDRig.start).health == .shown)
        #expect(bus.state.withLock { $0.read } == [0x3C, 0x3D])
        #expect(bus.state.withLock { Set($0.writes.map(\.address)) } == [0x3D])
        #expect(bus.state.withLock { $0.writes.allSatisfy { $0.bytes.count <= 33 } })
    }

    @Test(
        "a configuration without a bus gives a display that reports it",
        arguments: [DisplayWiring.Driver.hd44780, .ssd1306, .sh1106])
    func noBus(driver: DisplayWiring.Driver) {
        var display = HardwareDisplay.make(DisplayWiring(driver: driver, bus: .path("/dev/i2c-nowhere")))
        let report = display.show(Frame(blank: DisplaySize(columns: 20, rows: 4)), at: OLEDRig.start)
        #expect(report.health != .shown)
        #expect(report.callAgainAt == OLEDRig.start + .milliseconds(100))
    }
}
