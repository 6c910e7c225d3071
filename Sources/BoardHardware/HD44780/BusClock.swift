internal import Glibc

/// The clock of an I2C bus, which only the device tree reports.
enum BusClock {
    /// The clock in hertz unless `dtparam=i2c_arm_baudrate` sets another.
    static let standard = 100_000

    /// The clock of the bus of a device file, in hertz; nil where the device tree does not report it.
    ///
    /// - Parameter root: the folder of the adapters.
    static func ofBus(at path: String, root: String = "/sys/class/i2c-adapter") -> Int? {
        guard let name = path.split(separator: "/").last else { return nil }
        let file = "\(root)/\(name)/of_node/clock-frequency"
        let descriptor = unsafe open(file, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        defer { _ = close(descriptor) }
        var cell: [UInt8] = [0, 0, 0, 0]
        let count = unsafe cell.withUnsafeMutableBytes { unsafe read(descriptor, $0.baseAddress, $0.count) }
        return count == cell.count ? decode(cell) : nil
    }

    /// The value of a device tree cell: 32 bits, most significant byte first; nil outside the range of bus clocks.
    static func decode(_ cell: [UInt8]) -> Int? {
        let value = cell.reduce(0) { $0 << 8 | Int($1) }
        return (1_000...5_000_000).contains(value) ? value : nil
    }
}
