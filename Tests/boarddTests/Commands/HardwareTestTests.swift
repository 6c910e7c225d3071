import BoardCore
import BoardIO
import Logging
import PanelModel
import ServiceLifecycle
import Testing
import Waiting

@testable import BoardDisplays
@testable import boardd

@Suite("The pictures and presses of boardd hardware test", .endsHangs)
struct HardwareTestTests {
    private static func panel(_ size: DisplaySize, _ rom: CharacterROM) -> Panel {
        let pins = PinMap(rs: 0, e: 2, e2: size.columns * size.rows > 80 ? 1 : nil, backlight: 3, data: [4, 5, 6, 7])
        return Panel(size: size, rom: rom, pins: pins)
    }

    @Test("every picture is drawn as it is described, on every size with each ROM", arguments: DisplaySize.lcd)
    func pictures(size: DisplaySize) throws {
        for rom in CharacterROM.allCases {
            let panel = Self.panel(size, rom)
            let expander = SimulatedExpander(panel: panel)
            var display = HD44780Display(panel: panel, resync: nil, bus: expander)
            var screens: [[String]] = []
            var lights: [Bool] = []
            for picture in TestPicture.all(for: DisplayWiring(panel: panel)) {
                _ = display.show(picture.frame, at: expander.now)
                screens.append(expander.screen)
                lights.append(expander.isLit)
            }
            try #require(screens.count == 6)
            #expect(screens[0].joined() == String(repeating: "█", count: size.columns * size.rows))
            #expect(screens[1].compactMap { $0.first?.wholeNumberValue } == Array(1...size.rows))
            #expect(screens[1].compactMap { $0.last?.wholeNumberValue } == Array(1...size.rows))
            #expect(screens[1][0].contains("\(size)"))
            #expect(screens[2][0].hasPrefix(rom == .a00 ? "ROM →°  " : "ROM ~ß  "))
            #expect(screens[3][0].hasPrefix("⇨ ~ … ✗ ⚠ é"))
            #expect(lights == [true, true, true, true, false, true])
        }
    }

    @Test("an OLED shows every picture as it is described", arguments: [DisplayWiring.Driver.ssd1306, .sh1106])
    func oled(driver: DisplayWiring.Driver) throws {
        let chip: OLEDChip = driver == .sh1106 ? .sh1106 : .ssd1306
        let device = SimulatedDevice(OLEDModel(chip: driver == .sh1106 ? .sh1106 : .ssd1306, height: 64))
        for size in DisplaySize.oled(dotRows: 64) {
            let panel = OLEDPanel(chip: chip, height: 64, size: size, brightness: 50)
            var display = ReconnectingDisplay(OLEDLink(panel: panel, bus: device), resync: nil)
            var screens: [[String]] = []
            for picture in TestPicture.all(for: DisplayWiring(driver: driver, panel: Panel(size: size))) {
                _ = display.show(picture.frame, at: Instant(microseconds: 0))
                screens.append(device.model.cells(size).map { String($0) })
            }
            try #require(screens.count == 5)
            #expect(screens[0].joined() == String(repeating: "█", count: 20 * size.rows))
            #expect(screens[1].compactMap { $0.last?.wholeNumberValue } == Array(1...size.rows))
            #expect(screens[2][0].hasPrefix("⇨ ~ … ✗ ⚠ é"))
            #expect(screens[3].joined().allSatisfy { $0 == " " })
            #expect(screens[4][0].hasPrefix("Light on"))
        }
    }

    @Test(
        "LED modules show every picture as it is described, and each module has characters of its own",
        arguments: [(LEDModules.Kind.segments, 8), (.segments, 4), (.wideMatrix, 8), (.wideMatrix, 6), (.matrix, 8)])
    func leds(kind: LEDModules.Kind, count: Int) throws {
        let modules = LEDModules(kind: kind, addresses: Array(LEDModules.addresses.prefix(count)))
        for size in modules.sizes {
            let devices = modules.addresses.map { _ in SimulatedDevice(HT16K33Model()) }
            let link = LEDLink(panel: LEDPanel(modules: modules, size: size, brightness: 50), buses: devices)
            var display = ReconnectingDisplay(link, resync: nil)
            let pictures = TestPicture.all(
                for: DisplayWiring(driver: .ht16k33, panel: Panel(size: size), modules: modules))
            var screens: [[String]] = []
            for picture in pictures {
                _ = display.show(picture.frame, at: Instant(microseconds: 0))
                screens.append(LEDPicture.lines(devices.map(\.model), of: kind, size))
            }
            try #require(screens.count == 4)
            #expect(screens[0].joined() == String(repeating: "█", count: size.columns * size.rows))
            #expect(Set(screens[1].joined()).count == min(36, size.columns * size.rows))
            #expect(pictures[1].expected.hasPrefix(screens[1].joined(separator: ", then ")))
            #expect(screens[2].joined().allSatisfy { $0 == " " })
            #expect(screens[3][0].uppercased().hasPrefix("LIGHT ON"))
        }
    }

    @Test("a press is in the last row of every size, of which a single row has nothing else")
    func lastRow() {
        for rows in [1, 2, 8] {
            let lines = TestPicture.buttons(DisplaySize(columns: 16, rows: rows), last: "button 1: short").frame.lines
            #expect(lines.last == "button 1: short ")
            #expect(rows == 1 || lines.first == "Press a button  ")
        }
        let waiting = TestPicture.buttons(DisplaySize(columns: 16, rows: 1), last: "").frame.lines
        #expect(waiting == ["Press a button  "])
    }

    @Test("the codes of the ROM picture are 7E and DF, whichever ROM is configured")
    func codes() {
        for configured in CharacterROM.allCases {
            let panel = Panel(size: DisplaySize(columns: 20, rows: 4), rom: configured)
            let picture = TestPicture.all(for: DisplayWiring(panel: panel))[2].frame.rows[0]
            #expect(picture.dropFirst(4).prefix(2).map(configured.code) == [0x7E, 0xDF])
        }
    }

    @Test("each press is printed with its gesture and its action, and is on the display after the pictures")
    func presses() throws {
        let start = Instant(microseconds: 0)
        let button = ButtonID(0)
        func course(_ driver: DisplayWiring.Driver) -> HardwareTestCourse {
            HardwareTestCourse(
                DisplayWiring(driver: driver), bindings: [ButtonBinding()], pause: .seconds(4), at: start)
        }
        var test = course(.none)
        #expect(test.advance(to: start).count == 2)
        #expect(test.nextWake(after: start) == nil && !test.isOver)
        _ = test.handle(ButtonChange(button: button, isDown: true, at: start + .seconds(1)))
        #expect(test.handle(ButtonChange(button: button, isDown: false, at: start + .milliseconds(1_100))) == [])
        let wake = try #require(test.nextWake(after: start + .milliseconds(1_100)))
        #expect(wake == start + .milliseconds(1_400))
        let steps = test.advance(to: wake)
        #expect(steps.last == .print("button 1: short, which does: next"))
        guard case .show(let frame) = steps.first else {
            Issue.record("\(steps)")
            return
        }
        #expect(frame.lines.last?.hasPrefix("button 1: short ") == true)
        // During the pictures a press is only printed.
        var pictures = course(.hd44780)
        #expect(pictures.advance(to: start).count == 2)
        _ = pictures.handle(ButtonChange(button: button, isDown: true, at: start))
        let held = pictures.handle(ButtonChange(button: button, isDown: false, at: start + .seconds(1)))
        #expect(held == [.print("button 1: hold, which does: open")])
        #expect(pictures.nextWake(after: start + .seconds(1)) == start + .seconds(4))
    }

    @Test("without a button the test ends after the pictures, with its last frame on the display")
    func end() async throws {
        let panel = Self.panel(DisplaySize(columns: 40, rows: 4), .a00)
        let wiring = DisplayWiring(panel: panel)
        let bus = SimulatedExpander(panel: panel)
        let clock = SystemClock()
        let display = try DisplayService(
            { HD44780Display(panel: panel, resync: nil, bus: bus) }, clock: clock, log: CapturedLog().rateLimited())
        let service = HardwareTestService(
            HardwareTestCourse(wiring, bindings: [], pause: .milliseconds(1), at: clock.now()),
            last: TestPicture.end(panel.size), mailbox: try Mailbox(), clock: clock, display: display)
        let group = ServiceGroup(
            configuration: ServiceGroupConfiguration(
                services: [
                    .init(service: display),
                    .init(service: service, successTerminationBehavior: .gracefullyShutdownGroup),
                ], logger: Logger(label: "services") { _ in SwiftLogNoOpLogHandler() }))
        try await group.run()
        #expect(bus.screen[0].hasPrefix("Test ended "))
        #expect(bus.isAtRest && service.outputFailure == nil)
    }
}
