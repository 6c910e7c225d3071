internal import BoardCore
internal import BoardHardware
internal import BoardSimulation
internal import BoardStore
internal import Glibc

/// What a configuration means in this process: which display, which buttons, which board.
struct DeviceFactory: Sendable {
    /// Where the glass is.
    enum DisplayTarget: Hashable, Sendable {
        /// The panel of the configuration.
        case hardware
        /// This terminal; keys are buttons.
        case terminal
        /// Standard output, as text; ends after so many frames, or never.
        case plain(frames: Int?)
    }

    let displayTarget: DisplayTarget
    /// A descriptor to which every frame is also written as JSON; nil: none.
    let frameLog: Int32?
    /// The machine's zone.
    let zone: Zone
    /// Ends the program: the last frame was printed, or a key asked for it.
    let end: @Sendable () -> Void
    /// Ends the program: standard output, on which the display is simulated, takes no more.
    let lost: @Sendable (OutputFailure) -> Void

    /// The display of a configuration.
    func display(_ wiring: DisplayWiring) -> DisplayService.Factory {
        { [displayTarget, frameLog, end, lost] in
            let main: any Display =
                switch (displayTarget, wiring.driver) {
                case (.terminal, _):
                    StreamDisplay(
                        SimulatedDisplay(
                            .terminal(
                                descriptor: STDOUT_FILENO,
                                hasColour: Terminal.wantsColour(environment: Environment.current))), lost: lost)
                case (.plain(let frames), _):
                    StreamDisplay(
                        SimulatedDisplay(.text(descriptor: STDOUT_FILENO), limit: frames) { count in
                            if count == frames { end() }
                        }, lost: lost)
                case (.hardware, .none): NoDisplay()
                case (.hardware, .hd44780): HD44780Display(wiring)
                }
            guard let frameLog else { return main }
            return TeeDisplay(first: main, second: SimulatedDisplay(.log(descriptor: frameLog)))
        }
    }

    /// The buttons of a configuration.
    func buttons(_ buttons: [ButtonConfiguration]) -> any Buttons {
        switch displayTarget {
        case .hardware: GPIOButtons(buttons.map(\.wiring))
        case .terminal: TerminalKeys(SimulatedButtons(onQuit: end), lost: end)
        case .plain: ScriptedButtons()
        }
    }

    /// Whether a new configuration wants another display than the old one. A simulated one takes every frame.
    func needsDisplay(_ new: Configuration, after old: Configuration) -> Bool {
        displayTarget == .hardware && new.display != old.display
    }

    /// Whether a new configuration wants other buttons than the old one.
    func needsButtons(_ new: Configuration, after old: Configuration) -> Bool {
        displayTarget == .hardware && new.buttons.map(\.wiring) != old.buttons.map(\.wiring)
    }

    /// The board of a configuration.
    func setup(_ current: ReloadService.ActiveConfiguration) -> Board.Setup {
        let configuration = current.configuration
        return Board.Setup(
            options: configuration.board, favourites: current.favourites.favourites,
            buttons: configuration.buttons.map(\.binding), profiles: current.profiles,
            size: configuration.display.panel.size, zone: zone, directoryStops: current.favourites.known)
    }
}
