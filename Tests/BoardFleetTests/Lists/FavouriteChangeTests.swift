internal import BoardCore
internal import BoardService
internal import BoardStore
internal import FoundationEssentials
internal import ServerTesting
internal import Synchronization
internal import Testing

@testable internal import BoardFleet

@Suite("Changes by other boards, of a board with a file")
struct FavouriteChangeTests {
    /// 30 s after the first changes.
    private struct Clock: MachineClock {
        func now() -> Instant { at(30).instant }
        func reading() -> CorrectedClock.Reading {
            CorrectedClock.Reading(wall: at(30).timestamp, isSynchronised: true)
        }
    }

    /// The board "den", whose list and file "kitchen" has changed.
    private final class Den {
        let folder = FileManager.default.temporaryDirectory.path + "/boardd-" + UUID().uuidString
        let editor: FavouritesEditor
        let fleet: FleetService
        var worker: FleetWorker
        private let declarations = FeedDeclarations([
            FeedDeclaration(name: FeedName("tfl"), title: "TfL", settings: [], secrets: [])
        ])

        init(_ change: (inout [Favourite]) -> Void, woken: @escaping @Sendable () -> Void = {}) async throws {
            var kitchen = try TestBoard("kitchen", [Favourite(1, "Home"), Favourite(2)])
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
                clock: Clock(),
                machine: .init(version: "1", hostName: "den", device: nil, file: folder + "/fleet.json"),
                editor: editor,
                hooks: .init(report: { _ in }, log: { _, _ in }, reload: {}, changed: woken))
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

    @Test("are listed with the board, the time, the keys and a name, and wake the viewers")
    func listed() async throws {
        let count = Mutex(0)
        let den = try await Den { favourites in
            favourites[0].label = "Work"
            favourites[0].walk = .seconds(60)
            favourites.removeLast()
        } woken: {
            count.withLock { $0 += 1 }
        }
        let changes = try #require(den.fleet.favouriteChanges).sorted { $0.stop.code < $1.stop.code }
        #expect(changes.map(\.stop) == [stop(1), stop(2)] && changes.map(\.kind) == [.changed, .removed])
        #expect(changes.allSatisfy { $0.board.description == "kitchen" && $0.at.timestamp == at(20).timestamp })
        #expect(changes[0].name == "Work" && changes[0].fields == ["label", "walk"])
        #expect(changes[1].name == FakeBoard.bare.name, "that of the directory")
        #expect(count.withLock { $0 } == 1)
    }

    @Test("are taken back in the file, and are not listed afterwards")
    func reverted() async throws {
        let den = try await Den { favourites in
            favourites[0].label = "Work"
            favourites.removeLast()
        }
        var entries: [FavouriteEntry] = []
        for code in [2, 1] {
            let reversal = try den.worker.reversal(of: stop(code), at: at(30)).get()
            entries = try den.editor.setShared(reversal.after, expecting: reversal.before)
            try await den.reload()
        }
        #expect(entries.named == [Favourite(1, "Home"), Favourite(2)])
        let changes = try #require(den.fleet.favouriteChanges)
        #expect(!changes.contains { $0.kind == .removed || $0.fields.contains("label") })
        let unchanged = den.worker.reversal(of: stop(9), at: at(30))
        #expect(throws: ServiceError(.notFound, "no other board has changed tfl:9 in the last seven days")) {
            try unchanged.get()
        }
    }

    @Test("are those of other boards alone: a reload that read the file before the last write is no edit")
    func stale() async throws {
        let den = try await Den { $0.removeLast() }
        let old = try den.configuration
        let reversal = try den.worker.reversal(of: stop(2), at: at(30)).get()
        try den.editor.setShared(reversal.after, expecting: reversal.before)
        try await den.reload()
        let list = den.worker.lists?.list
        try await den.apply(old)
        #expect(den.worker.lists?.list == list)
    }

    @Test("are not taken back in a file that was edited since")
    func edited() async throws {
        let den = try await Den { $0[0].label = "Work" }
        let reversal = try den.worker.reversal(of: stop(1), at: at(30)).get()
        let editor = den.editor
        try editor.remove(stop(2))
        let failure = #expect(throws: FavouritesFailure.self) {
            try editor.setShared(reversal.after, expecting: reversal.before)
        }
        #expect(failure.map { ServiceError($0).kind } == .conflict)
        try await den.reload()
        #expect(den.fleet.favouriteChanges?.map(\.stop) == [stop(1)], "that of this board is none of another")
    }
}
