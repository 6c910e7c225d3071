import BoardCore
import BoardService
import BoardStore
import Testing

@testable internal import BoardFleet

@Suite("Changes of a shared list by other boards")
struct SharedListUndoTests {
    private func pair() throws -> (TestBoard, TestBoard) {
        var first = try TestBoard("a", [Favourite(1, "Home"), Favourite(2)])
        let payload = try required(first.connect(0))
        first.receive(payload, 8)
        var other = try TestBoard("b")
        other.connect(10, retained: payload)
        return (first, other)
    }

    @Test("report the board, the time and the keys, and can be taken back")
    func change() throws {
        var (first, other) = try pair()
        first.receive(
            other.edit(20) { favourites in
                favourites[0].label = "Work"
                favourites[0].walk = .seconds(60)
            }, 21)
        let change = try #require(first.state.changes(at: at(30)).first { $0.kind == .changed })
        #expect(change.stop == stop(1) && change.board.description == "b" && change.at == at(20).timestamp)
        #expect(change.fields == ["label", "walk"])
        #expect(other.state.changes(at: at(30)).allSatisfy { $0.board.description == "a" }, "not its own")
        let reverted = try #require(first.state.favourites(reverting: change))
        #expect(reverted == [Favourite(1, "Home"), Favourite(2)])
        other.receive(first.edit(31) { $0 = reverted }, 32)
        #expect(other.favourites == reverted && other.state.favourites(reverting: change) == nil)
    }

    @Test("an added favourite is removed again, a removed one is added again with its values and its place")
    func addedAndRemoved() throws {
        var (first, other) = try pair()
        first.receive(
            other.edit(20) { favourites in
                favourites[0] = Favourite(3, "New")
            }, 21)
        #expect(first.favourites == [Favourite(3, "New"), Favourite(2)])
        let changes = first.state.changes(at: at(30))
        #expect(changes.map(\.kind) == [.removed, .added] && changes.map(\.stop) == [stop(1), stop(3)])
        let restored = try #require(first.state.favourites(reverting: changes[0]))
        #expect(Set(restored) == [Favourite(1, "Home"), Favourite(3, "New"), Favourite(2)])
        #expect(restored.last == Favourite(2))
        #expect(first.state.favourites(reverting: changes[1]) == [Favourite(2)])
        other.receive(first.edit(31) { $0 = restored }, 32)
        #expect(other.favourites == restored)
    }

    @Test("a move is taken back to the place before")
    func move() throws {
        var (first, other) = try pair()
        first.receive(other.edit(20) { $0.swapAt(0, 1) }, 21)
        let change = try #require(first.state.changes(at: at(30)).first)
        #expect(change.kind == .changed && change.fields == ["place"])
        #expect(first.state.favourites(reverting: change) == [Favourite(1, "Home"), Favourite(2)])
    }

    @Test("are reported for seven days")
    func age() throws {
        var (first, other) = try pair()
        first.receive(other.edit(20) { $0[0].label = "Work" }, 21)
        #expect(first.state.changes(at: at(20 + 7 * 86_400)).count == 1)
        #expect(first.state.changes(at: at(21 + 7 * 86_400)).isEmpty)
    }
}
