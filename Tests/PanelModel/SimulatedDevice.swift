import BoardCore
public import BoardDisplays
import Synchronization

/// A model of a device on an I2C bus: what it does with the bytes of a transfer.
public protocol DeviceModel: Sendable {
    /// Begins with random memory and the settings after a reset.
    mutating func powerOn()

    /// START: a transfer to the device begins.
    mutating func begin()

    mutating func receive(_ byte: UInt8)
}

/// An I2C bus with one modelled device, which tests can unplug and disturb while a driver uses it. All references share one
/// bus.
public final class SimulatedDevice<Model: DeviceModel>: DeviceBus, Sendable {
    /// The driver's use of the bus.
    public struct Counts: Hashable, Sendable {
        /// Write calls.
        public var calls = 0
        /// Bytes written, without the address.
        public var bytes = 0
        /// Clocks on the wire: nine for each byte and for the address, and START and STOP.
        public var clocks = 0

        public init() {}
    }

    private struct State: Sendable {
        var model: Model
        var counts = Counts()
        var isPowered = true
        var isOpen = false
        /// The number of bytes before one that is not acknowledged.
        var bytesUntilNAK: Int?
        /// Called with the model after every byte.
        var observe: (@Sendable (Model) -> Void)?
    }

    private static var name: String { "the simulated bus" }
    private static var maximumWriteSize: Int { 33 }
    private let state: Mutex<State>

    public init(_ model: Model) {
        state = Mutex(State(model: model))
    }

    public func open() throws(DeviceError) {
        try state.withLock { state throws(DeviceError) in
            guard state.isPowered else { throw DeviceError(errno: 121, bus: Self.name) }  // EREMOTEIO
            state.isOpen = true
        }
    }

    public func write(_ bytes: [UInt8]) throws(DeviceError) {
        try state.withLock { state throws(DeviceError) in
            guard state.isOpen else { throw DeviceError(errno: 19, bus: Self.name) }  // ENODEV
            guard (1...Self.maximumWriteSize).contains(bytes.count) else {
                throw DeviceError(errno: 22, bus: Self.name)  // EINVAL
            }
            state.counts.calls += 1
            state.counts.bytes += bytes.count
            state.counts.clocks += 2 + 9 * (bytes.count + 1)
            guard state.isPowered else { throw DeviceError(errno: 121, bus: Self.name) }
            state.model.begin()
            for byte in bytes {
                if let left = state.bytesUntilNAK {
                    state.bytesUntilNAK = left > 0 ? left - 1 : nil
                    if left == 0 { throw DeviceError(errno: 121, bus: Self.name) }
                }
                state.model.receive(byte)
                state.observe?(state.model)
            }
        }
    }

    public func close() { state.withLock { $0.isOpen = false } }

    public var model: Model { state.withLock(\.model) }
    public var isOpen: Bool { state.withLock(\.isOpen) }
    /// The use of the bus since the last ``resetCounts()``.
    public var counts: Counts { state.withLock(\.counts) }

    public func resetCounts() { state.withLock { $0.counts = Counts() } }

    /// Unplugs the device: no power, no acknowledge.
    public func unplug() {
        state.withLock { state in
            state.isPowered = false
            state.model.powerOn()
        }
    }

    /// Plugs the device in again, after a power-on reset.
    public func replug() {
        state.withLock { state in
            state.isPowered = true
            state.model.powerOn()
        }
    }

    /// Interrupts the device's supply while the driver does not use the bus.
    public func brownOut() { state.withLock { $0.model.powerOn() } }

    /// Does not acknowledge the byte after the next `count` bytes.
    public func nackByte(after count: Int) { state.withLock { $0.bytesUntilNAK = count } }

    /// Makes the device receive bytes that were not sent.
    public func stray(_ bytes: [UInt8]) {
        state.withLock { state in
            state.model.begin()
            for byte in bytes { state.model.receive(byte) }
        }
    }

    /// Calls `observe` after every byte that `body` writes.
    public func observing(_ observe: @escaping @Sendable (Model) -> Void, during body: () -> Void) {
        state.withLock { $0.observe = observe }
        body()
        state.withLock { $0.observe = nil }
    }
}

/// The random content of a memory after power-on, the same each time.
struct PowerOnMemory {
    private var value: UInt32 = 0x2545_F491

    mutating func next() -> UInt8 {
        value ^= value << 13
        value ^= value >> 17
        value ^= value << 5
        return UInt8(truncatingIfNeeded: value >> 8)
    }
}
