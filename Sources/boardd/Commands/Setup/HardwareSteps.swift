import BoardCore
import BoardDisplays
import BoardIO
import BoardService
import BoardStore
import Glibc

// The display and the button.
extension SetupStep {
    /// The program of Raspberry Pi OS that switches I2C on.
    private static let switcher = "/usr/bin/raspi-config"
    private static let pressLimit = Duration.seconds(20)

    /// Switches I2C on where Raspberry Pi OS can.
    static var bus: SetupStep {
        SetupStep(option: "i2c", help: "I2C is the bus that displays use.") { session throws(ServiceError) in
            guard session.entries.displays == nil else { return nil }
            let buses = try await scan(session)
            guard buses.isEmpty, unsafe access(switcher, X_OK) == 0 else { return nil }
            return SetupPrompt(text: "I2C is off. Switch it on (yes, no)", standard: "yes")
        } take: { session, entry throws(ServiceError) in
            guard try isYes(entry) else { return }
            let environment = Environment.current
            let output = try await DedicatedThread.attempt("raspi-config") {
                Subprocess.change([switcher, "nonint", "do_i2c", "0"], environment: environment)
            }
            if let text = output, !text.isEmpty { StandardError.write(text) }
            if try await scan(session).isEmpty {
                StandardError.write("remark: no I2C bus yet: restart the Pi, then run boardd setup again\n")
            }
        }
    }

    private static func scan(_ session: SetupSession) async throws(ServiceError) -> [I2CBusScan] {
        let buses = try await DedicatedThread.attempt("scan") { I2CBusScan.all() }
        session.entries.displays = buses.displays
        return buses
    }

    /// One of the displays that respond.
    static var display: SetupStep {
        SetupStep(option: "display", help: "Displays that respond on the I2C bus.") { session throws(ServiceError) in
            let displays = session.entries.displays ?? []
            guard let first = displays.first else {
                StandardError.write(
                    "remark: no display responds on I2C; wires: docs/wiring.md, then boardd doctor. The board works without "
                        + "one, too: boardd status prints it\n")
                return nil
            }
            guard displays.count > 1 else {
                try use(first, session)
                return nil
            }
            return SetupPrompt(text: "Display", choices: displays.map(\.summary), standard: "1")
        } take: { session, entry throws(ServiceError) in
            let displays = session.entries.displays ?? []
            try use(displays[try SetupDialogue.index(entry, of: displays.map(\.summary))], session)
        }
    }

    private static func use(_ display: ProposedDisplay, _ session: SetupSession) throws(ServiceError) {
        try session.set(display.settings, in: "[display]")
    }

    /// The size of a character LCD, with a picture that shows whether it is right.
    static var size: SetupStep {
        SetupStep(
            option: "size",
            help:
                "Columns and rows of a character LCD. If the picture is pale or dark, turn the screw on its back first."
        ) { session throws(ServiceError) in
            let wiring = try session.load().display
            guard wiring.driver == .hd44780, session.entries.displays?.isEmpty == false else { return nil }
            let isShown = try await show(wiring, session)
            return SetupPrompt(
                text: "Size of the display: 16x2, 20x2, 40x2, 16x4 or 20x4"
                    + (isShown ? "; it now shows a number at both ends of each row" : ""),
                standard: "\(wiring.panel.size)")
        } take: { session, entry throws(ServiceError) in
            try session.set([("size", TOMLText.quoted(entry))], in: "[display]")
            _ = try await show(try session.load().display, session)
        }
    }

    /// Shows the picture of the size, unless a board that cannot be stopped uses the display; returns whether it is shown.
    private static func show(_ wiring: DisplayWiring, _ session: SetupSession) async throws(ServiceError) -> Bool {
        guard session.isInteractive, try await hasDevices(session) else { return false }
        guard let picture = TestPicture.numbers(for: wiring) else { return false }
        let report = try await DedicatedThread.attempt("display") {
            var display = HardwareDisplay.make(wiring)
            let report = display.show(picture.frame, at: SystemClock().now())
            display.close(last: picture.frame, at: SystemClock().now())
            return report
        }
        guard case .absent(let fault) = report.health else { return true }
        StandardError.write("remark: the display does not respond: \(fault)\n")
        return false
    }

    /// Stops the machine's service; returns whether the display and the button are free.
    private static func hasDevices(_ session: SetupSession) async throws(ServiceError) -> Bool {
        if let service = session.service { try await DedicatedThread.attempt("setup") { service.stop() } }
        return await !ConfigurationOption.runningBoard(timeout: .seconds(2)).isResponding
    }

    /// The GPIO line of the button, which is pressed once.
    static var button: SetupStep {
        SetupStep(option: "button", help: "The GPIO line (BCM number) of the button, which connects it to ground.") {
            session throws(ServiceError) in
            let known = try session.load().buttons.map(\.wiring)
            guard session.isInteractive,
                let wirings = try? await DedicatedThread.attempt(
                    "scan",
                    {
                        Result { () throws(DeviceError) in try ButtonWiring.searched(with: known, GPIOScan()) }
                    }
                ).get(), try await hasDevices(session)
            else { return nil }
            StandardError.write("Press the button now, or wait.\n")
            let remark: String
            switch await pressed(of: wirings) {
            case .success(let pressed?):
                if !known.contains(pressed) {
                    let wiring = [
                        ("line", "\(pressed.line)"), ("pull", TOMLText.quoted("up")), ("chip", TOMLText.quoted("auto")),
                    ]
                    // Those of another wiring would hold for this line, too.
                    try session.set(known.isEmpty ? [wiring[0]] : wiring, in: "[[button]]")
                }
                remark = "The button works, at GPIO \(pressed.line)."
            case .success: remark = "remark: no press was seen; the button connects a line to ground: docs/wiring.md"
            case .failure(let fault): remark = "remark: \(fault)"
            }
            StandardError.write(remark + "\n")
            return nil
        } take: { session, entry throws(ServiceError) in
            try session.set([("line", entry)], in: "[[button]]")
        }
    }

    /// The first button that is pressed within the time; nil: none.
    private static func pressed(of wirings: [ButtonWiring]) async -> Result<ButtonWiring?, DeviceError> {
        await withTaskGroup(of: Result<ButtonWiring?, DeviceError>.self) { group in
            let (presses, report) = AsyncStream.makeStream(of: ButtonWiring.self)
            group.addTask {
                do throws(DeviceError) {
                    try await GPIOButtons(wirings).watch { change in
                        if change.isDown { report.yield(wirings[change.button.index]) }
                    }
                    return .success(nil)
                } catch {
                    return .failure(error)
                }
            }
            group.addTask { .success(await SystemClock().first(of: presses, within: pressLimit)) }
            let first = await group.next() ?? .success(nil)
            group.cancelAll()
            return first
        }
    }

    static func isYes(_ entry: String) throws(ServiceError) -> Bool {
        switch entry.lowercased() {
        case "y", "yes": return true
        case "n", "no": return false
        default: throw ServiceError(.malformed, "\"\(entry)\" must be yes or no")
        }
    }
}
