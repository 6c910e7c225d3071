import BoardCore

/// The display that a configuration describes.
public enum HardwareDisplay {
    public static func make(_ wiring: DisplayWiring) -> any Display {
        switch wiring.driver {
        case .hd44780: HD44780Display(wiring)
        case .ssd1306: oled(.ssd1306, wiring)
        case .sh1106: oled(.sh1106, wiring)
        case .ht16k33: led(wiring)
        case .lcdproc:
            ReconnectingDisplay(LCDdLink(server: wiring.server, size: wiring.panel.size), resync: wiring.resync)
        case .none: NoDisplay()
        }
    }

    private static func oled(_ chip: OLEDChip, _ wiring: DisplayWiring) -> any Display {
        let panel = OLEDPanel(
            chip: chip, height: wiring.dotRows, size: wiring.panel.size, brightness: wiring.brightness)
        let device = I2CDevice(bus: wiring.bus, address: wiring.address, candidates: .oled)
        return ReconnectingDisplay(OLEDLink(panel: panel, bus: device), resync: wiring.resync)
    }

    private static func led(_ wiring: DisplayWiring) -> any Display {
        let panel = LEDPanel(modules: wiring.modules, size: wiring.panel.size, brightness: wiring.brightness)
        let devices = wiring.modules.addresses.map { address in
            I2CDevice(bus: wiring.bus, address: .fixed(address), candidates: .none)
        }
        return ReconnectingDisplay(LEDLink(panel: panel, buses: devices), resync: wiring.resync)
    }
}

extension I2CDevice: DeviceBus {}

/// `driver = "none"`: a board that is read only over the control socket.
private struct NoDisplay: Display {
    mutating func show(_ frame: Frame, at now: Instant) -> DisplayReport { DisplayReport(.shown) }
    mutating func close(last frame: Frame, at now: Instant) {}
}
