import BoardCore
import Glibc
import Testing

@testable import BoardDisplays

@Suite("Finding a device on the bus")
struct AddressSearchTests {
    private func search(
        _ target: DisplayWiring.Address = .auto, for expander: Expander = .pcf8574, responses: [UInt8: Int32],
        absent: Int32 = 121
    ) -> Result<UInt8, DeviceError> {
        Result { () throws(DeviceError) in
            var search = AddressSearch(target: target, candidates: .init(expander), bus: "/dev/i2c-1")
            return try search.run { responses[$0] ?? absent }
        }
    }

    private func errorNumber(_ result: Result<UInt8, DeviceError>) -> Int32? {
        if case .failure(let fault) = result { fault.errno } else { nil }
    }

    @Test("0x27, then 0x3f, then the only other one that responds")
    func order() {
        #expect(search(responses: [0x27: 0, 0x3F: 0, 0x20: 0]) == .success(0x27))
        #expect(search(responses: [0x3F: 0, 0x3C: 0]) == .success(0x3F))
        #expect(search(responses: [0x22: 0]) == .success(0x22))
        #expect(search(responses: [0x3E: 0], absent: 6) == .success(0x3E))
    }

    @Test(
        "an MCP23008 or MCP23017 is searched at 0x20 to 0x27, first at 0x20", arguments: [Expander.mcp23008, .mcp23017])
    func registers(_ expander: Expander) {
        #expect(search(for: expander, responses: [0x27: 0, 0x20: 0, 0x3F: 0]) == .success(0x20))
        #expect(search(for: expander, responses: [0x24: 0, 0x3F: 0]) == .success(0x24))
        let absent = search(for: expander, responses: [0x3F: 0])
        if case .failure(let fault) = absent { #expect(fault.description.contains("at 0x20–0x27: ")) }
        #expect(errorNumber(absent) == EREMOTEIO)
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
        let absent = search(responses: [:])
        #expect(errorNumber(absent) == EREMOTEIO)
        if case .failure(let fault) = absent { #expect(fault.description.contains("0x20–0x27 or 0x38–0x3f")) }
        var reads = 0
        let result = Result { () throws(DeviceError) in
            var search = AddressSearch(target: .auto, candidates: .init(.pcf8574), bus: "/dev/i2c-1")
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
            var search = AddressSearch(target: .auto, candidates: .init(.pcf8574), bus: "/dev/i2c-1")
            #expect(throws: DeviceError.self) { try search.run { _ in 121 } }
            #expect(try search.run { $0 == display ? 0 : 121 } == display)
            var searched: [UInt8] = []
            #expect(throws: DeviceError.self) {
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
