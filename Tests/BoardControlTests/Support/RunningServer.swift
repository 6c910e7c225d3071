import BoardControl
import FoundationEssentials
import Glibc
import Synchronization
import Testing
import Waiting

/// A control socket in a folder of its own, served while a test runs.
final class Served: Sendable {
    let folder: String
    let path: String
    let board: FakeBoard
    private let task: Task<Result<Void, ControlServerFailure>, Never>
    private let isOwner: Bool
    private let heard: Mutex<[ControlServerEvent]>

    /// Serves, and waits until it listens.
    ///
    /// - Parameter folder: somebody else's folder, who removes it.
    init(
        _ board: FakeBoard = FakeBoard(), group: String = "no-such-group-here", folder: String? = nil,
        _ change: (inout ControlLimits) -> Void = { _ in }
    ) async throws {
        self.board = board
        let place = folder ?? "/tmp/boardd-\(UUID().uuidString.prefix(13))"
        self.folder = place
        isOwner = folder == nil
        path = "\(place)/control.sock"
        try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
        var limits = ControlLimits()
        change(&limits)
        let (notices, sender) = AsyncStream.makeStream(of: ControlServerEvent.self)
        let server = ControlServer(path: path, group: group, limits: limits, actions: board) { sender.yield($0) }
        task = Task {
            defer { sender.finish() }
            do throws(ControlServerFailure) {
                try await server.run()
                return .success(())
            } catch {
                return .failure(error)
            }
        }
        var collected: [ControlServerEvent] = []
        for await notice in notices {
            collected.append(notice)
            if case .listening = notice { break }
        }
        heard = Mutex(collected)
        if case .listening = collected.last { return }
        try await task.value.get()
    }

    deinit {
        task.cancel()
        if isOwner { try? FileManager.default.removeItem(atPath: folder) }
    }

    /// What the server said before it listened, and that.
    var notices: [ControlServerEvent] { heard.withLock { $0 } }

    /// Ends the server and waits for its end.
    func stop() async throws {
        task.cancel()
        try await task.value.get()
    }

    /// A client as the commands use it.
    var client: ControlClient { ControlClient(path: path, timeout: Patience.endless) }

    /// Whether somebody who behaves well is answered now.
    func answersOthers(_ place: SourceLocation = #_sourceLocation) async {
        let favourites = try? await client.favourites()
        #expect(favourites?.count == 3, "a well-behaved client is answered meanwhile", sourceLocation: place)
    }
}
