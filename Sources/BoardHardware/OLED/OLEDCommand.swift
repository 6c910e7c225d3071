internal import BoardCore

/// The commands of the SSD1306 (data sheet, table 9) and the SH1106 (data sheet, table 16) that the driver uses. A transfer
/// begins with a control byte, which makes all other bytes commands or data.
enum OLEDCommand {
    /// The control byte before commands.
    static let commands: UInt8 = 0x00
    /// The control byte before data.
    static let data: UInt8 = 0x40

    static let off: UInt8 = 0xAE
    static let on: UInt8 = 0xAF

    /// Six of these complete the longest command (scrolling, of which noise may have sent the first byte).
    private static let noOperation: UInt8 = 0xE3

    /// Sets the address of the next data: a page of eight rows, and a column of the memory.
    static func address(page: Int, column: Int) -> [UInt8] {
        let column = UInt8(truncatingIfNeeded: column)
        return [0xB0 | UInt8(truncatingIfNeeded: page & 7), column & 0xF, 0x10 | column >> 4]
    }

    /// All settings, from any state of the controller, without display on or off.
    static func settings(_ panel: OLEDPanel) -> [UInt8] {
        let isHigh = panel.height == 64
        var bytes: [UInt8] = Array(repeating: noOperation, count: 6)
        switch panel.chip {
        case .ssd1306:
            bytes += [0x2E]  // no scrolling
            bytes += [0x20, 0x02]  // addresses stay in their page
            bytes += [0x8D, 0x14]  // charge pump on
            bytes += [0xD9, 0xF1, 0xDB, 0x40]  // precharge and deselect level for the charge pump
            bytes += [0xD5, 0x80]  // clock, as after a reset
        case .sh1106:
            bytes += [0xEE]  // no read-modify-write
            bytes += [0xAD, 0x8B]  // charge pump on
            bytes += [0xD9, 0x22, 0xDB, 0x35, 0xD5, 0x50]  // precharge, deselect level and clock, as after a reset
        }
        bytes += [0xA8, UInt8(panel.height - 1)]  // rows
        bytes += [0xD3, 0x00, 0x40]  // the first row of the memory is the top one
        bytes += [0xA1, 0xC8]  // pin header above the picture
        bytes += [0xDA, isHigh ? 0x12 : 0x02]  // rows wired alternately or in sequence
        bytes += [0x81, UInt8(max(1, min(255, panel.brightness * 255 / 100)))]
        bytes += [0xA4, 0xA6]  // the memory's picture, not inverted
        return bytes
    }
}
