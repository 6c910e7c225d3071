import CI2C
import Glibc
import Synchronization

@testable import BoardDisplays

/// One I2C bus in memory, with devices at some addresses.
final class FakeI2C: I2CLibrary {
    struct Write: Hashable {
        let address: UInt8
        let bytes: [UInt8]
    }

    struct State {
        /// The addresses of the devices.
        var devices: Set<UInt8> = []
        /// The addresses that were read, in order.
        var read: [UInt8] = []
        /// All writes, in order; also those that no device acknowledged.
        var writes: [Write] = []
        /// The addresses that a kernel driver claims.
        var claimed: Set<UInt8> = []
        /// What a device does with the bytes of a write.
        var receivers: [UInt8: @Sendable ([UInt8]) -> Void] = [:]
        /// The values of the registers of devices that have any; other registers are 0.
        var registers: [UInt8: [UInt8: UInt8]] = [:]
        /// The addresses whose registers were read, in order.
        var asked: [UInt8] = []
        /// The errno of every read; nil: reads succeed where a device is.
        var readError: Int32?
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
        state.withLock { state in
            state.address = address
            return state.claimed.contains(address) ? -EBUSY : 0
        }
    }

    func readByte(_ file: Int32) -> Int32 {
        state.withLock { state in
            state.read.append(state.address)
            if let error = state.readError { return -error }
            return state.devices.contains(state.address) ? 0 : -EREMOTEIO
        }
    }

    func readRegister(_ file: Int32, _ register: UInt8) -> Int32 {
        state.withLock { state in
            state.asked.append(state.address)
            guard state.devices.contains(state.address) else { return -EREMOTEIO }
            return Int32(state.registers[state.address]?[register] ?? 0)
        }
    }

    func writeByte(_ file: Int32, _ byte: UInt8) -> Int32 { write([byte]) }

    func writeBlock(_ file: Int32, command: UInt8, _ bytes: ArraySlice<UInt8>) -> Int32 { write([command] + bytes) }

    private func write(_ bytes: [UInt8]) -> Int32 {
        state.withLock { state in
            state.writes.append(Write(address: state.address, bytes: bytes))
            guard state.devices.contains(state.address) else { return -EREMOTEIO }
            state.receivers[state.address]?(bytes)
            return 0
        }
    }
}
