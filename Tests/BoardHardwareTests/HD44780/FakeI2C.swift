import CI2C
import Glibc
import Synchronization

@testable import BoardHardware

/// One I2C bus in memory, with devices at some addresses.
final class FakeI2C: I2CLibrary {
    struct State {
        /// The addresses of the devices.
        var devices: Set<UInt8> = []
        /// The addresses that were read, in order.
        var read: [UInt8] = []
        /// The addresses that were written, in order.
        var written: [UInt8] = []
        /// Whether the device file is open.
        var isOpen = false
        fileprivate var address: UInt8 = 0
    }

    let state = Mutex(State())

    func open(_ path: String) -> Int32 {
        state.withLock { $0.isOpen = true }
        return 100
    }

    func close(_ file: Int32) { state.withLock { $0.isOpen = false } }

    func functions(_ file: Int32) -> Int {
        Int(I2C_FUNC_SMBUS_WRITE_I2C_BLOCK) | Int(I2C_FUNC_SMBUS_READ_BYTE) | Int(I2C_FUNC_SMBUS_WRITE_BYTE)
    }

    func setTimeout(_ file: Int32, _ tensOfMilliseconds: UInt) {}

    func setAddress(_ file: Int32, _ address: UInt8) -> Int32 {
        state.withLock { $0.address = address }
        return 0
    }

    func readByte(_ file: Int32) -> Int32 {
        state.withLock { state in
            state.read.append(state.address)
            return state.devices.contains(state.address) ? 0 : -EREMOTEIO
        }
    }

    func writeByte(_ file: Int32, _ byte: UInt8) -> Int32 { write() }

    func writeBlock(_ file: Int32, command: UInt8, _ bytes: ArraySlice<UInt8>) -> Int32 { write() }

    private func write() -> Int32 {
        state.withLock { state in
            state.written.append(state.address)
            return state.devices.contains(state.address) ? 0 : -EREMOTEIO
        }
    }
}
