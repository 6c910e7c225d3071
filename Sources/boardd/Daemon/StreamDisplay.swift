internal import BoardCore
internal import BoardSimulation

/// A simulated display that ends the program when its descriptor fails: unlike hardware, a closed pipe or terminal does not
/// come back.
struct StreamDisplay: Display {
    var display: SimulatedDisplay
    let lost: @Sendable (OutputFailure) -> Void

    mutating func show(_ frame: Frame, at now: Instant) -> DisplayReport {
        let report = display.show(frame, at: now)
        if report.health != .shown { lost(OutputFailure(number: display.writeError)) }
        return report
    }

    mutating func close(last frame: Frame, at now: Instant) {
        display.close(last: frame, at: now)
    }
}

/// The keys of a terminal, whose loss ends the program: closing the window also sends the signal that means "reload".
struct TerminalKeys: Buttons {
    let keys: SimulatedButtons
    let lost: @Sendable () -> Void

    func watch(_ receive: @escaping @Sendable (ButtonChange) -> Void) async throws(ButtonFault) {
        do {
            try await keys.watch(receive)
        } catch {
            lost()
            throw error
        }
    }
}
