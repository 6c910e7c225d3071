import BoardCore
import BoardDisplays
import BoardIO
import BoardService
import BoardStore
import Glibc

/// Makes the display, the buttons and the board's setup for a configuration.
struct DeviceFactory: Sendable {
    enum DisplayTarget: Hashable, Sendable {
        /// The panel of the configuration.
        case hardware
        /// This terminal; keys are buttons.
        case terminal
        /// Standard output, as text; ends after this number of frames, or never.
        case plain(frames: Int?)
    }

    let displayTarget: DisplayTarget
    /// The descriptor to which every frame is also written as JSON; nil: none.
    let frameLog: Int32?
    let zone: Zone
    /// A line under a display in a terminal; nil: none.
    var note: String?
    /// Receives the wiring of a display that was searched for, on the display's thread.
    var found: @Sendable (DisplayWiring) -> Void = { _ in }
    /// Ends the program: the last frame was printed, or the quit key was pressed.
    let end: @Sendable () -> Void
    /// Ends the program: standard output, which simulates the display, failed.
    let lost: @Sendable (OutputError) -> Void

    func display(_ wiring: DisplayWiring) -> DisplayService.Factory {
        { [displayTarget, frameLog, note, found, end, lost] in
            let main: any Display =
                switch displayTarget {
                case .terminal:
                    StreamDisplay(
                        display: SimulatedDisplay(
                            .terminal(
                                descriptor: STDOUT_FILENO,
                                hasColour: Terminal.usesColour(environment: Environment.current), note: note)),
                        lost: lost)
                case .plain(let frames):
                    StreamDisplay(
                        display: SimulatedDisplay(.text(descriptor: STDOUT_FILENO), limit: frames) { count in
                            if count == frames { end() }
                        }, lost: lost)
                case .hardware: HardwareDisplay.make(wiring, found: found)
                }
            guard let frameLog else { return main }
            return TeeDisplay(first: main, second: SimulatedDisplay(.log(descriptor: frameLog)))
        }
    }

    func buttons(_ buttons: [ButtonConfiguration]) -> any Buttons {
        switch displayTarget {
        case .hardware: GPIOButtons(buttons.map(\.wiring))
        case .terminal: TerminalKeys(keys: SimulatedButtons(onQuit: end), lost: end)
        case .plain: NoButtons()
        }
    }

    /// Whether ``searchedButtons(with:)`` finds presses at all.
    var hasButtons: Bool { if case .plain = displayTarget { false } else { true } }

    /// The buttons at every line that may have one, and the lines; blocks.
    ///
    /// - Parameter known: those of the configuration.
    func searchedButtons(
        with known: [ButtonConfiguration]
    ) throws(DeviceError) -> (buttons: any Buttons, lines: [UInt32]) {
        let known = known.map(\.wiring)
        guard displayTarget == .hardware else {
            return (buttons([]), (known.isEmpty ? [ButtonWiring()] : known).map(\.line))
        }
        let wirings = try ButtonWiring.searched(with: known, GPIOScan())
        return (GPIOButtons(wirings), wirings.map(\.line))
    }

    /// Whether a new configuration needs another display. A simulated one takes every frame, and one that is searched for goes
    /// on when it is found.
    func needsDisplay(_ new: Configuration, after old: Configuration) -> Bool {
        displayTarget == .hardware && new.display != old.display
            && [new, old].contains { $0.display.origin == .configured }
    }

    func needsButtons(_ new: Configuration, after old: Configuration) -> Bool {
        displayTarget == .hardware && new.buttons.map(\.wiring) != old.buttons.map(\.wiring)
    }

    func setup(_ current: ActiveConfiguration) -> Board.Setup {
        let configuration = current.configuration
        return Board.Setup(
            options: configuration.board, favourites: current.favourites.favourites,
            buttons: configuration.buttons.map(\.binding), profiles: current.profiles,
            size: configuration.display.panel.size, hasDoubleSize: configuration.display.hasDoubleSize, zone: zone,
            directoryStops: current.favourites.known, fault: configuration.setAside,
            allowsSetup: configuration.page.allowsSetup)
    }
}

/// Two displays with the same frames: the panel, and a log of its frames.
struct TeeDisplay: Display {
    var first: any Display
    var second: any Display

    mutating func show(_ frame: Frame, at now: Instant) -> DisplayReport {
        _ = second.show(frame, at: now)
        return first.show(frame, at: now)
    }

    mutating func close(last frame: Frame, at now: Instant) {
        second.close(last: frame, at: now)
        first.close(last: frame, at: now)
    }
}

private struct NoButtons: Buttons {
    func watch(_ receive: @escaping @Sendable (ButtonChange) -> Void) async throws(DeviceError) {}
}

/// A simulated display that ends the program when its descriptor fails: unlike hardware, a closed pipe or terminal
/// does not come back.
struct StreamDisplay: Display {
    var display: SimulatedDisplay
    let lost: @Sendable (OutputError) -> Void

    mutating func show(_ frame: Frame, at now: Instant) -> DisplayReport {
        let report = display.show(frame, at: now)
        if report.health != .shown { lost(OutputError(number: display.writeError)) }
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

    func watch(_ receive: @escaping @Sendable (ButtonChange) -> Void) async throws(DeviceError) {
        do {
            try await keys.watch(receive)
        } catch {
            lost()
            throw error
        }
    }
}
