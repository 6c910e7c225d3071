/// The controller's execution times (HD44780U data sheet, table 6), in nanoseconds.
public struct ControllerTiming: Hashable, Sendable {
    /// An ordinary instruction.
    public let execution: Int64
    /// A data write: an instruction and the counter's step.
    public let data: Int64
    /// Clear and home.
    public let clear: Int64
    /// From power-on to the first instruction: 40 ms from 2.7 V on (figure 24).
    public let powerOn: Int64

    /// - Parameter oscillator: the frequency of the controller's oscillator in kilohertz; all times scale with it.
    public init(oscillator: Int64) {
        execution = 37_000 * 270 / oscillator
        data = execution + 1_500_000 / oscillator
        clear = 1_520_000 * 270 / oscillator
        powerOn = 40_000_000
    }

    /// At 270 kHz.
    public static let typical = ControllerTiming(oscillator: 270)
    /// At 190 kHz, the lowest that the data sheet allows.
    public static let slowest = ControllerTiming(oscillator: 190)
}
