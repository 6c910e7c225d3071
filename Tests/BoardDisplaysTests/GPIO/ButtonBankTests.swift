import BoardCore
import Glibc
import Synchronization
import Testing

@testable import BoardDisplays

@Suite("Buttons on GPIO lines")
struct ButtonBankTests {
    private let header = "/dev/gpiochip0"
    private let expander = "/dev/gpiochip1"
    private let time = FakeClock()

    private func gpio(hasDescriptorPerLine: Bool = false) -> FakeGPIO {
        FakeGPIO(hasDescriptorPerLine: hasDescriptorPerLine, [header: "pinctrl-rp1", expander: "gpio-sim-lab"])
    }

    private func bank(_ gpio: FakeGPIO, _ wirings: ButtonWiring...) throws -> ButtonBank {
        try ButtonBank(wirings, library: gpio, clock: time.clock)
    }

    /// Reads every descriptor and settles at `milliseconds`.
    private func turn(_ bank: inout ButtonBank, at milliseconds: Int64) throws -> [ButtonChange] {
        time.set(milliseconds)
        var changes: [ButtonChange] = []
        for descriptor in bank.descriptors {
            var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&entry, 1, 0) > 0 { changes += try bank.read(descriptor) }
        }
        return changes + (try bank.settle(at: Instant(microseconds: milliseconds * 1_000)))
    }

    /// The monotonic time stamp of an edge; boot time is 5 s ahead of it.
    private func stamp(_ milliseconds: UInt64) -> UInt64 {
        (milliseconds - 5_000) * 1_000_000
    }

    private func change(_ button: Int, _ isDown: Bool, _ milliseconds: Int64) -> ButtonChange {
        ButtonChange(button: ButtonID(button), isDown: isDown, at: Instant(microseconds: milliseconds * 1_000))
    }

    @Test("an edge becomes a change after 10 ms, in boot time", arguments: [false, true])
    func press(_ hasDescriptorPerLine: Bool) throws {
        let gpio = gpio(hasDescriptorPerLine: hasDescriptorPerLine)
        var bank = try bank(gpio, ButtonWiring())
        #expect(bank.deadline == nil)
        gpio.set(17, of: header, true, at: stamp(6_000))
        #expect(try turn(&bank, at: 6_001) == [])
        #expect(bank.deadline == Instant(microseconds: 6_010_000))
        #expect(try turn(&bank, at: 6_010) == [change(0, true, 6_000)])
        #expect(bank.deadline == nil)
    }

    @Test("buttons on two chips keep their indices", arguments: [false, true])
    func severalChips(_ hasDescriptorPerLine: Bool) throws {
        let gpio = gpio(hasDescriptorPerLine: hasDescriptorPerLine)
        var bank = try bank(
            gpio, ButtonWiring(line: 17), ButtonWiring(chip: .named("gpio-sim-lab"), line: 17, pull: .none),
            ButtonWiring(chip: .named(header), line: 27, pull: .down))
        #expect(bank.descriptors.count == (hasDescriptorPerLine ? 3 : 2))
        let requests = gpio.requests.withLock { $0.map(\.lines) }
        #expect(
            requests == [
                [.init(offset: 17, pull: .up), .init(offset: 27, pull: .down)], [.init(offset: 17, pull: .none)],
            ])
        gpio.set(27, of: header, true, at: stamp(6_000))
        gpio.set(17, of: expander, true, at: stamp(6_001))
        gpio.set(17, of: header, true, at: stamp(6_002))
        #expect(try turn(&bank, at: 6_011) == [change(2, true, 6_000), change(1, true, 6_001)])
        #expect(try turn(&bank, at: 6_012) == [change(0, true, 6_002)])
    }

    @Test("a button held at the start sends no change until it is released")
    func heldAtStart() throws {
        let gpio = gpio()
        gpio.set(17, of: header, true)
        var bank = try bank(gpio, ButtonWiring())
        gpio.set(17, of: header, false, at: stamp(6_000))
        #expect(try turn(&bank, at: 6_010) == [])
        gpio.set(17, of: header, true, at: stamp(7_000))
        #expect(try turn(&bank, at: 7_010) == [change(0, true, 7_000)])
    }

    @Test("two equal edges cause one read of the level; alternating edges do not")
    func equalEdges() throws {
        let gpio = gpio()
        var bank = try bank(gpio, ButtonWiring())
        gpio.set(17, of: header, true, at: stamp(6_000))
        #expect(try turn(&bank, at: 6_010) == [change(0, true, 6_000)])
        #expect(gpio.state.withLock { $0.levelReads } == 1)
        gpio.set(17, of: header, true, at: stamp(6_500))
        gpio.set(17, of: header, false)
        #expect(try turn(&bank, at: 6_510) == [change(0, false, 6_500)])
        #expect(gpio.state.withLock { $0.levelReads } == 2)
    }

    @Test("a gap in the sequence numbers causes a read of the level")
    func gap() throws {
        let gpio = gpio()
        var bank = try bank(gpio, ButtonWiring())
        gpio.set(17, of: header, true, at: stamp(6_000), sequence: 1)
        gpio.set(17, of: header, false, at: stamp(6_001), sequence: 2)
        gpio.set(17, of: header, true, at: stamp(6_002), sequence: 5)
        gpio.set(17, of: header, false)
        #expect(try turn(&bank, at: 6_012) == [])
        #expect(gpio.state.withLock { $0.levelReads } == 2)
    }

    @Test("a full queue of libgpiod 1.6 causes a read of the level: later edges are lost")
    func fullQueue() throws {
        let gpio = gpio(hasDescriptorPerLine: true)
        var bank = try bank(gpio, ButtonWiring())
        for edge in UInt64(0)..<17 {
            gpio.set(17, of: header, edge % 2 == 0, at: stamp(6_000) + edge * 100_000)
        }
        #expect(try turn(&bank, at: 6_005) == [])
        let expected = ButtonChange(button: ButtonID(0), isDown: true, at: Instant(microseconds: 6_001_500))
        #expect(try turn(&bank, at: 6_015) == [expected])
        #expect(gpio.state.withLock { $0.levelReads } == 2)
    }

    @Test("edges with wall-clock time stamps, as of old kernels, get the time of their reading")
    func wallClock() throws {
        let gpio = gpio()
        var bank = try bank(gpio, ButtonWiring())
        gpio.set(17, of: header, true, at: 1_721_058_064_000_000_000)
        #expect(try turn(&bank, at: 6_000) == [])
        #expect(try turn(&bank, at: 6_010) == [change(0, true, 6_000)])
    }

    @Test("a line in use is an error that names the line and its consumer, and releases the others")
    func lineInUse() throws {
        let gpio = gpio()
        gpio.state.withLock { $0.users = ["\(expander):5": "gpio-keys"] }
        let fault = #expect(throws: DeviceError.self) {
            try bank(gpio, ButtonWiring(), ButtonWiring(chip: .named("gpio-sim-lab"), line: 5))
        }
        let text = fault?.description ?? ""
        #expect(text.contains("line 5 of /dev/gpiochip1 [gpio-sim-lab] is in use by \"gpio-keys\""))
        #expect(text.contains("gpioinfo"))
        #expect(gpio.isRequested && gpio.isClosed)
    }

    @Test("a consumer without a name is reported too")
    func takenByNoProgram() {
        let gpio = gpio()
        gpio.state.withLock { $0.users = ["\(header):17": ""] }
        let fault = #expect(throws: DeviceError.self) { try bank(gpio, ButtonWiring()) }
        #expect(fault?.description.contains("line 17 of /dev/gpiochip0 [pinctrl-rp1] is in use by the kernel") == true)
    }

    @Test("a device without permission is an error that names the group")
    func denied() {
        let gpio = gpio()
        gpio.state.withLock { $0.errors = [header: EACCES] }
        let fault = #expect(throws: DeviceError.self) { try bank(gpio, ButtonWiring()) }
        #expect(fault == .notPermitted(header))
    }

    @Test("two buttons on one line, and a line that the chip does not have, are errors before any request")
    func impossible() {
        let gpio = gpio()
        let twice = #expect(throws: DeviceError.self) {
            try bank(gpio, ButtonWiring(), ButtonWiring(line: 4), ButtonWiring(chip: .named("pinctrl-rp1")))
        }
        #expect(twice?.description.contains("number 1 and number 3 are both line 17") == true)
        let beyond = #expect(throws: DeviceError.self) { try bank(gpio, ButtonWiring(line: 54)) }
        #expect(beyond?.description.contains("has no line 54: its lines are 0 to 53") == true)
        #expect(!gpio.isRequested)
    }

    @Test("a removed chip is an error that names it")
    func lost() throws {
        let gpio = gpio()
        var bank = try bank(gpio, ButtonWiring())
        gpio.set(17, of: header, true, at: stamp(6_000))
        gpio.state.withLock { $0.readError = ENODEV }
        let descriptor = try #require(bank.descriptors.first)
        let fault = #expect(throws: DeviceError.self) { try bank.read(descriptor) }
        #expect(fault?.description.contains("/dev/gpiochip0 [pinctrl-rp1] failed") == true)
    }
}
