import BoardCore
import Testing

@testable import BoardDisplays

@Suite("Port bytes")
struct EncoderTests {
    @Test("an instruction is two nibbles of two bytes each; the first data costs one byte more, for RS")
    func bytes() {
        var port = PortEncoder(pins: .standard, speed: 100_000)
        port.settle()
        #expect(port.take() == [0xFB, 0x08])
        port.instruction(0x80)
        #expect(port.take() == [0x8C, 0x88, 0x0C, 0x08])
        port.data(0x41)
        #expect(port.take() == [0x09, 0x4D, 0x49, 0x1D, 0x19])
        port.data(0x42)
        #expect(port.take() == [0x4D, 0x49, 0x2D, 0x29])
    }

    @Test("of two controllers one or both receive a byte; each is padded only for its own last byte")
    func twoControllers() {
        var port = PortEncoder(pins: Panel.fortyByFour.pins, speed: 400_000)
        port.settle()
        #expect(port.take() == [0xF9, 0x08])
        port.nibble(3)
        #expect(port.take() == [0x3E, 0x38])
        port.instruction(0x80, to: 1)
        #expect(port.take() == [0x8A, 0x88, 0x0A, 0x08])
        port.instruction(0x80, to: 0)
        #expect(port.take() == [0x8C, 0x88, 0x0C, 0x08])
        port.instruction(0x06, to: 0)
        #expect(port.take() == [0x08, 0x0C, 0x08, 0x6C, 0x68])
        port.instruction(0x06)
        #expect(port.take() == [0x08, 0x0E, 0x08, 0x6E, 0x68])
    }

    @Test("pins 8 to 15 are a port of their own; lines without a pin stay low")
    func secondPort() {
        let pins = PinMap(expander: .mcp23017, rs: 15, e: 13, data: [12, 11, 10, 9])
        var port = PortEncoder(pins: pins, speed: 100_000)
        port.data(0x18)
        #expect(port.take() == [0x80, 0xB0, 0x90, 0xA2, 0x82])
    }

    @Test("a port of unknown state gets RS first")
    func unknownSelection() {
        var port = PortEncoder(pins: .standard, speed: 100_000)
        port.nibble(3)
        #expect(port.take() == [0x08, 0x3C, 0x38])
    }

    @Test("other pins, backlight active low")
    func otherPins() throws {
        let pins = try #require(PinMap.named["mjkdz"])
        var port = PortEncoder(pins: pins, speed: 100_000)
        port.data(0xA5)
        #expect(port.take() == [0x40, 0x5A, 0x4A, 0x55, 0x45])
        port.isLit = false
        port.idle()
        #expect(port.take() == [0xC0])
    }

    @Test(
        "padding by the speed of the bus",
        arguments: [(10_000, 0), (100_000, 0), (200_000, 0), (400_000, 1), (1_000_000, 5)])
    func padding(speed: Int, bytes: Int) {
        #expect(PortEncoder.padding(at: speed) == bytes)
    }

    @Test("one address for a complete 20x4, in the order 0, 2, 1, 3")
    func oneRun() {
        let map = CellMap(.twentyByFour)
        let codes = (0..<80).map { UInt8($0 / 20) }
        let runs = map.runs(from: nil, to: codes)
        #expect(runs.map(\.address) == [0x00])
        #expect(runs.first?.codes == [0, 2, 1, 3].flatMap { Array(repeating: UInt8($0), count: 20) })
    }

    @Test("the lower rows of a 40x4 are the second controller's, without a run across both")
    func twoRuns() {
        let runs = CellMap(.fortyByFour).runs(from: nil, to: (0..<160).map { UInt8($0 / 40) })
        #expect(runs.map(\.controller) == [0, 1])
        #expect(runs.map(\.address) == [0x00, 0x00])
        #expect(runs.map(\.codes) == [[0, 1], [2, 3]].map { $0.flatMap { Array(repeating: $0, count: 40) } })
    }

    @Test("16x4 has its lower rows at 10 and 50, and one run per line")
    func sixteenByFour() {
        let map = CellMap(Panel(size: DisplaySize(columns: 16, rows: 4)))
        let runs = map.runs(from: nil, to: Array(repeating: 0x41, count: 64))
        #expect(runs.map(\.address) == [0x00, 0x40])
        #expect(runs.map(\.codes.count) == [32, 32])
    }

    @Test("cells at the ends of two lines are not neighbours where hidden memory lies between")
    func hiddenMemory() {
        let map = CellMap(.sixteenByTwo)
        let old = [UInt8](repeating: 0x20, count: 32)
        var new = old
        new[15] = 0x41
        new[16] = 0x42
        #expect(map.runs(from: old, to: new).map(\.address) == [0x0F, 0x40])
    }
}
