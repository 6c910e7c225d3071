import ArgumentParser
import BoardCore
import BoardDisplays
import BoardIO
import BoardService
import Glibc

/// `boardd hardware …`: what is connected, and whether it works.
struct HardwareCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hardware", abstract: "Find and test the display and the buttons.",
        discussion: "Example: boardd hardware scan",
        subcommands: [HardwareScanCommand.self, HardwareTestCommand.self])
}

/// `boardd hardware scan`: the buses, chips and devices of this machine.
struct HardwareScanCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "scan", abstract: "List what responds on the I2C buses, the GPIO lines in use, and your groups.",
        discussion: """
            Only reads: nothing is written to a device, and no line is requested. Prints the lines for boardd.toml that fit what \
            was found. Exit status: 0 a device that can be a display was found, 69 none, 77 none, and you may not open a bus. \
            Example: boardd hardware scan
            """)

    func run() async throws {
        try await CommandError.exitOnFailure {
            let report = try await DedicatedThread.attempt("scan") {
                HardwareReport(buses: I2CBusScan.all(), gpio: GPIOScan(), user: .current)
            }
            try StandardOutput.write(report.text)
            if report.status != 0 { throw ExitCode(report.status) }
        }
    }
}

/// What was found on this machine, and the lines for boardd.toml that fit.
struct HardwareReport: Sendable {
    let buses: [I2CBusScan]
    let gpio: GPIOScan
    let user: CurrentUser

    /// The groups whose members may open the buses and the chips, on Raspberry Pi OS and with boardd's udev rules.
    private static let groups = ["i2c", "gpio"]

    /// Lines of the pin header without a second use at boot, and their pins; the default first.
    private static let buttonPins: KeyValuePairs<UInt32, Int> = [
        17: 11, 27: 13, 22: 15, 23: 16, 24: 18, 25: 22, 5: 29, 6: 31, 16: 36, 26: 37,
    ]

    /// The report, each line terminated.
    var text: String { [groupLines, ["I2C"] + busLines, ["GPIO"] + gpioLines, proposal].page }

    var status: Int32 {
        if !displays.isEmpty { return 0 }
        return buses.contains { $0.fault.isSomeAnd { [EACCES, EPERM].contains($0.errno) } }
            ? ExitStatus.noPermission : ExitStatus.unavailable
    }

    // MARK: - What was found

    private var groupLines: [String] {
        let list = user.groups.joined(separator: ", ")
        let missing = user.isRoot ? [] : Self.groups.filter { !user.groups.contains($0) }
        let advice = missing.map { group in
            "You are not in the group \(group): sudo usermod -aG \(group) \(user.name), then log in again."
        }
        return ["You are \(user.name), in the groups \(list)."] + advice
    }

    private var busLines: [String] {
        guard !buses.isEmpty else { return ["  none: \(I2CBusScan.noBus)"] }
        return buses.flatMap { bus in
            let title = "  \(bus.path)" + (bus.name.map { " [\($0)]" } ?? "")
            switch bus.devices {
            case .failure(let fault): return [title, "    \(fault)"]
            case .success(let devices) where devices.isEmpty:
                return [title, "    no device responds: check SDA, SCL, the supply and GND"]
            case .success(let devices): return [title] + devices.map(Self.line)
            }
        }
    }

    private static func line(_ device: I2CBusScan.Device) -> String {
        let meaning = KnownDevice(at: device.address)
        let known = meaning?.description ?? "unknown"
        guard let name = device.kernelName else { return "    \(device.address.asHex)  \(known)" }
        let advice =
            meaning?.driver == nil ? "" : ": if it is the display, remove its overlay from config.txt and restart"
        return "    \(device.address.asHex)  in use by the kernel (\(name))\(advice)"
    }

    private var gpioLines: [String] {
        guard !gpio.chips.isEmpty else { return ["  none: this machine has no /dev/gpiochip*"] }
        switch gpio.header {
        case .failure(let fault):
            return gpio.chips.map { "  \($0)" } + ["  \(fault)"]
        case .success(let header):
            let used = header.consumers.keys.sorted().compactMap { line in
                header.user(of: line).map { "    GPIO \(line): in use by \($0)" }
            }
            let others = "    \(used.isEmpty ? "" : "the other ")lines of the pin header (GPIO 0 to 27) are free"
            return gpio.chips.flatMap {
                $0 == header.chip ? ["  \($0), the pin header"] + used + [others] : ["  \($0)"]
            }
        }
    }

    // MARK: - What fits

    /// The displays that may be connected, without the devices that a kernel driver uses; the likeliest first.
    private var displays: [ProposedDisplay] { Self.displays(on: buses) }

    static func displays(on buses: [I2CBusScan]) -> [ProposedDisplay] {
        buses.flatMap { bus in
            ProposedDisplay.all(at: bus.free, bus: bus.path)
        }.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(\.element)
    }

    private var proposal: [String] {
        let lines = displayLines + buttonLines
        return lines.isEmpty ? [] : ["Lines for boardd.toml:"] + lines
    }

    private var displayLines: [String] {
        guard let first = displays.first else { return [] }
        return ["[display]"] + first.lines + displays.dropFirst().map { "# or \($0.summary)" }
    }

    private var buttonLines: [String] {
        guard case .success(let header) = gpio.header else { return [] }
        // A line that a running board already uses is right.
        let free = Self.buttonPins.first { line, _ in [nil, GPIOButtons.consumer].contains(header.consumers[line]) }
        guard let free else { return [] }
        return ["[[button]]", "line = \(free.key)   # pin \(free.value), and ground"]
    }
}

extension I2CBusScan {
    /// The error of a machine without a bus.
    static let noBus = DeviceError(errno: ENOENT, bus: "/dev/i2c-1")

    var fault: DeviceError? {
        if case .failure(let fault) = devices { fault } else { nil }
    }

    /// The addresses that no kernel driver uses.
    var free: [UInt8] {
        ((try? devices.get()) ?? []).filter { $0.kernelName == nil }.map(\.address)
    }
}

extension GPIOScan.Header {
    /// Who uses a line; nil: nobody.
    func user(of line: UInt32) -> String? {
        consumers[line].map { $0.isEmpty ? "the kernel or another program" : "\"\($0)\"" }
    }
}

/// A display that may be connected, judging by the addresses on a bus.
struct ProposedDisplay: Sendable {
    /// How likely it is connected: 0 is the most likely.
    let rank: Int
    /// The keys of `[display]`, some with a comment about what the address leaves open.
    let settings: [(key: String, value: String)]
    /// A key that the address leaves open.
    var choice: String?
    /// The keys that identify its device, in one line.
    let summary: String

    /// The lines of `[display]`.
    var lines: [String] { settings.map { "\($0.key) = \($0.value)" } + [choice].compactMap(\.self) }

    /// The displays that the devices at these addresses of a bus can be: one for each backpack and each OLED, and one
    /// for all LED modules if they are enough for a board.
    static func all(at addresses: [UInt8], bus: String) -> [ProposedDisplay] {
        var modules: [UInt8] = []
        var displays: [ProposedDisplay] = []
        for address in addresses.sorted() {
            guard let device = KnownDevice(at: address), let driver = device.driver else { continue }
            let place = (key: "address", value: address.asHex)
            switch driver {
            // The last two addresses can be a sensor's: they count as modules only after one at the address before.
            case .ht16k33: if address <= 0x75 || modules.last == address - 1 { modules.append(address) }
            case .ssd1306:
                displays.append(
                    ProposedDisplay(
                        rank: device.rank,
                        settings: [
                            ("driver", "\"ssd1306\"   # or \"sh1106\": most of 1.3 inches"), ("bus", "\"\(bus)\""),
                            place,
                        ], summary: "driver = \"ssd1306\", address = \(address.asHex) on \(bus)"))
            default:
                let expanders = Expander.allCases.filter { $0.addresses.contains { $0.contains(address) } }
                let names = expanders.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
                displays.append(
                    ProposedDisplay(
                        rank: device.rank, settings: [("bus", "\"\(bus)\""), place],
                        choice: expanders.count > 1
                            ? "#expander = \(names), as printed on its chip; without the line \"pcf8574\"" : nil,
                        summary: "address = \(address.asHex) on \(bus)"))
            }
        }
        return displays + [leds(modules, bus: bus)].compactMap(\.self)
    }

    /// The panel of all LED modules on a bus; nil if they are too few for any kind.
    private static func leds(_ addresses: [UInt8], bus: String) -> ProposedDisplay? {
        let kinds = LEDModules.Kind.allCases.filter { !LEDModules(kind: $0, addresses: addresses).sizes.isEmpty }
        guard let first = addresses.first, let rank = KnownDevice(at: first)?.rank, !kinds.isEmpty else { return nil }
        let names = kinds.map { "\"\($0.rawValue)\"" }.joined(separator: " or ")
        let list = "[\(addresses.map(\.asHex).joined(separator: ", "))]"
        return ProposedDisplay(
            rank: rank,
            settings: [
                ("driver", "\"ht16k33\""), ("bus", "\"\(bus)\""),
                ("modules", "\(list)   # in the order from left to right, the upper row first"),
            ], choice: "#leds = \(names); without the line \"14-segment\"",
            summary: "driver = \"ht16k33\", modules = \(list) on \(bus)")
    }
}

/// What a device on an I2C bus can be, by its address alone: a device without a kernel driver cannot be identified
/// without writing to it.
struct KnownDevice: Hashable, Sendable {
    let description: String
    /// The driver of the display that it can be; nil: it is not one.
    let driver: DisplayWiring.Driver?
    /// How likely it is that display: 0 is the most likely.
    let rank: Int

    /// The meaning of an address; nil: unknown.
    init?(at address: UInt8) {
        switch address {
        case 0x27: self.init("LCD backpack: PCF8574, or MCP23008, MCP23017", .hd44780, rank: 0)
        case 0x3F: self.init("LCD backpack: PCF8574A", .hd44780, rank: 0)
        case 0x20...0x26: self.init("LCD backpack: PCF8574, MCP23008 or MCP23017", .hd44780, rank: 1)
        case 0x3C, 0x3D: self.init("OLED: SSD1306 or SH1106; or an LCD backpack: PCF8574A", .ssd1306, rank: 1)
        case 0x38, 0x39: self.init("LCD backpack: PCF8574A; or a sensor (AHT20, VEML6070)", .hd44780, rank: 2)
        case 0x3A...0x3E: self.init("LCD backpack: PCF8574A", .hd44780, rank: 2)
        case 0x51: self.init("clock (PCF8563) or memory (EEPROM)")
        case 0x50...0x57: self.init("memory (EEPROM)")
        case 0x68: self.init("clock (DS3231, DS1307) or motion sensor")
        case 0x6F: self.init("clock (MCP7940N)")
        case 0x76, 0x77: self.init("sensor (BME280, BMP280), or LED modules: HT16K33", .ht16k33, rank: 3)
        case 0x70...0x75: self.init("LED modules: HT16K33; or a bus switch", .ht16k33, rank: 3)
        default: return nil
        }
    }

    private init(_ description: String, _ driver: DisplayWiring.Driver? = nil, rank: Int = 0) {
        self.description = description
        self.driver = driver
        self.rank = rank
    }
}

/// The user of this process, and the process's groups.
struct CurrentUser: Hashable, Sendable {
    let name: String
    let isRoot: Bool
    let groups: [String]

    /// Reads the user database; not on several threads at once.
    static var current: CurrentUser {
        var identifiers = [gid_t](repeating: 0, count: Int(max(0, getgroups(0, nil))))
        let count = unsafe getgroups(Int32(identifiers.count), &identifiers)
        let all = Set(identifiers.prefix(Int(max(0, count))) + [getegid()])
        let groups = all.map { identifier in
            guard let group = unsafe getgrgid(identifier) else { return "\(identifier)" }
            return unsafe String(cString: group.pointee.gr_name)
        }
        let user = unsafe getpwuid(geteuid())
        let name = unsafe user.map { unsafe String(cString: $0.pointee.pw_name) }
        return CurrentUser(name: name ?? "\(geteuid())", isRoot: geteuid() == 0, groups: groups.sorted())
    }
}
