extension PinMap {
    /// PCF8574 boards by their names in the setting `pins` of boardd.toml, each with the polarity of its backlight.
    public static let named: [String: PinMap] = [
        // YwRobot, DFRobot, SainSmart, "LCM1602 IIC" and most others: an NPN transistor lights the panel.
        "standard": .standard,
        // "LCM1602 Robot Arduino": the same pins, a PNP transistor.
        "robot-arduino": PinMap.standard.backlight(activeHigh: false),
        // mjkdz, GY-I2CLCD.
        "mjkdz": PinMap(rs: 6, rw: 5, e: 4, backlight: 7, data: [0, 1, 2, 3], isBacklightActiveHigh: false),
        // ElectroFun LCDXIO, lcdproc's default map.
        "lcdxio": PinMap(rs: 4, rw: 5, e: 6, backlight: 7, data: [0, 1, 2, 3], isBacklightActiveHigh: false),
        // Joy-it RB-LCD20x4.
        "joy-it": PinMap(rs: 4, rw: 5, e: 7, backlight: 6, data: [0, 1, 2, 3]),
    ]
}
