import BoardCore
import FoundationEssentials
import Glibc
import Synchronization
import Testing

@testable import BoardDisplays

@Suite("The search for hardware")
struct HardwareScanTests {
    /// A folder with the files of a kernel that the test removes.
    private final class Root {
        let path = FileManager.default.temporaryDirectory.appending(
            path: "boardd-scan-\(UInt64.random(in: 0...UInt64.max))"
        ).path

        init(_ files: [String: String], links: [String: String] = [:]) throws {
            for (name, text) in files { try Data(text.utf8).write(to: place(name)) }
            for (name, target) in links {
                try FileManager.default.createSymbolicLink(atPath: place(name).path, withDestinationPath: target)
            }
        }

        private func place(_ name: String) throws -> URL {
            let file = URL(filePath: "\(path)/\(name)")
            try FileManager.default.createDirectory(
                at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
            return file
        }

        deinit {
            try? FileManager.default.removeItem(atPath: path)
        }
    }

    @Test("every bus is read at every address of devices, in the order of their numbers, and never written")
    func buses() throws {
        let root = try Root([
            "dev/i2c-1": "", "dev/i2c-20": "", "dev/i2c-x": "", "dev/null": "",
            "sys/bus/i2c/devices/i2c-1/name": "bcm2835 (i2c@7e804000)\n",
            "sys/bus/i2c/devices/1-0068/name": "ds3231\n",
        ])
        let bus = FakeI2C()
        bus.state.withLock { state in
            state.devices = [0x27, 0x3C]
            state.claimed = [0x50, 0x68]
        }
        let found = I2CBusScan.all(bus, root: root.path)
        #expect(found.map(\.path) == ["/dev/i2c-1", "/dev/i2c-20"])
        #expect(found.map(\.name) == ["bcm2835 (i2c@7e804000)", nil])
        #expect(
            try found[0].devices.get() == [
                .init(address: 0x27), .init(address: 0x3C), .init(address: 0x50, kernelName: "unknown driver"),
                .init(address: 0x68, kernelName: "ds3231"),
            ])
        #expect(bus.state.withLock { Set($0.read) } == Set(0x08...0x77).subtracting([0x50, 0x68]))
        #expect(bus.state.withLock { $0.writes.isEmpty && !$0.isOpen })
    }

    @Test(
        "the header's bus is found by its node in the device tree, whatever its number",
        arguments: ["i2c@7e804000", "i2c@74000", "i2c@40074000"])
    func headerNode(node: String) throws {
        let devices = "sys/bus/i2c/devices"
        let root = try Root(
            ["dev/i2c-0": "", "dev/i2c-1": ""],
            links: [
                "\(devices)/i2c-1/of_node": "../../../../firmware/devicetree/base/soc/i2c@7e805000",
                "\(devices)/i2c-0/of_node": "../../../../firmware/devicetree/base/soc/\(node)",
            ])
        #expect(HeaderBus.path(root: root.path) == "/dev/i2c-0")
        #expect(I2CBusScan.all(FakeI2C(), root: root.path).map(\.isHeader) == [true, false])
    }

    @Test("without its node the header's bus is i2c-1, or i2c-0 on a machine that has no other")
    func headerNumber() throws {
        let two = try Root(["dev/i2c-0": "", "dev/i2c-1": ""])
        #expect(HeaderBus.path(root: two.path) == "/dev/i2c-1")
        let first = try Root(["dev/i2c-0": ""])
        #expect(HeaderBus.path(root: first.path) == "/dev/i2c-0")
        #expect(HeaderBus.path(root: "/nowhere") == "/dev/i2c-1")
    }

    @Test("a stuck bus is read once and reported")
    func stuck() throws {
        let root = try Root(["dev/i2c-1": ""])
        let bus = FakeI2C()
        bus.state.withLock { $0.readError = ETIMEDOUT }
        let found = I2CBusScan.all(bus, root: root.path)
        guard case .failure(let fault) = found[0].devices else {
            Issue.record("\(found)")
            return
        }
        #expect(fault.errno == ETIMEDOUT && fault.description.contains("stuck low"))
        #expect(bus.state.withLock { $0.read.count == 1 && !$0.isOpen })
    }

    @Test("a bus that cannot be opened has the reason; a machine without buses has none")
    func unopened() throws {
        let root = try Root(["dev/i2c-4000": ""])
        let found = I2CBusScan.all(LibI2C(), root: root.path)
        guard case .failure(let fault) = found[0].devices else {
            Issue.record("\(found)")
            return
        }
        #expect(fault.errno == ENOENT)
        #expect(I2CBusScan.all(FakeI2C(), root: "\(root.path)/absent").isEmpty)
    }

    @Test(
        "the header's chip is found by its label, whatever its number, and has the consumers of its lines, without a request",
        arguments: ["pinctrl-bcm2835", "pinctrl-bcm2711", "pinctrl-rp1"])
    func header(label: String) throws {
        let gpio = FakeGPIO(["/dev/gpiochip0": "raspberrypi-exp-gpio", "/dev/gpiochip1": label])
        gpio.state.withLock { state in
            state.users = ["/dev/gpiochip1:17": "boardd", "/dev/gpiochip1:4": "", "/dev/gpiochip1:40": "sd"]
        }
        let scan = GPIOScan(gpio)
        let chip = "/dev/gpiochip1 [\(label)]"
        #expect(scan.chips == ["/dev/gpiochip0 [raspberrypi-exp-gpio]", chip])
        #expect(try scan.header.get() == .init(chip: chip, consumers: [17: "boardd", 4: ""]))
        #expect(!gpio.isRequested)
        #expect(throws: DeviceError.self) { try GPIOScan(FakeGPIO([:])).header.get() }
        // A button is searched for at lines of the header that no bus has and nobody uses, and at its own.
        let known = ButtonWiring(line: 17, pull: .down)
        #expect(try !ButtonWiring.searched(with: [ButtonWiring(line: 4)], scan).contains { $0.line == 4 })
        #expect(
            try ButtonWiring.searched(with: [known], scan)
                == [known] + [5, 6, 12, 13, 16, 22, 23, 24, 25, 26, 27].map { ButtonWiring(line: $0) })
    }
}
