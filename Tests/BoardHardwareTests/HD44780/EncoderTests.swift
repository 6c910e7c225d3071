import BoardCore
import Glibc
import Testing

@testable import BoardHardware

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

    @Test("16x4 has its lower rows at 10 and 50, and one run per line")
    func sixteenByFour() {
        let map = CellMap(Panel(size: Panel.Size(columns: 16, rows: 4)))
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

@Suite("Finding the expander")
struct AddressSearchTests {
    private func search(
        _ target: DisplayWiring.Address = .auto, responses: [UInt8: Int32], absent: Int32 = 121
    ) -> Result<UInt8, BusFault> {
        Result { () throws(BusFault) in
            var search = AddressSearch(target: target, bus: "/dev/i2c-1")
            return try search.run { responses[$0] ?? absent }
        }
    }

    private func errorNumber(_ result: Result<UInt8, BusFault>) -> Int32? {
        if case .failure(let fault) = result { fault.errno } else { nil }
    }

    @Test("0x27, then 0x3f, then the only other one that responds")
    func order() {
        #expect(search(responses: [0x27: 0, 0x3F: 0, 0x20: 0]) == .success(0x27))
        #expect(search(responses: [0x3F: 0, 0x3C: 0]) == .success(0x3F))
        #expect(search(responses: [0x22: 0]) == .success(0x22))
        #expect(search(responses: [0x3E: 0], absent: 6) == .success(0x3E))
    }

    @Test("among several uncommon addresses none is chosen")
    func ambiguous() {
        let result = search(responses: [0x38: 0, 0x3C: 0])
        #expect(errorNumber(result) == 0)
        if case .failure(let fault) = result { #expect(fault.description.contains("0x38, 0x3c")) }
    }

    @Test("an address that a kernel driver claims is reported")
    func claimed() {
        let result = search(responses: [0x27: 16])
        #expect(errorNumber(result) == EBUSY)
        if case .failure(let fault) = result { #expect(fault.description.contains("0x27 on /dev/i2c-1")) }
        #expect(errorNumber(search(.fixed(0x27), responses: [0x27: 16])) == EBUSY)
        #expect(errorNumber(search(responses: [0x27: 16, 0x38: 0])) == EBUSY)
        #expect(search(responses: [0x27: 16, 0x3F: 0]) == .success(0x3F))
    }

    @Test("no device, and a stuck bus, which is read only once")
    func nothing() {
        #expect(errorNumber(search(responses: [:])) == EREMOTEIO)
        var reads = 0
        let result = Result { () throws(BusFault) in
            var search = AddressSearch(target: .auto, bus: "/dev/i2c-1")
            return try search.run { _ in
                reads += 1
                return 110
            }
        }
        #expect(errorNumber(result) == ETIMEDOUT)
        #expect(reads == 1)
    }

    @Test("after a success only that address is searched: a sensor is never mistaken for an unplugged display")
    func remembered() throws {
        for (display, sensor) in [(UInt8(0x27), UInt8(0x38)), (0x3F, 0x3C), (0x22, 0x27)] {
            var search = AddressSearch(target: .auto, bus: "/dev/i2c-1")
            #expect(throws: BusFault.self) { try search.run { _ in 121 } }
            #expect(try search.run { $0 == display ? 0 : 121 } == display)
            var searched: [UInt8] = []
            #expect(throws: BusFault.self) {
                try search.run { address in
                    searched.append(address)
                    return address == sensor ? 0 : 121
                }
            }
            #expect(searched == [display])
            #expect(try search.run { $0 == display ? 0 : 121 } == display)
        }
    }

    @Test("a fixed address is the only one read")
    func fixed() {
        #expect(search(.fixed(0x21), responses: [0x21: 0, 0x27: 0]) == .success(0x21))
        #expect(errorNumber(search(.fixed(0x21), responses: [0x27: 0])) == EREMOTEIO)
    }
}
