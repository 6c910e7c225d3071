internal import BoardCore
internal import BoardHardware
internal import Glibc

/// What was found on this machine, and the lines for boardd.toml that fit.
struct HardwareReport: Sendable {
    let buses: [I2CBusScan]
    let gpio: GPIOScan
    let user: CurrentUser

    /// The groups whose members may open the buses and the chips, on Raspberry Pi OS and with boardd's udev rules.
    private static let groups = ["i2c", "gpio"]

    /// Lines of the pin header without a second use at the start, and their pins; the default first.
    private static let buttonPins: KeyValuePairs<UInt32, Int> = [
        17: 11, 27: 13, 22: 15, 23: 16, 24: 18, 25: 22, 5: 29, 6: 31, 16: 36, 26: 37,
    ]

    /// The report, each line terminated.
    var text: String {
        let sections = [groupLines, ["I2C"] + busLines, ["GPIO"] + gpioLines, proposal]
        return sections.filter { !$0.isEmpty }.map { $0.map { $0 + "\n" }.joined() }.joined(separator: "\n")
    }

    var status: Int32 {
        if !displays.isEmpty { return 0 }
        return buses.contains { $0.fault.map { [EACCES, EPERM].contains($0.errno) } ?? false }
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
        guard !buses.isEmpty else { return ["  none: \(BusFault(errno: ENOENT, bus: "/dev/i2c-1"))"] }
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
        guard let name = device.kernelName else { return "    \(BusFault.hex(device.address))  \(known)" }
        let advice =
            meaning?.driver == nil ? "" : ": if it is the display, remove its overlay from config.txt and restart"
        return "    \(BusFault.hex(device.address))  in use by the kernel (\(name))\(advice)"
    }

    private var gpioLines: [String] {
        guard !gpio.chips.isEmpty else { return ["  none: this machine has no /dev/gpiochip*"] }
        switch gpio.header {
        case .failure(let fault):
            return gpio.chips.map { "  \($0)" } + ["  \(fault)"]
        case .success(let header):
            let used = header.consumers.sorted { $0.key < $1.key }.map { line, consumer in
                "    GPIO \(line): in use by \(consumer.isEmpty ? "the kernel or another program" : "\"\(consumer)\"")"
            }
            let others = "    \(used.isEmpty ? "" : "the other ")lines of the pin header (GPIO 0 to 27) are free"
            return gpio.chips.flatMap {
                $0 == header.chip ? ["  \($0), the pin header"] + used + [others] : ["  \($0)"]
            }
        }
    }

    // MARK: - What fits

    /// The displays that can be connected, without the devices that a kernel driver uses; the likeliest first.
    private var displays: [ProposedDisplay] { Self.displays(on: buses) }

    static func displays(on buses: [I2CBusScan]) -> [ProposedDisplay] {
        buses.flatMap { bus in
            let free = ((try? bus.devices.get()) ?? []).filter { $0.kernelName == nil }.map(\.address)
            return ProposedDisplay.all(at: free, bus: bus.path)
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
        // A line that a running board uses already is right.
        let free = Self.buttonPins.first { line, _ in (header.consumers[line] ?? "boardd") == "boardd" }
        guard let free else { return [] }
        return ["[[button]]", "line = \(free.key)   # pin \(free.value), and ground"]
    }
}

extension I2CBusScan {
    fileprivate var fault: BusFault? {
        if case .failure(let fault) = devices { fault } else { nil }
    }
}
