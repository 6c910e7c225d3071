internal import ArgumentParser
internal import BoardCore
internal import BoardHardware
internal import BoardIO
internal import BoardStore
internal import Logging
internal import ServiceLifecycle
internal import Synchronization
internal import UnixSignals

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
        let loaded: Configuration
        do throws(ConfigurationFaults) {
            loaded = try configuration.load()
        } catch {
            StandardError.write(error.description + "\n")
            throw ExitCode(ExitStatus.configuration)
        }
        if try await isBoardRunning() {
            StandardError.write(
                """
                boardd is running and uses the display and the buttons. Stop it first: sudo systemctl stop boardd. \
                After the test: sudo systemctl start boardd.

                """)
            throw ExitCode(ExitStatus.temporaryFailure)
        }
        let status = try await test(loaded)
        if status != 0 { throw ExitCode(status) }
    }

    /// Whether a daemon listens on the control socket, which only a board with real devices has, or holds a line of the pin
    /// header.
    private func isBoardRunning() async throws(ThreadFailure) -> Bool {
        if await ConfigurationOption.runningBoard(timeout: .seconds(2)).isResponding { return true }
        let header = try await DedicatedThread.run("scan") { GPIOScan().header }
        return (try? header.get().consumers.values.contains(GPIOButtons.consumer)) ?? false
    }

    private func test(_ loaded: Configuration) async throws -> Int32 {
        let handler = JournalHandler(threshold: LogThreshold(loaded.logLevel), isJournal: false)
        let clock = SystemClock()
        let log = RateLimitedLog(Logger(label: "boardd") { _ in handler }, clock: clock)
        let devices = DeviceFactory(displayTarget: .hardware, frameLog: nil, zone: .utc, end: {}, lost: { _ in })
        let mailbox = try Mailbox<HardwareTestService.Message>()
        let display = try DisplayService(devices.display(loaded.display), clock: clock, log: log)
        let buttons = ButtonService(devices.buttons(loaded.buttons), log: log, clock: clock) {
            mailbox.post(.button($0))
        }
        let test = HardwareTestService(
            HardwareTestCourse(
                loaded.display, bindings: loaded.buttons.map(\.binding), pause: .seconds(pause), at: clock.now()),
            last: TestPicture.end(loaded.display.panel.size), mailbox: mailbox, clock: clock, display: display)
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
        return loaded.display.driver == .none || display.lastHealth == .shown ? 0 : ExitStatus.unavailable
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
    private let failure = Mutex<OutputFailure?>(nil)

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
    var outputFailure: OutputFailure? { failure.withLock { $0 } }

    func run() async throws {
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await DedicatedThread.run("test") { self.iterate() }
        } onCancelOrGracefulShutdown: {
            self.mailbox.post(.stop)
        }
    }

    private func iterate() {
        var course = course
        do throws(OutputFailure) {
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

    private func perform(_ steps: [HardwareTestCourse.Step]) throws(OutputFailure) {
        for step in steps {
            switch step {
            case .print(let line): try StandardOutput.write(line + "\n")
            case .show(let frame): display.show(frame)
            }
        }
    }
}
