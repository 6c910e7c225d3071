import BoardControl
import BoardCore
import BoardService
import FoundationEssentials
import Glibc
import Testing
import Waiting

@testable import boardd

/// A board with its own folders of configuration, state and run-time files, and TfL's server to poll.
final class InstalledBoard: Sendable {
    let tfl: TfLServer
    let folder: TemporaryFolder

    /// - Parameter board: the end of boardd.toml.
    init(_ server: TfLServer? = nil, favourites: String = "", board: String = "") throws {
        tfl = try server ?? TfLServer()
        folder = try TemporaryFolder()
        for name in ["etc", "rt", "st"] {
            try FileManager.default.createDirectory(atPath: "\(folder.path)/\(name)", withIntermediateDirectories: true)
        }
        for (name, text) in tfl.files(favourites: favourites, board: board) {
            try folder.write(text, to: "etc/\(name)")
        }
    }

    var path: String { folder.path }
    var stateFolder: String { "\(path)/st" }
    var socket: String { "\(path)/rt/control.sock" }
    var client: RemoteBoardService { RemoteBoardService(path: socket, timeout: Patience.endless) }
    var favourites: String { folder.read("etc/favourites.toml") }
    var environment: [String: String] {
        [
            "RUNTIME_DIRECTORY": "\(path)/rt", "STATE_DIRECTORY": stateFolder,
            "CONFIGURATION_DIRECTORY": "\(path)/etc", "PATH": "/usr/bin:/bin",
        ]
    }

    func makeDirectory() throws { try SampleDirectory.write(in: stateFolder) }

    func makeStations() throws { try SampleDirectory.write(SampleDirectory.stations, in: stateFolder) }

    /// Appends to favourites.toml in place.
    func append(_ text: String) throws {
        let descriptor = unsafe open("\(path)/etc/favourites.toml", O_WRONLY | O_APPEND | O_CLOEXEC)
        try #require(descriptor >= 0)
        defer { close(descriptor) }
        let bytes = Array(text.utf8)
        #expect(unsafe write(descriptor, bytes, bytes.count) == bytes.count)
    }

    /// Starts the daemon, and waits until its socket responds.
    func start(_ arguments: [String] = [], environment more: [String: String] = [:]) async throws -> Program {
        let daemon = try Program(["run", "--simulate"] + arguments, environment: environment.merging(more) { $1 })
        var isResponding = false
        _ = await eventually {
            isResponding = (try? await client.state()) != nil
            return isResponding || daemon.poll() != nil
        }
        try #require(isResponding, "no response: \(daemon.errors)")
        return daemon
    }

    func end(_ daemon: Program) async throws {
        #expect(await daemon.terminate() == 0, "\(daemon.errors)")
    }

    func state() async throws -> BoardState { try await client.state() }

    /// The first state that meets a condition; the last one when none does.
    func state(_ condition: (BoardState) -> Bool) async -> BoardState {
        var last: BoardState?
        _ = await eventually {
            guard let state = try? await client.state() else { return false }
            last = state
            return condition(state)
        }
        return last
            ?? BoardState(
                live: LiveState(
                    name: "none", version: "none", time: Timestamp(seconds: 0), timeSource: .wall, utcOffsetSeconds: 0,
                    display: DisplayPicture(
                        rows: [], lit: false, dots: DisplayDots(.characters, rows: []),
                        page: .init(id: "", screen: 0, screens: 1)),
                    pages: [], stops: [], favourites: [], faults: BoardFaults()),
                feeds: [], directory: [])
    }

    func run(_ arguments: String...) async throws -> Program.Result { try await run(arguments) }

    func run(_ arguments: [String]) async throws -> Program.Result {
        try await Program.run(arguments, environment: environment)
    }
}
