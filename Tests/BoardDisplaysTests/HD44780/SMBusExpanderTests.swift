import BoardCore
import FoundationEssentials
import Glibc
import Synchronization
import Testing

@testable import BoardDisplays

@Suite("The I2C bus of this machine")
struct SMBusExpanderTests {
    @Test("the error for a missing bus explains how to enable it")
    func noBus() {
        var expander = SMBusExpander(bus: .path("/dev/i2c-nowhere"))
        let fault = #expect(throws: DeviceError.self) { try expander.open() }
        #expect(fault?.errno == ENOENT)
        #expect(fault?.description.contains("dtparam=i2c_arm=on") == true)
    }

    @Test("a device that is not an I2C bus is rejected before any transfer")
    func notABus() {
        var expander = SMBusExpander(bus: .path("/dev/null"))
        let fault = #expect(throws: DeviceError.self) { try expander.open() }
        #expect(fault?.errno == ENOTTY)
    }

    @Test("a write to a bus that is not open is a fault")
    func notOpen() {
        var expander = SMBusExpander()
        let fault = #expect(throws: DeviceError.self) { try expander.write([0]) }
        #expect(fault?.errno == ENODEV)
    }

    @Test("after a success only that address is searched: a sensor gets no bytes while the display is away")
    func remembered() {
        let bus = FakeI2C()
        bus.state.withLock { $0.devices = [0x3F] }
        let expander = SMBusExpander(bus: .path("/dev/i2c-1"), address: .auto, library: bus)
        var display = HD44780Display(panel: .twentyByFour, resync: nil, bus: expander)
        var now = Instant(microseconds: 0)
        var lit = Frame(blank: Panel.twentyByFour.size)
        #expect(display.show(lit, at: now).health == .shown)
        #expect(bus.state.withLock { Set($0.writes.map(\.address)) } == [0x3F])
        bus.state.withLock { state in
            // The display is unplugged, and a sensor at the other common address stays.
            state.devices = [0x27]
            state.read = []
            state.writes = []
        }
        for _ in 0..<5 {
            lit.isLit.toggle()
            let report = display.show(lit, at: now)
            #expect(report.health != .shown)
            now = report.callAgainAt ?? now
        }
        #expect(bus.state.withLock { $0.read } == Array(repeating: 0x3F, count: 4))
        #expect(bus.state.withLock { Set($0.writes.map(\.address)) } == [0x3F])
        bus.state.withLock { _ = $0.devices.insert(0x3F) }
        #expect(display.show(lit, at: now).health == .shown)
        #expect(bus.state.withLock { Set($0.writes.map(\.address)) } == [0x3F])
        #expect(bus.state.withLock { $0.isOpen })
    }

    @Test("the clock is read from the device tree, most significant byte first")
    func clock() throws {
        #expect(BusClock.decode([0x00, 0x06, 0x1A, 0x80]) == 400_000)
        #expect(BusClock.decode([0, 0, 0, 0]) == nil)
        let root = FileManager.default.temporaryDirectory.appending(
            path: "boardd-clock-\(UInt64.random(in: 0...UInt64.max))")
        let node = root.appending(path: "i2c-7/of_node")
        try FileManager.default.createDirectory(at: node, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: root) }
        try Data([0x00, 0x01, 0x86, 0xA0]).write(to: node.appending(path: "clock-frequency"))
        #expect(BusClock.ofBus(at: "/dev/i2c-7", root: root.path) == 100_000)
        #expect(BusClock.ofBus(at: "/dev/i2c-8", root: root.path) == nil)
    }

    @Test("back-off is 0.1 s, doubled up to 5 s; 3 s while a line is stuck")
    func backOff() {
        func delays(_ errno: Int32) -> [Duration] {
            var outage = ReconnectBackoff()
            let now = Instant(microseconds: 1_000)
            return (0..<8).map { _ in
                outage.extend(by: DeviceError(errno: errno, bus: "/dev/i2c-1"), at: now)
                return outage.nextTry - now
            }
        }
        #expect(delays(121) == [100, 200, 400, 800, 1_600, 3_200, 5_000, 5_000].map { .milliseconds($0) })
        #expect(delays(110) == [100, 200, 400, 800, 1_600, 3_000, 3_000, 3_000].map { .milliseconds($0) })
    }
}
