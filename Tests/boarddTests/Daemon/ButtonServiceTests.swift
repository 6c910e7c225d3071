import BoardCore
import BoardDisplays
import BoardIO
import Logging
import ServiceLifecycle
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
