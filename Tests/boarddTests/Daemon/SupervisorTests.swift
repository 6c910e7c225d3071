import BoardCore
import BoardDisplays
import BoardIO
import Logging
import PanelModel
import ServiceLifecycle
import Synchronization
import Testing
import Waiting

@testable import boardd

@Suite("The supervisor of a service", .endsHangs)
struct SupervisorTests {
    /// A service that gets no thread the first time.
    private final class FailsOnce: ServiceLifecycle.Service {
        struct NoThread: Error, CustomStringConvertible {
            let description = "no thread"
        }

        let base: any ServiceLifecycle.Service
        private let runs = Mutex(0)
        var count: Int { runs.withLock { $0 } }

        init(_ base: any ServiceLifecycle.Service) {
            self.base = base
        }

        func run() async throws {
            let isFirst = runs.withLock { runs in
                runs += 1
                return runs == 1
            }
            if isFirst { throw NoThread() }
            try await base.run()
        }
    }

    @Test("a display that got no thread draws the newest frame after a restart, and ends with the last one")
    func display() async throws {
        let panel = Panel(size: DisplaySize(columns: 16, rows: 2))
        let bus = SimulatedExpander(panel: panel)
        let log = CapturedLog()
        let clock = VirtualClock()
        let display = try DisplayService(
            { HD44780Display(panel: panel, resync: nil, bus: bus) }, clock: SystemClock(), log: log.rateLimited())
        let failsOnce = FailsOnce(display)
        let quiet = Logger(label: "services") { _ in SwiftLogNoOpLogHandler() }
        let group = ServiceGroup(
            configuration: .init(
                services: [
                    .init(service: Supervisor(name: "display", base: failsOnce, log: log.rateLimited(), clock: clock))
                ],
                logger: quiet))
        display.show(Frame(columns: 16, rows: ["73 Victoria", ""]))
        let running = Task { try await group.run() }
        #expect(await clock.passSleep(of: .seconds(1)))
        #expect(await eventually { bus.screen.contains { $0.hasPrefix("73 Victoria") } })
        #expect(failsOnce.count == 2)
        #expect(log.lines == ["warning: display failed: no thread. Restarting."])
        display.close(last: Frame(columns: 16, rows: ["boardd stopped", ""]))
        await group.triggerGracefulShutdown()
        try await running.value
        #expect(bus.screen.contains { $0.hasPrefix("boardd stopped") })
        #expect(failsOnce.count == 2)
    }

    @Test("the wait before the next start does not delay the shutdown")
    func end() async throws {
        /// A service that ends at once.
        struct EndsAtOnce: ServiceLifecycle.Service {
            func run() async throws {}
        }
        let log = CapturedLog()
        let clock = VirtualClock()
        let quiet = Logger(label: "services") { _ in SwiftLogNoOpLogHandler() }
        let group = ServiceGroup(
            configuration: .init(
                services: [
                    .init(
                        service: Supervisor(name: "buttons", base: EndsAtOnce(), log: log.rateLimited(), clock: clock))
                ],
                logger: quiet))
        let running = Task { try await group.run() }
        #expect(await eventually { clock.slept == [.seconds(1)] })
        await group.triggerGracefulShutdown()
        try await running.value
        #expect(log.lines == ["warning: buttons ended. Restarting."])
    }

    /// A service that fails with each reason in turn, then runs until its gate opens, then fails with the first reason.
    private final class ScriptedService: ServiceLifecycle.Service {
        struct Failure: Error, CustomStringConvertible { let description: String }

        private let reasons: [String]
        private let runs = Mutex(0)
        let gate = Latch()
        var count: Int { runs.withLock { $0 } }

        init(_ reasons: [String]) {
            self.reasons = reasons
        }

        func run() async throws {
            let run = runs.withLock { runs in
                runs += 1
                return runs
            }
            if run <= reasons.count { throw Failure(description: reasons[run - 1]) }
            await gate.pass()
            throw Failure(description: reasons[0])
        }
    }

    @Test("each reason is logged once, and the recovery; after that the first reason is logged again")
    func reasons() async throws {
        let log = CapturedLog()
        let scripted = ScriptedService(["cold", "cold", "cold", "wet", "cold", "wet"])
        let clock = VirtualClock()
        let service = Supervisor(name: "control", base: scripted, log: log.rateLimited(), clock: clock)
        let running = Task { try await service.run() }
        for seconds in [1, 2, 4, 8, 16, 32] { #expect(await clock.passSleep(of: .seconds(seconds))) }
        #expect(await eventually { scripted.count == 7 })
        #expect(log.lines.count == 2)
        #expect(await clock.passSleep(of: .seconds(60)))
        #expect(await eventually { log.lines.count == 3 })
        scripted.gate.open()
        // The wait before the next start is short again.
        #expect(await clock.passSleep(of: .seconds(1)))
        running.cancel()
        try await running.value
        let rest = "Restarting."
        #expect(
            log.lines.prefix(4) == [
                "warning: control failed: cold. \(rest)", "warning: control failed: wet. \(rest)",
                "notice: control runs again", "warning: control failed: cold. \(rest)",
            ])
    }
}
