import BoardCore
import BoardService
import BoardStore
import FoundationEssentials
import ServerTesting
import Synchronization
import Testing
import Waiting

@testable internal import BoardFleet

/// Counts calls, from any thread.
final class Counter: Sendable {
    private let calls = Mutex(0)

    var value: Int { calls.withLock { $0 } }
    func count() { calls.withLock { $0 += 1 } }
}

/// The board "den", whose list and file "kitchen" has changed.
final class Den {
    let folder = FileManager.default.temporaryDirectory.path + "/boardd-" + UUID().uuidString
    let editor: FavouritesEditor
    let fleet: FleetService
    var worker: FleetWorker
    /// The board whose changes it receives.
    var kitchen: TestBoard
    /// How often the fleet has requested to read favourites.toml again.
    let reloads = Counter()
    private let declarations = FeedDeclarations([
        FeedDeclaration(name: FeedName("tfl"), title: "TfL", settings: [], secrets: [])
    ])

    init(_ change: (inout [Favourite]) -> Void, woken: @escaping @Sendable () -> Void = {}) async throws {
        kitchen = try TestBoard("kitchen", [Favourite(1, "Home"), Favourite(2)])
        var den = try TestBoard("den")
        den.connect(10, retained: try required(kitchen.connect(0)))
        den.receive(kitchen.edit(20, change), 21)
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
        editor = FavouritesEditor(path: folder + "/favourites.toml", declarations: declarations)
        try editor.setShared(den.favourites)
        // The discard service: no broker.
        let board = "[fleet]\nbroker = \"mqtt://127.0.0.1:9\"\n"
        try Data(board.utf8).write(to: URL(filePath: folder + "/boardd.toml"))
        var file = FleetFile()
        file.list = den.stored
        await file.write(to: folder + "/fleet.json") { sentence, _ in Issue.record("\(sentence)") }
        fleet = FleetService(
            clock: VirtualClock(wall: at(30).timestamp),
            machine: .init(version: "1", hostName: "den", device: nil, file: folder + "/fleet.json"),
            editor: editor,
            hooks: .init(report: { _ in }, log: { _, _ in }, reload: { [reloads] in reloads.count() }, changed: woken),
            // The program of the tests is not boardd.
            connection: BrokerConnection.init)
        worker = FleetWorker(fleet: fleet, board: FakeBoard())
        try await reload()
    }

    deinit {
        fleet.stop()
        try? FileManager.default.removeItem(atPath: folder)
    }

    var configuration: Configuration {
        get throws {
            try ConfigurationLoader(declarations: declarations).load(.directory(folder), environment: [:])
        }
    }

    func reload() async throws { try await apply(configuration) }

    func apply(_ configuration: Configuration) async throws {
        fleet.configure(configuration)
        await worker.handle(.configured(configuration))
    }
}
