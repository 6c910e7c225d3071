import BoardCore
import Glibc

/// The search for a display that no file describes, on the bus of the pin header.
public struct DisplaySearch: Sendable {
    /// The addresses that displays can have.
    private static let addresses = I2CBusScan.addresses.filter { KnownDevice(at: $0)?.driver != nil }

    private let library: any I2CLibrary

    public init() { self.init(LibI2C()) }

    init(_ library: any I2CLibrary) { self.library = library }

    /// The display, if only one can be connected. Where there are several, one of which is at the usual address of backpacks,
    /// the defaults, which find that one.
    ///
    /// Writes only to a device that is the only one, and only to learn whether it has the registers of an MCP23008. Blocks.
    ///
    /// - Throws: ``DeviceError`` with what was found, and the remedy.
    public func run() throws(DeviceError) -> DisplayWiring {
        let scan = scan()
        let devices = try scan.devices.get()
        let displays = scan.displays
        guard let first = displays.first else { throw Self.fault(of: devices, on: scan) }
        if displays.count == 1 { return try identified(first) }
        if first.rank == 0 { return DisplayWiring(origin: .searched) }
        throw Self.fault(of: displays, on: scan.path)
    }

    /// The bus of the pin header, with the devices at addresses that displays can have. Only reads, and blocks.
    public func scan() -> I2CBusScan {
        let bus = HeaderBus.path()
        return I2CBusScan(
            path: bus, name: nil, isHeader: true,
            devices: Result { () throws(DeviceError) in try I2CBusScan.scan(bus, library, at: Self.addresses) })
    }

    private static func fault(of devices: [I2CBusScan.Device], on scan: I2CBusScan) -> DeviceError {
        let bus = scan.path
        // At the less likely addresses the kernel's devices are sensors.
        let claimed = devices.first { device in
            device.kernelName != nil && KnownDevice(at: device.address).isSomeAnd { $0.rank <= 1 }
        }
        if let claimed { return DeviceError(errno: EBUSY, bus: bus, address: claimed.address) }
        guard scan.free.isEmpty else {
            let list = scan.free.map(\.asHex).joined(separator: ", ")
            return DeviceError("only \(list) responds on \(bus), which is no display: check SDA, SCL, VCC and GND")
        }
        let ranges = AddressSearch.Candidates(common: [], others: addresses).ranges
        return DeviceError(errno: EREMOTEIO, "no display responds on \(bus) at \(ranges): check SDA, SCL, VCC and GND")
    }

    /// The error for several displays, none of which is likelier than the others.
    public static func fault(of displays: [ProposedDisplay], on bus: String) -> DeviceError {
        let list = displays.map { "\($0.wiring.driver.rawValue) at \($0.place)" }
        return DeviceError(
            "several displays can be on \(bus) (\(list.joined(separator: "; "))): boardd hardware scan prints the lines for "
                + "boardd.toml that choose one")
    }

    /// The display with its expander. Backpacks with a PCF8574 have its highest address, those with an MCP23008 or MCP23017 the
    /// lowest: at 0x27 nothing is asked.
    private func identified(_ display: ProposedDisplay) throws(DeviceError) -> DisplayWiring {
        guard display.rank > 0, display.expanders.count > 1, let address = display.addresses.first else {
            return display.wiring
        }
        let expander = try expander(at: address, on: display.bus)
        guard expander != .mcp23017 else {
            throw DeviceError(
                "an MCP23017 responds at \(address.asHex) on \(display.bus), whose pins differ from board to board: "
                    + "set expander and pins in [display]")
        }
        return DisplayWiring(
            panel: Panel(size: display.wiring.panel.size, pins: expander.usualPins), bus: display.wiring.bus,
            address: display.wiring.address, origin: .found)
    }

    /// The expander at an address. The pins of a PCF8574, which has no registers, take the number of a register as their state,
    /// and read as no more than it; every start of a display sets them anew.
    private func expander(at address: UInt8, on bus: String) throws(DeviceError) -> Expander {
        let file = library.open(bus)
        guard file >= 0 else { throw DeviceError(errno: -file, bus: bus) }
        defer { library.close(file) }
        library.setTimeout(file, 5)
        let status = library.setAddress(file, address)
        guard status >= 0 else { throw DeviceError(errno: -status, bus: bus, address: address) }
        func value(of register: UInt8) throws(DeviceError) -> UInt8 {
            let value = library.readRegister(file, register)
            guard value >= 0 else { throw DeviceError(errno: -value, bus: bus, address: address) }
            return UInt8(truncatingIfNeeded: value)
        }
        // After power-on every pin of an MCP230xx is an input (IODIR, of the second port at 01).
        if try value(of: 0x00) != 0 { return try value(of: 0x01) == 0 ? .mcp23008 : .mcp23017 }
        // A driver of a display made them outputs, and set IOCON.
        switch try value(of: ExpanderRegisters.control) {
        case ExpanderRegisters.staying: return .mcp23008
        case ExpanderRegisters.separate | ExpanderRegisters.staying: return .mcp23017
        default: return .pcf8574
        }
    }
}

/// A display that is searched for until one shows a frame; from then on that one alone, since a sensor must not be mistaken for
/// a display that is unplugged.
struct SearchedDisplay: Display {
    private let search: DisplaySearch
    private let make: (DisplayWiring) -> any Display
    private let found: (DisplayWiring) -> Void
    /// Nil: none was found yet.
    private var display: (any Display)?
    private var outage = ReconnectBackoff()

    /// - Parameter found: receives the wiring of the display, once it shows a frame.
    init(
        _ search: DisplaySearch, make: @escaping (DisplayWiring) -> any Display,
        found: @escaping (DisplayWiring) -> Void
    ) {
        self.search = search
        self.make = make
        self.found = found
    }

    mutating func show(_ frame: Frame, at now: Instant) -> DisplayReport {
        if let report = display?.show(frame, at: now) { return report }
        if let fault = outage.fault, now < outage.nextTry { return DisplayReport(fault, until: outage.nextTry) }
        do throws(DeviceError) {
            let wiring = try search.run()
            var new = make(wiring)
            let report = new.show(frame, at: now)
            if case .absent(let fault) = report.health {
                new.close(last: frame, at: now)
                throw DeviceError(fault)
            }
            display = new
            if wiring.origin == .found { found(wiring) }
            return report
        } catch {
            outage.extend(by: error, at: now)
            return DisplayReport(error, until: outage.nextTry)
        }
    }

    mutating func close(last frame: Frame, at now: Instant) { display?.close(last: frame, at: now) }
}
