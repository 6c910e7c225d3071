import BoardControl
import BoardService
import FoundationEssentials
import Glibc
import ServerTesting
import Synchronization
import Testing
import Waiting

/// A control socket in a temporary folder, served while a test runs.
final class RunningServer: Sendable {
    let folder: String
    let path: String
    let board: FakeBoard
    let setup = FakeSetup()
    private let server: ControlServer
    private let task: Task<Result<Void, any Error>, Never>
    private let isOwner: Bool
    private let received: Mutex<[ControlServerEvent]>

    /// Starts the server, and waits until it listens.
    ///
    /// - Parameters:
    ///   - folder: a folder that the caller removes.
    ///   - change: sets the limits that the test is about; the others are endless, except for the shutdown.
    init(
        _ board: FakeBoard = FakeBoard(), group: String = "no-such-group-here", folder: String? = nil,
        _ change: (inout ControlLimits) -> Void = { _ in }
    ) async throws {
        self.board = board
        let directory = folder ?? "/tmp/boardd-\(UUID().uuidString.prefix(13))"
        self.folder = directory
        isOwner = folder == nil
        path = "\(directory)/control.sock"
        try FileManager.default.createDirectory(atPath: directory, withIntermediateDirectories: true)
        // A busy machine reaches the program's own times.
        var limits = ControlLimits()
        (limits.request, limits.action, limits.response) = (Patience.endless, Patience.endless, Patience.endless)
        (limits.idle, limits.linger) = (Patience.endless, Patience.endless)
        change(&limits)
        let (events, sender) = AsyncStream.makeStream(of: ControlServerEvent.self)
        let router = Router(
            board: board,
            adding: Route.pairing(FakeDevices(), isLocal: true) + Route.setup(setup)
                + Route.fleet(FakeFleet()))
        let server = ControlServer([.control(path: path, group: group, limits: limits, router: router)]) {
            sender.yield($0)
        }
        self.server = server
        task = Task {
            defer { sender.finish() }
            do {
                try await server.run()
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        var collected: [ControlServerEvent] = []
        for await event in events {
            collected.append(event)
            if case .listening = event { break }
        }
        received = Mutex(collected)
        if case .listening = collected.last { return }
        try await task.value.get()
    }

    deinit {
        task.cancel()
        if isOwner { try? FileManager.default.removeItem(atPath: folder) }
    }

    /// The events before and at the start of listening.
    var events: [ControlServerEvent] { received.withLock { $0 } }

    /// Stops the server and waits for its end.
    func stop() async throws {
        server.shutDown()
        try await task.value.get()
    }

    /// A client as the commands use it.
    var client: RemoteBoardService { RemoteBoardService(path: path, timeout: Patience.endless) }

    /// Checks that a well-behaved client gets a response now.
    func servesOthers(_ location: SourceLocation = #_sourceLocation) async {
        let favourites = try? await client.favourites()
        #expect(favourites?.count == 3, "a well-behaved client gets a response meanwhile", sourceLocation: location)
    }
}
