import BoardCore
import BoardDisplays
import PanelModel
import Testing

/// Verifies the model itself: facts of the data sheet, with bytes written by hand, without the driver.
@Suite("The model of an HD44780")
struct ModelTests {
    private let bus = SimulatedExpander(panel: Panel(size: DisplaySize(columns: 16, rows: 2)), timing: .typical)

    private func send(_ value: UInt8, rs: UInt8 = 0) throws {
        let (high, low) = (value & 0xF0 | 8 | rs, value << 4 | 8 | rs)
        try bus.write([8 | rs, high | 4, high, low | 4, low])
    }

    /// E low, then R/W low, `pause` after power-on.
    private func settle(after pause: Duration = .milliseconds(50)) throws {
        bus.wait(pause)
        try bus.write([0xFB, 0x08])
    }

    private func start() throws {
        try settle()
        for nibble: UInt8 in [0x30, 0x30, 0x30, 0x20] {
            try bus.write([0x08, nibble | 0x0C, nibble | 0x08])
            bus.wait(.milliseconds(5))
        }
        try send(0x28)
        try send(0x0C)
        try send(0x01)
        bus.wait(.milliseconds(3))
    }

    @Test("a hand-written start and two letters")
    func byHand() throws {
        try start()
        try send(0x41, rs: 1)
        try send(0x42, rs: 1)
        #expect(bus.screen == ["AB              ", "                "])
        #expect(bus.violations.isEmpty)
        #expect(bus.isLit)
    }

    @Test("the address counter goes from 27 to 40 and from 67 to 00")
    func wrap() throws {
        try start()
        try send(0x80 | 0x27)
        for letter in "xAB".utf8 { try send(letter, rs: 1) }
        #expect(bus.screen == ["                ", "AB              "])
        try send(0x80 | 0x67)
        for letter in "xCD".utf8 { try send(letter, rs: 1) }
        #expect(bus.screen == ["CD              ", "AB              "])
    }

    @Test("a display shift moves the visible cells, home undoes it")
    func shift() throws {
        try start()
        for letter in "AB".utf8 { try send(letter, rs: 1) }
        try send(0x18)
        #expect(bus.screen[0] == "B               ")
        try send(0x02)
        #expect(bus.screen[0] == "AB              ")
    }

    @Test("A00 draws 7E as an arrow, 5C as a yen, DF as a degree")
    func rom() throws {
        try start()
        for code: UInt8 in [0x7E, 0x5C, 0xDF] { try send(code, rs: 1) }
        #expect(bus.screen[0] == "→¥°             ")
    }

    @Test("an instruction after a clear without a pause is lost and recorded")
    func busy() throws {
        try start()
        try send(0x01)
        try send(0x41, rs: 1)
        #expect(bus.screen[0] == "                ")
        #expect(!bus.violations.isEmpty)
    }

    @Test("RS that changes at the rising edge of E is recorded, and so are data that change at its falling edge")
    func setUp() throws {
        try start()
        try bus.write([0x08, 0x4D, 0x49])
        #expect(bus.violations == [.addressSetUp])
        bus.resetCounts()
        try bus.write([0x1D, 0x29])
        #expect(bus.violations == [.hold])
    }

    @Test("R/W that changes at the falling edge of E is recorded: after power-on all pins are high")
    func allHigh() throws {
        try bus.write([0x08])
        #expect(bus.violations == [.hold])
    }

    @Test("after power-on the first function set takes 4.1 ms")
    func slowStart() throws {
        try settle()
        try bus.write([0x08, 0x3C, 0x38])
        bus.wait(.milliseconds(1))
        try bus.write([0x3C, 0x38])
        #expect(bus.violations.count == 1)
    }

    @Test("an instruction in the first 40 ms after power-on is lost")
    func powerOn() throws {
        try settle(after: .milliseconds(30))
        try bus.write([0x08, 0x3C, 0x38])
        #expect(bus.violations.count == 1)
    }

    @Test("more than 33 port bytes exceed one call")
    func tooLong() {
        #expect(throws: DeviceError.self) { try bus.write(Array(repeating: 8, count: 34)) }
        #expect(throws: DeviceError.self) { try bus.write([]) }
    }
}
