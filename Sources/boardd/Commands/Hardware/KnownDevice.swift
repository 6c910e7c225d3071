internal import BoardCore

/// What a device on an I2C bus can be, by its address alone: a device without a kernel driver cannot be identified without
/// writing to it.
struct KnownDevice: Hashable, Sendable {
    let description: String
    /// The driver of the display that it can be; nil: it is none.
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
