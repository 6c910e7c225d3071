import ArgumentParser
import BoardCore
import BoardDisplays
import BoardIO
import BoardService
import BoardStore
import Logging
import ServiceLifecycle
import Synchronization
import UnixSignals

/// `boardd hardware test`: pictures on the display of the configuration, and the presses of its buttons.
struct HardwareTestCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "test",
        abstract: "Show test pictures on the configured display, and print each press of a button.",
        discussion: """
            Prints what each picture should look like, then waits for presses; Ctrl-C ends the test. The board must not run: \
            stop it with `sudo systemctl stop boardd`, and start it afterwards. Exit status: 0 the display responds, \
            69 it does not, 75 the board runs, 78 faulty files. Example: boardd hardware test
            """)

    @OptionGroup var configuration: ConfigurationOption

    @Option(help: ArgumentHelp("Show each picture this long, 1 to 60.", valueName: "seconds"))
    var pause = 4

    func validate() throws {
        guard (1...60).contains(pause) else { throw ValidationError("--pause is \(pause), but must be from 1 to 60.") }
    }

    func run() async throws {
        let loaded = try configuration.loadOrExit()
        guard try await !Self.isBoardRunning() else {
            throw ServiceError(
                .unavailable,
                "boardd is running and uses the display and the buttons. Stop it first: sudo systemctl stop boardd. "
                    + "After the test: sudo systemctl start boardd.")
        }
        let status = try await test(loaded)
        if status != 0 { throw ExitCode(status) }
    }

    /// Whether a daemon listens on the control socket, which only a board with real devices has, or holds a line of the
    /// pin header.
    static func isBoardRunning() async throws(ThreadError) -> Bool {
        if await ConfigurationOption.runningBoard(timeout: .seconds(2)).isResponding { return true }
        let header = try await DedicatedThread.run("scan") { GPIOScan().header }
        return (try? header.get().consumers.values.contains(GPIOButtons.consumer)) ?? false
    }

    /// That of the configuration, or what a search finds: the pictures depend on its size.
    static func wiring(_ loaded: Configuration) async throws(ThreadError) -> DisplayWiring {
        guard loaded.display.origin == .searched else { return loaded.display }
        let found = try await DedicatedThread.run("scan") {
            Result { () throws(DeviceError) in try DisplaySearch().run() }
        }
        return (try? found.get()) ?? loaded.display
    }

    private func test(_ loaded: Configuration) async throws -> Int32 {
        let handler = JournalHandler(threshold: LogThreshold(loaded.logLevel), isJournal: false)
        let clock = SystemClock()
        let log = RateLimitedLog(Logger(label: "boardd") { _ in handler }, clock: clock)
        let devices = DeviceFactory(displayTarget: .hardware, frameLog: nil, zone: .utc, end: {}, lost: { _ in })
        let mailbox = try Mailbox<HardwareTestService.Message>()
        let wiring = try await Self.wiring(loaded)
        if let finding = wiring.finding { try StandardOutput.write("display: \(finding)\n") }
        let display = try DisplayService(devices.display(wiring), clock: clock, log: log)
        let buttons = ButtonService(devices.buttons(loaded.buttons), log: log, clock: clock) {
            mailbox.post(.button($0))
        }
        let test = HardwareTestService(
            HardwareTestCourse(
                wiring, bindings: loaded.buttons.map(\.binding), pause: .seconds(pause), at: clock.now()),
            last: TestPicture.end(wiring.panel.size), mailbox: mailbox, clock: clock, display: display)
        var group = ServiceGroupConfiguration(
            services: [
                .init(service: display), .init(service: buttons),
                .init(service: test, successTerminationBehavior: .gracefullyShutdownGroup),
            ],
            gracefulShutdownSignals: [.sigterm, .sigint],
            logger: Logger(label: "services") { _ in SwiftLogNoOpLogHandler() })
        group.maximumGracefulShutdownDuration = ShutdownDeadline.graceful
        try await ServiceGroup(configuration: group).run()
        if let failure = test.outputFailure { throw failure }
        return wiring.driver == .none || display.lastHealth == .shown ? 0 : ExitStatus.unavailable
    }
}

/// The thread of the test: it shows the pictures and prints the presses.
final class HardwareTestService: Service {
    enum Message: Sendable {
        case button(ButtonChange)
        case stop
    }

    private let course: HardwareTestCourse
    private let last: Frame
    private let mailbox: Mailbox<Message>
    private let clock: any MachineClock
    private let display: DisplayService
    private let failure = Mutex<OutputError?>(nil)

    /// - Parameter last: the frame after the test.
    init(
        _ course: HardwareTestCourse, last: Frame, mailbox: Mailbox<Message>, clock: any MachineClock,
        display: DisplayService
    ) {
        self.course = course
        self.last = last
        self.mailbox = mailbox
        self.clock = clock
        self.display = display
    }

    /// Why standard output failed, which ends the test; nil: it did not.
    var outputFailure: OutputError? { failure.withLock { $0 } }

    func run() async throws {
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await DedicatedThread.run("test") { self.iterate() }
        } onCancelOrGracefulShutdown: {
            self.mailbox.post(.stop)
        }
    }

    private func iterate() {
        var course = course
        do throws(OutputError) {
            while !course.isOver {
                for message in mailbox.take(until: course.nextWake(after: clock.now()), clock: clock) {
                    guard case .button(let change) = message else { return display.close(last: last) }
                    try perform(course.handle(change))
                }
                try perform(course.advance(to: clock.now()))
            }
        } catch {
            failure.withLock { $0 = error }
        }
        display.close(last: last)
    }

    private func perform(_ steps: [HardwareTestCourse.Step]) throws(OutputError) {
        for step in steps {
            switch step {
            case .print(let line): try StandardOutput.write(line + "\n")
            case .show(let frame): display.show(frame)
            }
        }
    }
}

/// The course of `boardd hardware test`: the pictures in turn, and every press. Pure.
struct HardwareTestCourse {
    enum Step: Hashable {
        case print(String)
        case show(Frame)
    }

    private let size: DisplaySize
    private let pause: Duration
    private let bindings: [ButtonBinding]
    private var recognisers: [GestureRecogniser]
    private var pictures: [TestPicture]
    private var nextPictureAt: Instant?

    /// - Parameters:
    ///   - pause: how long each picture is shown.
    ///   - now: when the first one is.
    init(_ display: DisplayWiring, bindings: [ButtonBinding], pause: Duration, at now: Instant) {
        size = display.panel.size
        self.pause = pause
        self.bindings = bindings
        recognisers = bindings.map { _ in GestureRecogniser() }
        pictures = TestPicture.all(for: display)
        nextPictureAt = now
    }

    /// Whether the pictures are over and no press can come.
    var isOver: Bool { nextPictureAt == nil && bindings.isEmpty }

    /// When ``advance(to:)`` has the next steps; nil: only after a press.
    func nextWake(after now: Instant) -> Instant? {
        (recognisers.map { $0.deadline(after: now) } + [nextPictureAt]).compactMap(\.self).min()
    }

    mutating func advance(to now: Instant) -> [Step] {
        var steps: [Step] = []
        for index in recognisers.indices {
            if let gesture = recognisers[index].expire(at: now) { steps += report(gesture, of: index) }
        }
        guard let due = nextPictureAt, due <= now else { return steps }
        if !pictures.isEmpty {
            nextPictureAt = due + pause
            return steps + show(pictures.removeFirst())
        }
        nextPictureAt = nil
        return bindings.isEmpty ? steps : steps + show(.buttons(size, last: ""))
    }

    mutating func handle(_ change: ButtonChange) -> [Step] {
        let index = change.button.index
        guard recognisers.indices.contains(index) else { return [] }
        let gestures =
            change.isDown
            ? [recognisers[index].press(at: change.at)].compactMap(\.self)
            : recognisers[index].release(at: change.at, awaitsDouble: true)
        return gestures.flatMap { report($0, of: index) }
    }

    private func show(_ picture: TestPicture) -> [Step] {
        [.show(picture.frame), .print(picture.expected)]
    }

    private func report(_ gesture: Gesture, of index: Int) -> [Step] {
        let text = "button \(ButtonID(index).number): \(gesture.rawValue)"
        let line = Step.print("\(text), which does: \(bindings[index].action(of: gesture).rawValue)")
        return nextPictureAt == nil ? [.show(TestPicture.buttons(size, last: text).frame), line] : [line]
    }
}

extension ButtonBinding {
    fileprivate func action(of gesture: Gesture) -> ButtonAction {
        switch gesture {
        case .short: short
        case .hold: hold
        case .longHold: longHold
        case .double: double
        }
    }
}

/// A picture of `boardd hardware test`, and what a person should see.
struct TestPicture: Hashable, Sendable {
    let expected: String
    let frame: Frame

    /// The pictures for a display, in order; none without one.
    static func all(for display: DisplayWiring) -> [TestPicture] {
        let size = display.panel.size
        switch display.driver {
        case .hd44780:
            let first = [every(size), numbers(size, settings: "size or pins"), rom(display.panel), glyphs(size)]
            return display.panel.pins.backlight == nil
                ? first : first + lights(size, "The backlight is", else: "backlight_on or pins is wrong")
        case .ssd1306, .sh1106:
            let pictures = [every(size), numbers(size, settings: "driver, dots or size"), glyphs(size)]
            return pictures + lights(size, "The display is", else: "driver is wrong")
        case .ht16k33:
            return [every(size), columns(size)]
                + lights(size, "The modules are", else: "a module has another chip than an HT16K33")
        case .lcdproc:
            let pictures = [numbers(size, settings: "the size in LCDd.conf"), accent(size)]
            return pictures + lights(size, "The backlight is", else: "LCDd's driver cannot switch it")
        case .none:
            return []
        }
    }

    /// The picture that shows whether the size of a character LCD is right.
    static func numbers(for display: DisplayWiring) -> TestPicture? {
        display.driver == .hd44780 ? numbers(display.panel.size, settings: "size or pins") : nil
    }

    /// The picture while waiting for presses; `last` is the last one.
    static func buttons(_ size: DisplaySize, last: String) -> TestPicture {
        TestPicture(
            expected: "Press each button: short, twice, for one second, for two seconds. Ctrl-C ends the test.",
            frame: frame(size, "Press a button", last: last))
    }

    static func end(_ size: DisplaySize) -> Frame { frame(size, "Test ended") }

    private static func every(_ size: DisplaySize) -> TestPicture {
        let row = String(repeating: "█", count: size.columns)
        return TestPicture(
            expected: "Every dot or segment of every cell is on.",
            frame: Frame(columns: size.columns, rows: Array(repeating: row, count: size.rows)))
    }

    private static func numbers(_ size: DisplaySize, settings: String) -> TestPicture {
        var picture = frame(size, "  \(size)")
        for row in 0..<size.rows {
            picture.put("\(row + 1)", row: row)
            picture.put("\(row + 1)", row: row, column: size.columns - 1)
        }
        return TestPicture(
            expected:
                "The first and the last cell of each row hold its number, 1 to \(size.rows); else \(settings) is wrong.",
            frame: picture)
    }

    /// A different character in every cell of a row, so that modules in the wrong order show.
    private static func columns(_ size: DisplaySize) -> TestPicture {
        let characters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789")
        let rows = (0..<size.rows).map { row in
            // Two rows differ, since each has its own modules.
            String((0..<size.columns).map { characters[($0 + row * size.columns) % characters.count] })
        }
        return TestPicture(
            expected: "\(rows.joined(separator: ", then ")); else the order of modules, leds or size is wrong.",
            frame: Frame(columns: size.columns, rows: rows))
    }

    /// Two codes whose characters differ between the ROMs: an arrow and a degree sign, or a tilde and an ß.
    private static func rom(_ panel: Panel) -> TestPicture {
        let characters = ([0x7E, 0xDF] as [UInt8]).compactMap(panel.rom.character(of:))
        return TestPicture(
            expected:
                "After \"ROM\": an arrow and a degree sign for rom = \"A00\", a tilde and a German sharp s for \"A02\". "
                + "boardd.toml: \"\(panel.rom.rawValue)\".",
            frame: frame(panel.size, "ROM " + String(characters)))
    }

    private static func glyphs(_ size: DisplaySize) -> TestPicture {
        TestPicture(
            expected: "A walking person, two waves, three dots, a cross, a triangle, and an e with an acute accent.",
            frame: frame(size, "⇨ ~ … ✗ ⚠ é"))
    }

    private static func accent(_ size: DisplaySize) -> TestPicture {
        TestPicture(
            expected: "An e with an acute accent; else LCDd's driver shows no accents, and the board's are wrong.",
            frame: frame(size, "Accent é"))
    }

    private static func lights(_ size: DisplaySize, _ light: String, else cause: String) -> [TestPicture] {
        [false, true].map { isLit in
            let state = isLit ? "on" : "off"
            return TestPicture(
                expected: "\(light) \(state); else \(cause).", frame: frame(size, "Light \(state)", isLit: isLit))
        }
    }

    /// A frame with a text in the first row and one in the last, which replaces the first if there is a single row.
    private static func frame(_ size: DisplaySize, _ first: String, last: String = "", isLit: Bool = true) -> Frame {
        var frame = Frame(blank: size, isLit: isLit)
        if last.isEmpty || size.rows > 1 { frame.put(first, row: 0) }
        frame.put(last, row: size.rows - 1)
        return frame
    }
}
