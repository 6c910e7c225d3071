import BoardCore
import BoardDisplays
import BoardIO
import BoardService
import Logging
import ServiceLifecycle
import Synchronization
import Testing
import Waiting

@testable import boardd

@Suite("The service of the buttons", .endsHangs)
struct ButtonServiceTests {
    private struct Unreadable: Buttons {
        func watch(_ receive: @escaping @Sendable (ButtonChange) -> Void) async throws(DeviceError) {
            throw DeviceError("line 17 is in use")
        }
    }

    private struct Unpressed: Buttons {
        func watch(_ receive: @escaping @Sendable (ButtonChange) -> Void) async throws(DeviceError) {}
    }

    /// Presses that the test makes, while somebody watches.
    private final class Pressed: Buttons {
        private let watcher = Mutex<(@Sendable (ButtonChange) -> Void)?>(nil)

        func watch(_ receive: @escaping @Sendable (ButtonChange) -> Void) async throws(DeviceError) {
            watcher.withLock { $0 = receive }
            try? await gracefulShutdown()
            watcher.withLock { $0 = nil }
        }

        var isWatched: Bool { watcher.withLock { $0 != nil } }

        func press(_ button: Int) {
            let receive = watcher.withLock { $0 }
            receive?(ButtonChange(button: ButtonID(button), isDown: true, at: SystemClock().now()))
        }
    }

    @Test(
        "a search gets the presses, and the board none, until one of its buttons is pressed; of two the newer one")
    func search() async throws {
        let (board, searched, others) = (Pressed(), Pressed(), Pressed())
        let reported = Mutex<[ButtonID]>([])
        let service = ButtonService(board, log: CapturedLog().rateLimited(), clock: SystemClock()) { change in
            reported.withLock { $0.append(change.button) }
        }
        let quiet = Logger(label: "services") { _ in SwiftLogNoOpLogHandler() }
        let group = ServiceGroup(configuration: .init(services: [.init(service: service)], logger: quiet))
        let running = Task { try await group.run() }
        #expect(await eventually { board.isWatched })
        board.press(0)
        let found = Task { try await service.firstPress(of: searched, within: .seconds(600)) }
        #expect(await eventually { searched.isWatched && !board.isWatched })
        async let newer = service.firstPress(of: others, within: .seconds(600))
        #expect(await eventually { others.isWatched && !searched.isWatched })
        await #expect(throws: ServiceError.self) { try await found.value }
        others.press(2)
        #expect(try await newer == ButtonID(2))
        #expect(await eventually { board.isWatched && !others.isWatched })
        board.press(1)
        #expect(reported.withLock { $0 } == [ButtonID(0), ButtonID(1)])
        await group.triggerGracefulShutdown()
        try await running.value
    }

    @Test("a search whose lines cannot be read says why, and the board has its buttons again")
    func unreadableSearch() async throws {
        let board = Pressed()
        let service = ButtonService(board, log: CapturedLog().rateLimited(), clock: SystemClock()) { _ in }
        let quiet = Logger(label: "services") { _ in SwiftLogNoOpLogHandler() }
        let group = ServiceGroup(configuration: .init(services: [.init(service: service)], logger: quiet))
        let running = Task { try await group.run() }
        #expect(await eventually { board.isWatched })
        await #expect {
            try await service.firstPress(of: Unreadable(), within: .seconds(600))
        } throws: {
            "\($0)".contains("line 17 is in use")
        }
        #expect(await eventually { board.isWatched })
        await group.triggerGracefulShutdown()
        try await running.value
    }

    @Test("has the reason why presses cannot be read, until they can")
    func fault() async throws {
        let service = ButtonService(Unreadable(), log: CapturedLog().rateLimited(), clock: SystemClock()) { _ in }
        let quiet = Logger(label: "services") { _ in SwiftLogNoOpLogHandler() }
        let group = ServiceGroup(configuration: .init(services: [.init(service: service)], logger: quiet))
        #expect(service.lastFault == nil)
        let running = Task { try await group.run() }
        #expect(await eventually { service.lastFault == "line 17 is in use" })
        service.replace(Unpressed())
        #expect(await eventually { service.lastFault == nil })
        await group.triggerGracefulShutdown()
        try await running.value
    }
}
