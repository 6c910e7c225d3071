import BoardCore
import PanelModel
import Synchronization
import Testing

@testable import BoardDisplays

/// A driver and modelled LED modules.
struct LEDRig {
    typealias Device = SimulatedDevice<HT16K33Model>

    let panel: LEDPanel
    let devices: [Device]
    var display: ReconnectingDisplay<LEDLink<Device>>

    init(_ kind: LEDModules.Kind, count: Int, size: DisplaySize, brightness: Int = 50, resync: Duration? = .seconds(60))
    {
        panel = LEDPanel(
            modules: LEDModules(kind: kind, addresses: (0..<UInt8(count)).map { 0x70 + $0 }), size: size,
            brightness: brightness)
        devices = (0..<count).map { _ in Device(HT16K33Model()) }
        display = ReconnectingDisplay(LEDLink(panel: panel, buses: devices), resync: resync)
    }

    static let start = Instant(microseconds: 0)

    /// What the modules show, row by row.
    var lines: [String] { LEDPicture.lines(devices.map(\.model), of: panel.modules.kind, panel.size) }

    @discardableResult
    mutating func show(_ rows: [String], isLit: Bool = true, after: Duration = .zero) -> DisplayReport {
        display.show(frame(rows, isLit: isLit), at: Self.start + after)
    }

    func frame(_ rows: [String], isLit: Bool = true) -> Frame {
        let blank = Array(repeating: "", count: max(0, panel.size.rows - rows.count))
        return Frame(columns: panel.size.columns, rows: rows + blank, isLit: isLit)
    }

    var violations: [String] { devices.flatMap(\.model.violations) }

    mutating func resetCounts() { for device in devices { device.resetCounts() } }
    var counts: [Int] { devices.map(\.counts.bytes) }
}

@Suite("Frames on LED modules")
struct LEDTests {
    @Test("eight modules of four characters show two rows, in capitals")
    func segments() {
        var rig = LEDRig(.segments, count: 8, size: DisplaySize(columns: 16, rows: 2))
        #expect(rig.show(["73  Oxford   due", "N73 Zürich?13:10"]).health == .shown)
        #expect(rig.lines == ["73  OXFORD   DUE", "N73 ZURICH?13:10"])
        #expect(rig.violations.isEmpty)
    }

    @Test("four modules show one row")
    func oneRow() {
        var rig = LEDRig(.segments, count: 4, size: DisplaySize(columns: 16, rows: 1))
        rig.show(["8   City A1  *4m"])
        #expect(rig.lines == ["8   CITY A1  *4M"])
    }

    @Test(
        "matrices show the wide font where it fits, else the narrow one",
        arguments: [(LEDModules.Kind.wideMatrix, 8, 21, 1), (.wideMatrix, 6, 16, 1), (.wideMatrix, 7, 18, 1)])
    func wideMatrix(kind: LEDModules.Kind, count: Int, columns: Int, rows: Int) {
        var rig = LEDRig(kind, count: count, size: DisplaySize(columns: columns, rows: rows))
        rig.show(["73  Zürich   due"])
        #expect(rig.lines == rig.frame(["73  Zürich   due"]).lines)
        #expect(rig.violations.isEmpty)
    }

    @Test(
        "matrices with few columns show capitals of the narrow font",
        arguments: [
            (LEDModules.Kind.wideMatrix, 8, 16, 2), (.wideMatrix, 4, 16, 1), (.wideMatrix, 5, 20, 1),
            (.matrix, 8, 16, 1),
        ])
    func narrowMatrix(kind: LEDModules.Kind, count: Int, columns: Int, rows: Int) {
        var rig = LEDRig(kind, count: count, size: DisplaySize(columns: columns, rows: rows))
        let texts = Array(["73  Oxford   due", "N73 Zürich?13:10"].prefix(rows))
        rig.show(texts)
        #expect(rig.lines == rig.frame(Array(["73  OXFORD   DUE", "N73 ZURICH?13:10"].prefix(rows))).lines)
        #expect(rig.violations.isEmpty)
    }

    @Test("modules are dark until their memory is complete, and in the dark")
    func light() {
        var rig = LEDRig(.segments, count: 4, size: DisplaySize(columns: 16, rows: 1))
        let frame = rig.frame(["73  OXFORD   DUE"])
        rig.devices[0].observing { model in
            #expect(!model.isOn || LEDPicture.characters([model]) == Array("73  "))
        } during: {
            rig.show(["73  OXFORD   DUE"])
        }
        rig.resetCounts()
        rig.show(["73  OXFORD   DUE"], isLit: false)
        #expect(rig.lines == [String(repeating: " ", count: 16)])
        rig.show(["73  OXFORD   DUE"])
        #expect(rig.lines == frame.lines)
        #expect(rig.counts == [2, 2, 2, 2])
    }

    @Test("only the changed bytes of the changed module are sent")
    func cost() {
        var rig = LEDRig(.segments, count: 4, size: DisplaySize(columns: 16, rows: 1))
        rig.show(["73  OXFORD    9M"])
        rig.resetCounts()
        rig.show(["73  OXFORD    9M"])
        #expect(rig.counts == [0, 0, 0, 0])
        rig.show(["73  OXFORD    8M"])
        // An address, and one or two bytes of a character.
        #expect(rig.counts.dropLast() == [0, 0, 0])
        #expect((2...3).contains(rig.counts.last ?? 0))
    }

    @Test("brightness in percent is one of sixteen steps", arguments: [(1, 1), (50, 8), (99, 16), (100, 16)])
    func brightness(percent: Int, sixteenths: Int) {
        var rig = LEDRig(.segments, count: 4, size: DisplaySize(columns: 16, rows: 1), brightness: percent)
        rig.show(["12:04"])
        #expect(rig.devices.allSatisfy { $0.model.brightness == sixteenths })
    }

    @Test(
        "the sizes of modules follow from their number and kind",
        arguments: [
            (LEDModules.Kind.segments, 3, []), (.segments, 4, ["16x1"]), (.segments, 5, ["20x1"]),
            (.segments, 8, ["16x2", "32x1"]), (.wideMatrix, 3, []), (.wideMatrix, 4, ["16x1"]),
            (.wideMatrix, 6, ["16x1"]), (.wideMatrix, 8, ["16x2", "21x1"]), (.matrix, 7, []), (.matrix, 8, ["16x1"]),
        ] as [(LEDModules.Kind, Int, [String])])
    func sizes(kind: LEDModules.Kind, count: Int, sizes: [String]) {
        let modules = LEDModules(kind: kind, addresses: (0..<UInt8(count)).map { 0x70 + $0 })
        #expect(modules.sizes.map(\.description) == sizes)
    }
}

@Suite("Recovery of LED modules")
struct LEDHealingTests {
    private func rig(resync: Duration? = .seconds(60)) -> LEDRig {
        LEDRig(.segments, count: 4, size: DisplaySize(columns: 16, rows: 1), resync: resync)
    }

    @Test("a module that fails does not stop the others, and shows its part again when it is back")
    func oneModule() {
        var rig = rig()
        rig.show(["AAAABBBBCCCCDDDD"])
        rig.devices[1].unplug()
        let report = rig.show(["EEEEFFFFGGGGHHHH"], after: .seconds(1))
        guard case .absent(let fault) = report.health else { return #expect(Bool(false), "no fault") }
        #expect(fault.description.contains("acknowledge"))
        #expect(rig.lines == ["EEEE    GGGGHHHH"])
        rig.show(["IIIIJJJJKKKKLLLL"], after: .seconds(2))
        #expect(rig.lines == ["IIII    KKKKLLLL"])
        rig.devices[1].replug()
        #expect(rig.show(["MMMMNNNNOOOOPPPP"], after: .seconds(10)).health == .shown)
        #expect(rig.lines == ["MMMMNNNNOOOOPPPP"])
    }

    @Test("a re-synchronisation repairs each of the 256 stray commands, a changed memory and a brown-out")
    func strayCommands() {
        for command in UInt8.min...UInt8.max {
            var rig = rig(resync: .seconds(10))
            rig.show(["73  OXFORD   DUE"])
            rig.devices[2].stray([command, 0x55])
            rig.devices[3].brownOut()
            rig.show(["73  OXFORD   DUE"], after: .seconds(10))
            #expect(rig.lines == ["73  OXFORD   DUE"], "command \(command)")
            #expect(rig.devices.allSatisfy { $0.model.brightness == 8 })
        }
    }

    @Test("a fault of a module on the machine's bus names its address")
    func address() {
        let bus = FakeI2C()
        bus.state.withLock { $0.devices = [0x70, 0x72] }
        let modules = LEDModules(kind: .segments, addresses: [0x70, 0x71, 0x72, 0x73])
        let devices = modules.addresses.map { address in
            I2CDevice(bus: .path("/dev/i2c-1"), address: .fixed(address), candidates: .none, library: bus)
        }
        let size = DisplaySize(columns: 16, rows: 1)
        let link = LEDLink(panel: LEDPanel(modules: modules, size: size, brightness: 50), buses: devices)
        var display = ReconnectingDisplay(link, resync: nil)
        let report = display.show(Frame(blank: size), at: LEDRig.start)
        guard case .absent(let fault) = report.health else { return #expect(Bool(false), "no fault") }
        #expect(fault.description.hasPrefix("no device acknowledges at 0x71 on /dev/i2c-1: check SDA, SCL"))
        #expect(bus.state.withLock { $0.read } == modules.addresses)
        #expect(bus.state.withLock { Set($0.writes.map(\.address)) } == [0x70, 0x72])
    }
}
