import BoardCore
import BoardDisplays
import BoardIO
import Logging
import PanelModel
import ServiceLifecycle
import Testing
import Waiting

@testable import boardd

/// The daemon's services around a modelled panel and a scripted operator, in one process.
final class TestBoard: Sendable {
    let bus: SimulatedExpander
    let log = CapturedLog()
    let mailbox: Mailbox<BoardLoop.Message>
    let display: DisplayService
    let polls: PollService
    private let setup: Board.Setup
    private let group: ServiceGroup

    /// The services with these favourites of the scripted operator, and a 20x4 panel.
    ///
    /// - Parameters:
    ///   - makeDisplay: makes another display than the modelled panel.
    ///   - graceful: how long services may take to end before they are cancelled.
    ///   - deadline: ends the program if they still run.
    ///   - save: receives the snapshots.
    init(
        _ feed: ScriptedFeed, codes: [String] = ["1"],
        makeDisplay: DisplayService.Factory? = nil, graceful: Duration = Patience.endless,
        deadline: ShutdownDeadline = ShutdownDeadline(limit: Patience.endless) {},
        save: @escaping @Sendable (Board.Snapshot) -> Void = { _ in }
    ) throws {
        let panel = Panel(size: DisplaySize(columns: 20, rows: 4))
        let bus = SimulatedExpander(panel: panel, start: .pending(0x5))
        self.bus = bus
        let clock = SystemClock()
        let mailbox = try Mailbox<BoardLoop.Message>()
        self.mailbox = mailbox
        let manager = SystemdNotifier(environment: [:])
        let watchdog = Watchdog(manager: manager)
        let limitedLog = log.rateLimited()
        let display = try DisplayService(
            makeDisplay ?? { HD44780Display(panel: panel, resync: nil, bus: bus) }, clock: clock, log: limitedLog,
            tried: { watchdog.tried(at: $0) })
        self.display = display
        let polls = PollService(feeds: [ScriptedFeed.name: feed], log: limitedLog) {
            mailbox.post(.event($0))
        }
        self.polls = polls
        let setup = Board.Setup(
            favourites: codes.map { Favourite(stop: StopID(feed: ScriptedFeed.name, code: $0), label: "Stop \($0)") },
            profiles: [ScriptedFeed.name: ScriptedFeed.profile], size: panel.size, zone: .utc)
        self.setup = setup
        let loop = BoardLoop(
            mailbox, clock: clock, manager: manager, watchdog: watchdog, display: display,
            handlers: .init(poll: { polls.poll($0) }, save: save)
        ) {
            Board(setup, reading: clock.reading(), seed: 1, at: clock.now())
        }
        var configuration = ServiceGroupConfiguration(
            services: [
                .init(service: Supervisor(name: "display", base: display, log: limitedLog, clock: clock)),
                .init(service: polls),
                .init(
                    service: loop, successTerminationBehavior: .gracefullyShutdownGroup,
                    failureTerminationBehavior: .gracefullyShutdownGroup),
                .init(service: deadline),
            ], logger: Logger(label: "services") { _ in SwiftLogNoOpLogHandler() })
        configuration.maximumGracefulShutdownDuration = graceful
        group = ServiceGroup(configuration: configuration)
    }

    /// Runs the services during `body`, then ends them.
    func live(_ body: () async throws -> Void) async throws {
        let running = Task { try await group.run() }
        do {
            try await body()
        } catch {
            await group.triggerGracefulShutdown()
            _ = try? await running.value
            throw error
        }
        await group.triggerGracefulShutdown()
        try await running.value
    }

    /// Waits until a row of the screen contains this text.
    func shows(_ text: String) async -> Bool {
        await eventually { bus.screen.contains { $0.contains(text) } }
    }

    /// Presses button 0 for a moment.
    func press() {
        let now = SystemClock().now()
        mailbox.post(.event(.button(ButtonChange(button: ButtonID(0), isDown: true, at: now))))
        mailbox.post(.event(.button(ButtonChange(button: ButtonID(0), isDown: false, at: now + .milliseconds(80)))))
    }
}
