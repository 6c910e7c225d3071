import BoardCore
import Testing

@testable import boardd

@Suite("The watchdog, of ten seconds")
struct WatchdogTests {
    private let socket: NotifySocket
    private let folder: TemporaryFolder
    private let watchdog: Watchdog

    init() throws {
        folder = try TemporaryFolder()
        socket = try NotifySocket("\(folder.path)/notify")
        watchdog = Watchdog(
            manager: SystemdNotifier(environment: ["NOTIFY_SOCKET": socket.name, "WATCHDOG_USEC": "10000000"]))
    }

    private func second(_ second: Double) -> Instant { Instant(microseconds: Int64(second * 1_000_000)) }

    @Test("READY is sent once, when the loop has iterated and the display has tried")
    func ready() {
        _ = watchdog.iterated(at: second(0))
        #expect(socket.messages().isEmpty)
        watchdog.tried(at: second(0.2))
        #expect(socket.messages() == ["READY=1"])
        _ = watchdog.iterated(at: second(1))
        watchdog.tried(at: second(1))
        #expect(socket.messages().isEmpty)
    }

    @Test("while frames change, a notification costs no wake-up and no attempt of its own")
    func busy() {
        for tenth in 0..<300 {
            let demand = watchdog.iterated(at: second(Double(tenth) / 10))
            #expect(!demand.needsAttempt)
            watchdog.tried(at: second(Double(tenth) / 10 + 0.02))
        }
        let messages = socket.messages()
        #expect(messages.first == "READY=1")
        #expect(messages.dropFirst().count == 5)
        #expect(messages.dropFirst().allSatisfy { $0 == "WATCHDOG=1" })
    }

    @Test("while nothing changes, one iteration and one attempt in five seconds keep it alive")
    func idle() {
        var now = second(0)
        _ = watchdog.iterated(at: now)
        watchdog.tried(at: now)
        _ = socket.messages()
        var last = now
        for _ in 0..<20 {
            let demand = watchdog.iterated(at: now)
            if demand.needsAttempt { watchdog.tried(at: now + .milliseconds(200)) }
            if !socket.messages().isEmpty {
                #expect(now - last < .seconds(6))
                last = now + .milliseconds(200)
            }
            now = demand.iterateBy ?? now + .seconds(60)
        }
        #expect(now - second(0) > .seconds(45), "woken every five seconds, not more often")
        #expect(now - last <= .seconds(6))
    }

    @Test("after READY, a loop that nothing else wakes iterates in time")
    func quietStart() {
        let demand = watchdog.iterated(at: second(0))
        watchdog.tried(at: second(0.1))
        let next = watchdog.iterated(at: demand.iterateBy ?? second(60))
        #expect(socket.messages() == ["READY=1"])
        let then = next.iterateBy ?? second(60)
        #expect(then - second(0.1) < .seconds(6))
        #expect(watchdog.iterated(at: then).needsAttempt)
        watchdog.tried(at: then)
        #expect(socket.messages() == ["WATCHDOG=1"])
    }

    @Test("a stuck display stops it, however often the loop iterates")
    func stuckDisplay() {
        _ = watchdog.iterated(at: second(0))
        watchdog.tried(at: second(0))
        _ = socket.messages()
        for time in 1..<60 { _ = watchdog.iterated(at: second(Double(time))) }
        #expect(socket.messages().isEmpty)
    }

    @Test("a stuck loop stops it, however often the display tries")
    func stuckLoop() {
        _ = watchdog.iterated(at: second(0))
        watchdog.tried(at: second(0))
        _ = socket.messages()
        for time in 1..<60 { watchdog.tried(at: second(Double(time))) }
        #expect(socket.messages().isEmpty)
    }

    @Test("a slow attempt notifies it at the moment it ends")
    func slow() {
        _ = watchdog.iterated(at: second(0))
        watchdog.tried(at: second(0))
        _ = socket.messages()
        #expect(watchdog.iterated(at: second(5)).needsAttempt)
        watchdog.tried(at: second(9))
        #expect(socket.messages() == ["WATCHDOG=1"])
    }

    @Test("READY is sent again when systemd's socket had no room for it")
    func retry() throws {
        let late = Watchdog(manager: SystemdNotifier(environment: ["NOTIFY_SOCKET": "\(folder.path)/late"]))
        _ = late.iterated(at: second(0))
        late.tried(at: second(0))
        let demand = late.iterated(at: second(1))
        #expect(demand.iterateBy == second(2))
        let socket = try NotifySocket("\(folder.path)/late")
        _ = late.iterated(at: second(2))
        #expect(socket.messages() == ["READY=1"])
    }

    @Test("without a watchdog period nothing is required")
    func none() {
        let free = Watchdog(manager: SystemdNotifier(environment: [:]))
        free.tried(at: second(0))
        #expect(free.iterated(at: second(0)) == Watchdog.LoopRequirement())
    }
}
