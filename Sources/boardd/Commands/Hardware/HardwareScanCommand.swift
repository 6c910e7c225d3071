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
        let report = try await DedicatedThread.attempt("scan") {
            HardwareReport(buses: I2CBusScan.all(), gpio: GPIOScan(), user: .current)
        }
        try StandardOutput.write(report.text)
        if report.status != 0 { throw ExitCode(report.status) }
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
            let title = "  \(bus.path)" + (bus.name.map { " [\($0)]" } ?? "") + (bus.isHeader ? ", the pin header" : "")
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
    private var displays: [ProposedDisplay] { buses.displays }

    private var proposal: [String] {
        let lines = displayLines + buttonLines
        return lines.isEmpty ? [] : ["Lines for boardd.toml:"] + lines
    }

    private var displayLines: [String] {
        guard let first = displays.first else { return [] }
        return [searchRemark, "[display]"] + first.lines + displays.dropFirst().map { "# or \($0.summary)" }
    }

    /// What boardd would use without `[display]`.
    private var searchRemark: String {
        let found = buses.header?.displays ?? []
        guard let first = found.first else {
            return "# Without [display] boardd searches on the bus of the pin header, where there is none."
        }
        if found.count == 1 {
            let remark = first.wiring.sizeRemark.map { "; \($0)" } ?? ""
            return "# Without [display] boardd finds the display at \(first.place) by itself\(remark)."
        }
        return "# boardd cannot tell by itself which of these is the display"
            + (first.rank == 0 ? "; without [display] it uses the one at \(first.place)." : ".")
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
}

extension GPIOScan.Header {
    /// Who uses a line; nil: nobody.
    func user(of line: UInt32) -> String? {
        consumers[line].map { $0.isEmpty ? "the kernel or another program" : "\"\($0)\"" }
    }
}

// As lines for boardd.toml.
extension ProposedDisplay {
    /// The keys of `[display]`, some with a comment about what the address leaves open.
    var settings: [(key: String, value: String)] {
        switch wiring.driver {
        case .ht16k33:
            [
                ("driver", "\"ht16k33\""), ("bus", "\"\(bus)\""),
                ("modules", "\(addressList)   # in the order from left to right, the upper row first"),
            ]
        case .hd44780: [("bus", "\"\(bus)\""), ("address", addressList)]
        default:
            [
                ("driver", "\"ssd1306\"   # or \"sh1106\": most of 1.3 inches"), ("bus", "\"\(bus)\""),
                ("address", addressList),
            ]
        }
    }

    /// A key that the address leaves open.
    private var choice: String? {
        switch wiring.driver {
        case .ht16k33:
            return "#leds = \(Self.names(kinds.map(\.rawValue))); without the line \"14-segment\""
        case .hd44780 where expanders.count > 1:
            return
                "#expander = \(Self.names(expanders.map(\.rawValue))), as printed on its chip; without the line \"pcf8574\""
        default: return nil
        }
    }

    private static func names(_ words: [String]) -> String { words.map { "\"\($0)\"" }.joined(separator: " or ") }

    /// The keys that identify its device, in one line.
    var summary: String {
        switch wiring.driver {
        case .ht16k33: "driver = \"ht16k33\", modules = \(addressList) on \(bus)"
        case .hd44780: "address = \(addressList) on \(bus)"
        default: "driver = \"\(wiring.driver.rawValue)\", address = \(addressList) on \(bus)"
        }
    }

    /// The lines of `[display]`.
    var lines: [String] { settings.map { "\($0.key) = \($0.value)" } + [choice].compactMap(\.self) }

    private var addressList: String {
        wiring.driver == .ht16k33 ? "[\(place)]" : place
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
