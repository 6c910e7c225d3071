import BoardCore
import BoardDisplays

extension SimulatedExpander {
    /// The state of the bus and the display, with injected faults.
    struct State: Sendable {
        static let name = "the simulated bus"

        /// The display's controllers; a 40x4 has two.
        var controllers: [HD44780Model]
        var expander: PortModel
        var counts = Counts()
        /// Virtual time in nanoseconds.
        var now: Int64 = 0
        var isPowered = true
        /// Until this time no transfer ends.
        var stuckUntil: Int64 = 0
        /// The number of port bytes before one that is not acknowledged.
        var bytesUntilNAK: Int?
        /// The different screens since the recording began.
        var screens: [[[Character]]]?

        private let bit: Int64

        init(controllers: [HD44780Model], expander: PortModel, speed: Int) {
            self.controllers = controllers
            self.expander = expander
            bit = 1_000_000_000 / Int64(speed)
        }

        var cells: [[Character]] { controllers.flatMap(\.cells) }

        /// The cells of a display without power.
        var blank: [[Character]] { cells.map { $0.map { _ in " " } } }

        /// Power-on reset of the expander and the controllers.
        mutating func powerOn() {
            expander.powerOn()
            for index in controllers.indices { controllers[index].powerOn(at: now) }
        }

        /// START, the address, and `bytes` that are read; includes the time of STOP.
        mutating func address(bytes: Int64) throws(DeviceError) {
            guard now >= stuckUntil else {
                now += 50_000_000  // the driver's time-out
                throw DeviceError(errno: 110, bus: Self.name)  // ETIMEDOUT
            }
            spend(bits: 2 + 9)
            guard isPowered else { throw DeviceError(errno: 121, bus: Self.name) }  // EREMOTEIO
            spend(bits: 9 * bytes)
        }

        /// Writes bytes, each of which changes the port with its acknowledgement.
        mutating func put(_ portBytes: [UInt8]) throws(DeviceError) {
            for byte in portBytes {
                spend(bits: 9)
                if let left = bytesUntilNAK {
                    bytesUntilNAK = left > 0 ? left - 1 : nil
                    if left == 0 { throw DeviceError(errno: 121, bus: Self.name) }
                }
                let old = expander.lines
                expander.latch(byte)
                let new = expander.lines
                for index in controllers.indices {
                    controllers[index].lines(from: old[index], to: new[index], at: now)
                }
                if zip(old, new).contains(where: { $0.e && !$1.e }) { recordScreen() }
            }
        }

        /// Records the screen if it changed; only a falling edge of E can change it.
        private mutating func recordScreen() {
            guard let last = screens?.last else { return }
            let cells = self.cells
            if cells != last { screens?.append(cells) }
        }

        private mutating func spend(bits: Int64) {
            now += bits * bit
            counts.wire += bits * bit
        }

        static func nanoseconds(_ duration: Duration) -> Int64 {
            duration.components.seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000
        }
    }
}
