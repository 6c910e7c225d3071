import BoardCore
import FoundationEssentials
import Glibc
import Logging
import ServiceLifecycle
import Synchronization
import Testing
import Waiting

@testable import BoardIO
@testable import boardd

@Suite("A watched file", .endsHangs)
struct FileWatchTests {
    /// Counts calls.
    private final class Counter: Sendable {
        private let calls = Mutex(0)
        var count: Int { calls.withLock { $0 } }
        func add() { calls.withLock { $0 += 1 } }
    }

    /// Runs a watch on a file during `body`, from the moment it surely watches.
    private func watching(_ folder: TemporaryFolder, _ body: (Counter) async throws -> Void) async throws {
        let counter = Counter()
        let watch = FileWatch(path: "\(folder.path)/favourites.toml") { counter.add() }
        // A change before the watch runs is reported as soon as it does.
        try folder.write("before the watch", to: "favourites.toml")
        let running = Task { try await watch.run() }
        #expect(await eventually { counter.count == 1 })
        try await body(counter)
        running.cancel()
        try await running.value
    }

    @Test("is reported after each way in which editors write")
    func ways() async throws {
        let folder = try TemporaryFolder(["favourites.toml": "a"])
        let file = "\(folder.path)/favourites.toml"
        try await watching(folder) { counter in
            try Data("in place".utf8).write(to: URL(filePath: file))
            #expect(await eventually { counter.count == 2 })
            try folder.write("renamed over", to: "favourites.toml")
            #expect(await eventually { counter.count == 3 })
            #expect(unsafe rename(file, file + "~") == 0)
            try Data("after a backup".utf8).write(to: URL(filePath: file))
            #expect(await eventually { counter.count >= 4 })
            let count = counter.count
            unsafe unlink(file)
            #expect(await eventually { counter.count > count })
        }
    }

    @Test("is reported once for many changes at once")
    func settling() async throws {
        let folder = try TemporaryFolder(["favourites.toml": "a"])
        try await watching(folder) { counter in
            for number in 0..<200 { try folder.write("\(number)", to: "favourites.toml") }
            try folder.write("the last", to: "favourites.toml")
            #expect(await eventually { counter.count > 1 })
            // A machine with slow writes reports several times.
            #expect(counter.count < 50)
        }
    }

    @Test("is watched on when its folder was removed and made again")
    func newFolder() async throws {
        let folder = try TemporaryFolder(["favourites.toml": "a"])
        try await watching(folder) { counter in
            try FileManager.default.removeItem(atPath: folder.path)
            try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
            try folder.write("b", to: "favourites.toml")
            #expect(await eventually { counter.count > 1 })
            let count = counter.count
            try folder.write("c", to: "favourites.toml")
            #expect(await eventually { counter.count > count })
        }
    }

    @Test("the watch ends when the folder does not come back; the next one reports what has changed since")
    func lostFolder() async throws {
        let folder = try TemporaryFolder(["favourites.toml": "a"])
        let counter = Counter()
        let watch = FileWatch(path: "\(folder.path)/favourites.toml") { counter.add() }
        try folder.write("b", to: "favourites.toml")
        let running = Task { try await watch.run() }
        #expect(await eventually { counter.count == 1 })
        try FileManager.default.removeItem(atPath: folder.path)
        let gone = PlainError(watching: folder.path, number: ENOENT)
        await #expect(throws: gone) { try await running.value }
        #expect(
            gone.description == "cannot watch \(folder.path) for changes (No such file or directory): "
                + "reload by hand after changes")
        #expect(counter.count == 1)
        await #expect(throws: gone) { try await watch.run() }
        try FileManager.default.createDirectory(atPath: folder.path, withIntermediateDirectories: true)
        try folder.write("c", to: "favourites.toml")
        let again = Task { try await watch.run() }
        #expect(await eventually { counter.count == 2 })
        again.cancel()
        try await again.value
    }

    @Test("is not reported when nothing changed, and does not delay a shutdown")
    func shutdown() async throws {
        let folder = try TemporaryFolder(["favourites.toml": "a"])
        let counter = Counter()
        let log = CapturedLog()
        let watch = FileWatch(path: "\(folder.path)/favourites.toml") { counter.add() }
        let quiet = Logger(label: "services") { _ in SwiftLogNoOpLogHandler() }
        let group = ServiceGroup(
            configuration: .init(
                services: [
                    .init(
                        service: Supervisor(name: "watching", base: watch, log: log.rateLimited(), clock: SystemClock())
                    )
                ],
                logger: quiet))
        let running = Task { try await group.run() }
        await group.triggerGracefulShutdown()
        try await running.value
        #expect(counter.count == 0)
        #expect(log.lines == [])
    }
}
