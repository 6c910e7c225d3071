import BoardCore
import Glibc
import Synchronization
import Testing
import Waiting

@testable import BoardDisplays

@Suite("The buttons' thread", .endsHangs)
struct GPIOButtonsTests {
    private let path = "/dev/gpiochip0"

    /// Watches buttons until `changes` have arrived, then cancels.
    private func watch(_ gpio: FakeGPIO, changes: Int, _ press: (Int) -> Void) async throws -> [ButtonChange] {
        let buttons = GPIOButtons([ButtonWiring()], library: gpio, clock: .system)
        let (stream, continuation) = AsyncStream.makeStream(of: ButtonChange.self)
        let levelReads = gpio.state.withLock { $0.levelReads }
        let task = Task { try await buttons.watch { continuation.yield($0) } }
        // A button that is pressed before its first level is read counts as held.
        #expect(await eventually { gpio.state.withLock { $0.levelReads > levelReads } })
        var found: [ButtonChange] = []
        press(0)
        for await change in stream {
            found.append(change)
            if found.count == changes { break }
            press(found.count)
        }
        task.cancel()
        try await task.value
        return found
    }

    private func monotonic() -> UInt64 {
        var time = timespec()
        unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
    }

    @Test("presses and releases arrive in order, and a cancelled watch releases the lines", arguments: [false, true])
    func presses(_ hasDescriptorPerLine: Bool) async throws {
        let gpio = FakeGPIO(hasDescriptorPerLine: hasDescriptorPerLine, [path: "pinctrl-rp1"])
        let changes = try await watch(gpio, changes: 4) { count in
            gpio.set(17, of: path, count % 2 == 0, at: monotonic())
        }
        #expect(changes.map(\.isDown) == [true, false, true, false])
        #expect(changes.map(\.at) == changes.map(\.at).sorted())
        #expect(gpio.isClosed)
    }

    @Test("a watch that is cancelled before or during its wait ends", arguments: [true, false])
    func cancelled(_ waits: Bool) async throws {
        let gpio = FakeGPIO([path: "pinctrl-rp1"])
        let task = Task { try await GPIOButtons([ButtonWiring()], library: gpio, clock: .system).watch { _ in } }
        if waits { #expect(await eventually { gpio.isRequested }) }
        task.cancel()
        try await task.value
        #expect(gpio.isClosed)
    }

    @Test("every bounce is among the edges of a line, until the time is over")
    func edges() throws {
        let gpio = FakeGPIO([path: "pinctrl-rp1"])
        let start = Instant(microseconds: 0)
        let hasBounced = Mutex(false)
        let clock = EventClock(
            now: {
                // The contact bounces once somebody waits for it.
                let isFirst = hasBounced.withLock { hasBounced in
                    defer { hasBounced = true }
                    return !hasBounced
                }
                guard isFirst else { return start + .seconds(1) }
                for (index, isDown) in [true, false, true].enumerated() {
                    gpio.set(17, of: path, isDown, at: UInt64(1_000 + index))
                }
                return start
            }, aheadOfMonotonic: { 0 })
        let edges = try GPIOButtons.edges(
            of: ButtonWiring(), until: start + .microseconds(500), library: gpio, clock: clock)
        #expect(edges.map(\.isDown) == [true, false, true] && edges.map(\.nanoseconds) == [1_000, 1_001, 1_002])
        #expect(gpio.isClosed)
    }

    @Test("a watch without buttons lasts until the task is cancelled")
    func noButtons() async throws {
        let task = Task { try await GPIOButtons([]).watch { _ in } }
        task.cancel()
        try await task.value
    }

    @Test("buttons that cannot be requested end the watch with the reason")
    func fault() async {
        let buttons = GPIOButtons([ButtonWiring()], library: FakeGPIO([:]), clock: .system)
        await #expect(throws: DeviceError.self) { try await buttons.watch { _ in } }
    }

    @Test("a removed chip ends the watch, and a new watch requests the lines again")
    func hangUp() async throws {
        let gpio = FakeGPIO([path: "pinctrl-rp1"])
        let buttons = GPIOButtons([ButtonWiring()], library: gpio, clock: .system)
        let task = Task { try await buttons.watch { _ in } }
        #expect(await eventually { gpio.isRequested })
        gpio.requests.withLock { $0 }.first?.hangUp()
        await #expect(throws: DeviceError.self) { try await task.value }
        #expect(gpio.isClosed)
        gpio.requests.withLock { $0 = [] }
        let again = try await watch(gpio, changes: 1) { _ in gpio.set(17, of: path, true, at: monotonic()) }
        #expect(again.map(\.isDown) == [true])
    }

    @Test("the system's clocks give a current edge the current time, and never a later one")
    func clock() {
        let before = EventClock.system.now()
        let stamp = monotonic()
        let instant = EventClock.system.instant(ofMonotonic: stamp)
        let after = EventClock.system.now()
        // The difference of the clocks is accurate to a few microseconds.
        #expect(instant + .milliseconds(1) >= before && instant <= after)
        #expect(EventClock.system.instant(ofMonotonic: .max) >= after)
    }
}
