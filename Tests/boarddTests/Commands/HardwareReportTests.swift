import BoardCore
import BoardDisplays
import BoardFeeds
import BoardStore
import Glibc
import Testing
import Waiting

@testable import boardd

@Suite("The report of boardd hardware scan")
struct HardwareReportTests {
    private static let user = CurrentUser(name: "pi", isRoot: false, groups: ["gpio", "i2c", "pi"])
    private static let header = GPIOScan.Header(
        chip: "/dev/gpiochip0 [pinctrl-bcm2711]", consumers: [17: "boardd", 4: ""])

    private func report(
        _ devices: Result<[I2CBusScan.Device], DeviceError>?,
        header: Result<GPIOScan.Header, DeviceError> = .success(Self.header),
        user: CurrentUser = Self.user
    ) -> HardwareReport {
        let buses = devices.map { [I2CBusScan(path: "/dev/i2c-1", name: "bcm2835", isHeader: true, devices: $0)] } ?? []
        let chips = ["/dev/gpiochip0 [pinctrl-bcm2711]", "/dev/gpiochip1 [exp]"]
        return HardwareReport(buses: buses, gpio: GPIOScan(chips: chips, header: header), user: user)
    }

    @Test("an address between those of memories can be a clock")
    func clockAmongMemories() {
        #expect(KnownDevice(at: 0x50)?.description == "memory (EEPROM)")
        #expect(KnownDevice(at: 0x51)?.description == "clock (PCF8563) or memory (EEPROM)")
    }

    @Test("devices, lines in use and the lines for boardd.toml")
    func found() {
        let report = report(
            .success([.init(address: 0x3C), .init(address: 0x27), .init(address: 0x68, kernelName: "ds3231")]))
        #expect(
            report.text == """
                You are pi, in the groups gpio, i2c, pi.

                I2C
                  /dev/i2c-1 [bcm2835], the pin header
                    0x3c  OLED: SSD1306 or SH1106; or an LCD backpack: PCF8574A
                    0x27  LCD backpack: PCF8574, or MCP23008, MCP23017
                    0x68  in use by the kernel (ds3231)

                GPIO
                  /dev/gpiochip0 [pinctrl-bcm2711], the pin header
                    GPIO 4: in use by the kernel or another program
                    GPIO 17: in use by "boardd"
                    the other lines of the pin header (GPIO 0 to 27) are free
                  /dev/gpiochip1 [exp]

                Lines for boardd.toml:
                # boardd cannot tell by itself which of these is the display; without [display] it uses the one at 0x27.
                [display]
                bus = "/dev/i2c-1"
                address = 0x27
                #expander = "pcf8574" or "mcp23008" or "mcp23017", as printed on its chip; without the line "pcf8574"
                # or driver = "ssd1306", address = 0x3c on /dev/i2c-1
                [[button]]
                line = 17   # pin 11, and ground

                """)
        #expect(report.status == 0)
    }

    @Test("a display alone needs no lines: boardd finds it by itself, and says which it cannot know")
    func byItself() {
        let oled = report(.success([.init(address: 0x3C), .init(address: 0x68)])).text
        #expect(
            oled.contains(
                "\n# Without [display] boardd finds the display at 0x3c by itself.\n[display]\ndriver = \"ssd1306\""))
        let lcd = report(.success([.init(address: 0x27)])).text
        #expect(
            lcd.contains(
                "\n# Without [display] boardd finds the display at 0x27 by itself; its size is unknown, so 16x2 of it are used: sudo boardd "
                    + "config set display.size 20x4, or another size.\n[display]\n"))
        let other = HardwareReport(
            buses: [I2CBusScan(path: "/dev/i2c-20", name: nil, devices: .success([.init(address: 0x27)]))],
            gpio: GPIOScan(chips: [], header: .success(Self.header)), user: Self.user)
        #expect(
            other.text.contains(
                "\n# Without [display] boardd searches on the bus of the pin header, where there is none."))
    }

    /// The lines for `[display]`.
    private func display(_ addresses: UInt8...) -> String {
        let text = report(.success(addresses.map { I2CBusScan.Device(address: $0) })).text
        guard let begin = text.firstRange(of: "[display]\n"), let end = text.firstRange(of: "[[button]]") else {
            return ""
        }
        return String(text[begin.upperBound..<end.lowerBound])
    }

    @Test("an OLED is proposed with the driver of the usual controller, and is likelier than a sensor's address")
    func oled() {
        #expect(
            display(0x38, 0x3D) == """
                driver = "ssd1306"   # or "sh1106": most of 1.3 inches
                bus = "/dev/i2c-1"
                address = 0x3d
                # or address = 0x38 on /dev/i2c-1

                """)
    }

    @Test("LED modules are one display, with the kinds of which there are enough")
    func modules() {
        #expect(
            display(0x70, 0x71, 0x72, 0x73) == """
                driver = "ht16k33"
                bus = "/dev/i2c-1"
                modules = [0x70, 0x71, 0x72, 0x73]   # in the order from left to right, the upper row first
                #leds = "14-segment" or "16x8"; without the line "14-segment"

                """)
        let eight = display(0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77)
        #expect(eight.contains("modules = [0x70, 0x71, 0x72, 0x73, 0x74, 0x75, 0x76, 0x77]"))
        #expect(eight.contains("#leds = \"14-segment\" or \"16x8\" or \"8x8\"; without"))
        #expect(display(0x27, 0x70, 0x71, 0x72, 0x73).hasSuffix("modules = [0x70, 0x71, 0x72, 0x73] on /dev/i2c-1\n"))
    }

    @Test("a sensor beside LED modules is none of them, and a bus switch or too few modules are no display")
    func noModules() {
        #expect(display(0x70, 0x71, 0x72, 0x73, 0x77).contains("modules = [0x70, 0x71, 0x72, 0x73]   #"))
        #expect(display(0x70, 0x71, 0x72, 0x76) == "")
        #expect(report(.success([.init(address: 0x70)])).status == ExitStatus.unavailable)
    }

    @Test("every proposed display is a valid configuration", arguments: [[0x27], [0x3C], [0x70, 0x71, 0x72, 0x73]])
    func valid(addresses: [UInt8]) throws {
        for proposal in ProposedDisplay.all(at: addresses, bus: "/dev/i2c-1") {
            let text = proposal.lines.map { $0 + "\n" }.joined()
            let folder = try TemporaryFolder(["boardd.toml": "[display]\n\(text)"])
            let loader = ConfigurationLoader(declarations: FeedRegistry.declarations, pinMaps: PinMap.named)
            #expect(throws: Never.self) { try loader.load(.directory(folder.path), environment: [:]) }
        }
    }

    @Test("a machine without a bus and without a header gets advice, and no lines")
    func nothing() {
        let report = report(nil, header: .failure(DeviceError("no GPIO chip of a Raspberry Pi's header")))
        #expect(report.text.contains("put dtparam=i2c_arm=on into /boot/firmware/config.txt"))
        #expect(report.text.contains("no GPIO chip of a Raspberry Pi's header"))
        #expect(!report.text.contains("Lines for boardd.toml"))
        #expect(report.status == ExitStatus.unavailable)
    }

    @Test("a bus that the user may not open has its own status, and the missing group its advice")
    func denied() {
        let user = CurrentUser(name: "ann", isRoot: false, groups: ["ann", "gpio"])
        let report = report(.failure(DeviceError(errno: EACCES, bus: "/dev/i2c-1")), user: user)
        #expect(report.text.contains("You are not in the group i2c: sudo usermod -aG i2c ann, then log in again."))
        #expect(report.text.contains("/dev/i2c-1: permission denied"))
        #expect(report.status == ExitStatus.noPermission)
        let root = CurrentUser(name: "root", isRoot: true, groups: ["root"])
        #expect(!self.report(.success([]), user: root).text.contains("not in the group"))
    }

    @Test("a display that a kernel driver uses is none, and its overlay is named")
    func claimed() {
        let report = report(.success([.init(address: 0x27, kernelName: "pcf8574")]))
        #expect(report.text.contains("0x27  in use by the kernel (pcf8574): if it is the display, remove its overlay"))
        #expect(!report.text.contains("[display]"))
        #expect(report.status == ExitStatus.unavailable)
    }

    @Test("a line that another program uses is not proposed for the button")
    func otherLine() {
        let header = GPIOScan.Header(chip: "/dev/gpiochip0 [pinctrl-bcm2711]", consumers: [17: "fan", 27: ""])
        #expect(report(.success([]), header: .success(header)).text.contains("line = 22   # pin 15, and ground"))
    }
}

@Suite("boardd hardware, as a process", .endsHangs)
struct HardwareCommandTests {
    @Test("scan reports on any machine")
    func scan() async throws {
        let scan = try await run("hardware", "scan")
        #expect([0, ExitStatus.unavailable, ExitStatus.noPermission].contains(scan.status))
        #expect(scan.output.contains("\n\nI2C\n") && scan.output.contains("\n\nGPIO\n") && scan.errors.isEmpty)
    }

    @Test("test does not touch the display of a running board")
    func runningBoard() async throws {
        let board = try InstalledBoard()
        let daemon = try await board.start()
        let test = try await board.run("hardware", "test")
        #expect(test.status == ExitStatus.temporaryFailure)
        #expect(test.errors.contains("sudo systemctl stop boardd") && test.output.isEmpty)
        try await board.end(daemon)
        let folder = try TemporaryFolder(["boardd.toml": "button = []\n[display]\ndriver = \"none\"\n"])
        let alone = try await run("hardware", "test", environment: folder.environment)
        #expect(alone.status == 0, "\(alone.errors)")
    }

    @Test("test exits with 78 for a faulty file")
    func faulty() async throws {
        let folder = try TemporaryFolder(["boardd.toml": "[display]\nsize = \"3x3\"\n"])
        let test = try await run("hardware", "test", environment: folder.environment)
        #expect(test.status == ExitStatus.configuration && test.errors.contains("boardd.toml:2:8"))
    }
}
