import BoardCore
import BoardService
import BoardStore
import ServerTesting
import Synchronization
import Testing

@testable internal import BoardFleet

@Suite("Changes by other boards, of a board with a file")
struct FavouriteChangeTests {
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
        #expect(changes.allSatisfy { $0.board.description == "kitchen" && $0.at == at(20).timestamp })
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
        let failure = #expect(throws: FavouritesError.self) {
            try editor.setShared(reversal.after, expecting: reversal.before)
        }
        #expect(failure.map { ServiceError($0).kind } == .conflict)
        try await den.reload()
        #expect(den.fleet.favouriteChanges?.map(\.stop) == [stop(1)], "that of this board is none of another")
    }
}
