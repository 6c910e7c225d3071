/// The controller's instructions (HD44780U data sheet, table 6), and the pauses after the longer ones.
enum Instruction {
    /// Clears the cells; sent only while the display is off.
    static let clear: UInt8 = 0x01
    /// Also resets the display shift.
    static let home: UInt8 = 0x02
    /// The address increments, without display shift.
    static let entryMode: UInt8 = 0x06
    /// Display, cursor and blinking off.
    static let displayOff: UInt8 = 0x08
    static let displayOn: UInt8 = 0x0C
    /// 4-bit interface, two lines (every panel of two or four rows), 5x8 dots.
    static let functionSet: UInt8 = 0x28

    /// The nibble of "function set, 8 bit"; an initialisation begins with three of them.
    static let eightBitNibble: UInt8 = 0x3
    /// The nibble of "function set, 4 bit".
    static let fourBitNibble: UInt8 = 0x2

    /// Sets the address for further data to this cell.
    static func cell(_ address: UInt8) -> UInt8 { 0x80 | address }
    /// Sets the address for further data to this custom glyph.
    static func glyph(_ slot: Int) -> UInt8 { 0x40 | UInt8(truncatingIfNeeded: slot & 7) << 3 }

    /// The longest ordinary instruction: 60.5 µs, a data write at the slowest clock (190 kHz).
    static let execution: Duration = .nanoseconds(60_500)
    /// Clear and home: 2.16 ms at the slowest clock.
    static let clearing: Duration = .milliseconds(3)
    /// After power-on: at least 40 ms (data sheet, figure 24).
    static let powerOn: Duration = .milliseconds(50)
    /// After the first nibble 3: at least 4.1 ms. The nibble may also have completed a stray "home".
    static let firstFunctionSet: Duration = .milliseconds(5)
    /// After the others: at least 100 µs.
    static let laterFunctionSet: Duration = .microseconds(200)
}
