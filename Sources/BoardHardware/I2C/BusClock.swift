internal import BoardIO

/// The clock of an I2C bus, which only the device tree reports.
enum BusClock {
    /// The clock in hertz unless `dtparam=i2c_arm_baudrate` sets another.
    static let standard = 100_000

    /// The clock of the bus of a device file, in hertz; nil where the device tree does not report it.
    ///
    /// - Parameter root: the folder of the adapters.
    static func ofBus(at path: String, root: String = "/sys/class/i2c-adapter") -> Int? {
        guard let name = path.split(separator: "/").last else { return nil }
        let cell = try? SmallFile.read("\(root)/\(name)/of_node/clock-frequency", limit: 4).bytes
        return cell.flatMap(decode)
    }

    /// The value of a device tree cell: 32 bits, most significant byte first; nil for another length, and outside the range of
    /// bus clocks.
    static func decode(_ cell: [UInt8]) -> Int? {
        guard cell.count == 4 else { return nil }
        let value = cell.reduce(0) { $0 << 8 | Int($1) }
        return (1_000...5_000_000).contains(value) ? value : nil
    }
}
