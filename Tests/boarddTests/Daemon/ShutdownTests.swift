import BoardCore
import BoardDisplays
import BoardIO
import FoundationEssentials
import Logging
import ServiceLifecycle
import Testing
import Waiting

@testable import BoardFeeds
@testable import boardd

@Suite("Shutdown of the program", .endsHangs)
struct ShutdownTests {
    /// A display that reports its last frame, and the path of its thread in /proc.
    private struct RecordingDisplay: Display {
        let closed: AsyncStream<(frame: Frame, thread: String)>.Continuation

        mutating func show(_ frame: Frame, at now: Instant) -> DisplayReport { DisplayReport(.shown) }
        mutating func close(last frame: Frame, at now: Instant) {
            let thread = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
            closed.yield((frame, "/proc/\(thread ?? "")"))
        }
    }

    /// Acts as the board loop at its end: it hands the last frame over, and itself ends later than the display's thread.
    private struct SlowLoop: ServiceLifecycle.Service {
        let display: DisplayService
        let isClosed: AsyncStream<(frame: Frame, thread: String)>
        let last: Frame

        func run() async throws {
            try? await gracefulShutdown()
            display.close(last: last)
            for await (frame, thread) in isClosed {
                #expect(frame == last)
                #expect(await eventually { !FileManager.default.fileExists(atPath: thread) })
                break
            }
        }
    }

    @Test("a display that has drawn the last frame before the board loop ends is no failure")
    func farewellFirst() async throws {
        let (isClosed, closed) = AsyncStream<(frame: Frame, thread: String)>.makeStream()
        let logger = Logger(label: "test") { _ in SwiftLogNoOpLogHandler() }
        let display = try DisplayService(
            { RecordingDisplay(closed: closed) }, clock: SystemClock(),
            log: RateLimitedLog(logger, clock: SystemClock()))
        let last = Frame(columns: 20, rows: ["boardd stopped at", "12:04"])
        let loop = SlowLoop(display: display, isClosed: isClosed, last: last)
        let group = ServiceGroup(
            configuration: .init(
                services: [.init(service: display, successTerminationBehavior: .ignore), .init(service: loop)],
                logger: logger))
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await group.run() }
            await group.triggerGracefulShutdown()
            try await tasks.waitForAll()
        }
    }
}
