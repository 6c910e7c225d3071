import BoardCore
import BoardService
import BoardStore
import Testing

@testable internal import BoardFleet

@Suite("A board that shares a list")
struct SharedListStateTests {
    /// A member with these favourites that is connected at second 0, and the list that it published.
    private func member(
        _ board: String = "a", _ favourites: [Favourite] = [Favourite(1), Favourite(2)]
    ) throws -> (TestBoard, [UInt8]) {
        var first = try TestBoard(board, favourites)
        let payload = try required(first.connect(0))
        first.receive(payload, 8)
        return (first, payload)
    }

    /// Another member of the list, connected at second 10.
    private func second(_ payload: [UInt8]) throws -> TestBoard {
        var board = try TestBoard("b")
        #expect(board.connect(10, retained: payload) == nil)
        return board
    }

    @Test("messages of other boards do not let the list, or a stop of it, grow without a limit")
    func growth() throws {
        var (board, _) = try member()
        var clock = HybridClock(board: try name("x"))
        for page in 1...5 {
            var other = SharedList()
            other.record(from: [], to: (0..<100).map { Favourite(1_000 * page + $0) }) { clock.next(at: at(10)) }
            board.receive(other.payload, 20 + Double(page))
        }
        #expect(board.state.list.favourites.count == 102)
        #expect(board.state.faults.first?.contains("more than 200 stops") == true, "\(board.state.faults)")
    }

    @Test("changes that never stop are written ever more seldom, and the last one is")
    func pace() throws {
        let (_, payload) = try member()
        var board = try second(payload)
        let before = board.writes
        var clock = HybridClock(board: try name("x"))
        var (other, favourites) = (board.state.list, board.favourites)
        for change in 1...1_000 {
            let seconds = 20 + Double(change) / 100
            let old = favourites
            favourites[0].label = "\(change)"
            other.record(from: old, to: favourites) { clock.next(at: at(seconds)) }
            board.receive(other.payload, seconds)
        }
        #expect(board.writes - before <= 8)
        let due = try #require(board.state.nextDeadline)
        board.run((due - at(0).instant) / .seconds(1))
        #expect(board.favourites.first?.label == "1000")
    }

    @Test("a change of another board stays its change when the power fails after the file was written, or before")
    func powerFailure() throws {
        let (_, payload) = try member()
        var board = try second(payload)
        let (before, changed) = (board.entries, [Favourite(2, "Home"), Favourite(3)])
        var other = try TestBoard("a", stored: board.stored)
        other.entries = board.entries
        other.state.loaded(other.entries, at: at(20))
        other.connect(20, retained: payload)
        let change = try required(other.edit(30) { $0 = changed })
        board.state.received(change, isRetained: false, at: at(31))
        // The actions before the write were performed, and then the write or not.
        let actions = board.state.actions(at: at(31))
        let write = try required(actions.firstIndex { if case .write = $0 { true } else { false } })
        for case .store(let stored) in actions[..<write] { board.stored = stored }
        for file in [before, changed.map(FavouriteEntry.stop)] {
            var restarted = try TestBoard("b", file.named, stored: board.stored)
            restarted.run(100)
            #expect(restarted.favourites == changed)
            #expect(restarted.state.list.values == board.state.list.values, "no change has a new time")
        }
    }

    // MARK: - Joining

    @Test("where the broker has no list, a board's favourites become the list after five to seven seconds")
    func first() throws {
        var board = try TestBoard("a", [Favourite(1), Favourite(2)])
        board.state.connected(at: at(0))
        #expect(board.state.nextDeadline == at(6).instant)
        #expect(board.run(5.9) == nil && board.state.membership == .undecided && board.stored == nil)
        let payload = try required(board.run(6))
        #expect(try SharedList.read(payload).list.favourites == [Favourite(1), Favourite(2)])
        #expect(board.state.membership == .member && board.stored?.favourites == [Favourite(1), Favourite(2)])
        #expect(board.writes == 0)
    }

    @Test("a board without favourites takes the list over")
    func takesOver() throws {
        let (_, payload) = try member()
        var board = try TestBoard("b")
        #expect(board.connect(10, retained: payload) == nil, "there is nothing new to publish")
        #expect(board.favourites == [Favourite(1), Favourite(2)])
        #expect(board.stored?.favourites == board.favourites && board.state.faults.isEmpty)
        #expect(board.edit(20) { $0.removeAll { $0.stop == stop(1) } } != nil)
    }

    @Test("a board with the same favourites joins, and one with others waits for a choice")
    func waits() throws {
        let (_, payload) = try member()
        var same = try TestBoard("b", [Favourite(1), Favourite(2)])
        #expect(same.connect(10, retained: payload) == nil && same.state.membership == .member)
        var other = try TestBoard("c", [Favourite(3)])
        #expect(other.connect(10, retained: payload) == nil && other.state.membership == .waiting)
        #expect(other.favourites == [Favourite(3)] && other.stored == nil && other.writes == 0)
        let sentence = "the list home has 2 favourites and this board 1: choose with `boardd fleet join home`"
        #expect(other.state.faults == [sentence] && other.sentences == [sentence])
        #expect(other.edit(20) { $0.append(Favourite(4)) } == nil, "its edits are its own")
    }

    @Test(
        "a board with favourites joins with those of the list, its own or both",
        arguments: [(FleetJoin.list, ["1", "2"]), (.board, ["3", "2"]), (.both, ["1", "2", "3"])])
    func joins(choice: FleetJoin, expected: [String]) throws {
        var (first, payload) = try member("a", [Favourite(1), Favourite(2, "Home")])
        let own = [Favourite(3), Favourite(2, "Work", walk: .seconds(60))]
        var board = try TestBoard("b", own)
        board.connect(10, retained: payload)
        try board.state.join(choice, at: at(20))
        let published = board.run(20)
        #expect(board.stops == expected && board.state.faults.isEmpty && board.state.membership == .member)
        #expect((published == nil) == (choice == .list))
        first.receive(published, 21)
        #expect(first.favourites == board.favourites)
        let label = board.favourites.first { $0.stop == stop(2) }?.label
        #expect(label == (choice == .board ? "Work" : "Home"))
        let walk = board.favourites.first { $0.stop == stop(2) }?.walk
        #expect((walk != nil) == (choice == .board), "a favourite of both is that of the list")
        #expect(throws: PlainError("this board shares the list home already")) {
            try board.state.join(choice, at: at(30))
        }
    }

    @Test(
        "a list that arrives before the acknowledgement of the subscription is neither taken for missing nor sent again"
    )
    func early() throws {
        var (first, payload) = try member()
        first.state.disconnected()
        first.state.received(payload, isRetained: true, at: at(9))
        first.state.connected(at: at(9.1))
        #expect(first.run(15) == nil && first.run(30) == nil)
        var board = try TestBoard("c", [Favourite(3)])
        board.state.received(payload, isRetained: true, at: at(10))
        board.state.connected(at: at(10.1))
        #expect(board.run(30) == nil && board.state.membership == .waiting)
        board.state.disconnected()
        board.state.connected(at: at(40))
        #expect(board.run(44) == nil, "the next session may be of another broker")
        #expect(board.run(50) != nil && board.state.membership == .member)
    }

    @Test("without a list there is nothing to join")
    func noList() throws {
        var board = try TestBoard("b", [Favourite(3)])
        let sentence = "no list home was received from the broker yet: check the connection with `boardd fleet`"
        #expect(throws: PlainError(sentence)) { try board.state.join(.both, at: at(1)) }
    }

    @Test("what is stored for another list is not used")
    func otherList() throws {
        let (first, _) = try member()
        let stored = try #require(first.stored)
        let other = StoredSharedList(name: try name("office"), list: stored.list, favourites: stored.favourites)
        #expect(try TestBoard("a", stored: other).state.membership == .undecided)
        #expect(try TestBoard("a", stored: stored).state.membership == .member)
    }

    // MARK: - Changes

    @Test("a change is published at once and written on the others, and they publish nothing more")
    func change() throws {
        var (first, payload) = try member()
        var other = try second(payload)
        let change = try required(first.edit(20) { $0.insert(Favourite(3, "New"), at: 1) })
        #expect(first.receive(change, 20.1) == nil, "its own message")
        #expect(other.receive(change, 20.1) == nil && other.run(30) == nil)
        #expect(other.favourites == [Favourite(1), Favourite(3, "New"), Favourite(2)])
        #expect(other.stored?.list == first.stored?.list)
        #expect(first.writes == 0 && other.state.nextDeadline == nil)
    }

    @Test("of concurrent changes both stay, and who merges them publishes, unless another board has by then")
    func concurrent() throws {
        var (first, payload) = try member()
        var (other, third) = (try second(payload), try second(payload))
        let one = try required(first.edit(20) { $0[0].label = "A" })
        let two = try required(other.edit(20) { $0[1].label = "B" })
        third.receive(one, 20.1)
        #expect(third.state.nextDeadline == nil)
        third.receive(two, 20.2)
        #expect(third.state.nextDeadline == at(21.2).instant, "the second message lacks the first change")
        #expect(first.receive(two, 20.2) == nil)
        let merged = try required(first.run(21.2))
        third.receive(merged, 21.1)
        #expect(third.state.nextDeadline == nil && third.run(30) == nil)
        other.receive(one, 21.3)
        other.receive(merged, 21.4)
        #expect(other.run(30) == nil)
        for board in [first, other, third] { #expect(board.favourites.map(\.label) == ["A", "B"]) }
    }

    @Test("shared = false stays on its board, in both directions, and takes nothing from others")
    func local() throws {
        var (first, payload) = try member()
        var other = try second(payload)
        #expect(first.edit(20) { $0.append(Favourite(5, isShared: false)) } == nil)
        #expect(first.edit(21) { $0[0].isShared = false } == nil, "a stop that is shared no more")
        let change = try required(other.edit(22) { $0 = [Favourite(2, "B"), Favourite(1, "B"), Favourite(5)] })
        first.receive(change, 23)
        #expect(
            Set(first.favourites) == [Favourite(2, "B"), Favourite(1, isShared: false), Favourite(5, isShared: false)])
        let back = first.edit(24) { favourites in
            for index in favourites.indices { favourites[index].isShared = true }
        }
        other.receive(back, 25)
        #expect(Set(other.stops) == ["1", "2", "5"] && other.favourites.contains(Favourite(1, "B")))
    }

    @Test("changes while boardd did not run are found after its start, and merged")
    func restart() throws {
        var (first, payload) = try member()
        var other = try second(payload)
        let change = try required(first.edit(20) { $0[1].label = "A" })
        var restarted = try TestBoard("b", [Favourite(2), Favourite(1, "B"), Favourite(3)], stored: other.stored)
        let published = try required(restarted.connect(30, retained: change))
        #expect(restarted.favourites == [Favourite(2, "A"), Favourite(1, "B"), Favourite(3)])
        first.receive(published, 40)
        #expect(first.favourites == restarted.favourites)
        other = try TestBoard("b", restarted.favourites, stored: restarted.stored)
        #expect(other.connect(50, retained: published) == nil && other.writes == 0)
    }

    @Test("a broker that restarts without its data gets the list again")
    func emptyBroker() throws {
        var (first, payload) = try member()
        first.state.disconnected()
        #expect(first.state.nextDeadline == nil)
        let again = try required(first.connect(100))
        #expect(try SharedList.read(again).list == SharedList.read(payload).list)
    }

    @Test("an edit is published after the connection, with what the retained copy has")
    func offline() throws {
        var (first, payload) = try member()
        var other = try second(payload)
        first.state.disconnected()
        #expect(first.edit(20) { $0.append(Favourite(3)) } == nil)
        let change = try required(other.edit(21) { $0.append(Favourite(4)) })
        first.state.connected(at: at(30))
        #expect(first.run(31) == nil, "not before the retained copy")
        first.state.received(change, isRetained: true, at: at(31))
        let merged = try required(first.run(31))
        other.receive(merged, 32)
        #expect(Set(first.stops) == ["1", "2", "3", "4"] && other.favourites == first.favourites)
    }

    @Test("a file that is missing removes nothing from the list, and is written again")
    func missingFile() throws {
        var (first, _) = try member()
        first.entries = []
        first.state.loaded(nil, at: at(20))
        #expect(first.run(20) == nil && first.favourites == [Favourite(1), Favourite(2)])
        #expect(first.edit(30) { $0 = [] } != nil && first.state.list.favourites.isEmpty, "an empty one does")
    }

    // MARK: - Writing

    @Test("after a failed write the favourites stay, the list is merged, and the write is repeated after a minute")
    func failedWrite() throws {
        var (first, payload) = try member()
        var other = try second(payload)
        other.writeFailure = "the disk is full"
        let change = try required(first.edit(20) { $0[0].label = "A" })
        other.receive(change, 21)
        let sentence = "the favourites of the list home could not be saved: the disk is full"
        #expect(other.state.faults == [sentence] && other.favourites == [Favourite(1), Favourite(2)])
        #expect(other.state.list.favourites.first?.label == "A" && other.state.nextDeadline == at(81).instant)
        let own = try required(other.edit(30) { $0[1].label = "B" })
        #expect(try SharedList.read(own).list.favourites == [Favourite(1, "A"), Favourite(2, "B")], "only its edit")
        other.writeFailure = nil
        other.run(95)
        #expect(other.favourites == [Favourite(1, "A"), Favourite(2, "B")] && other.state.faults.isEmpty)
    }

    @Test("a later edit of a favourite that another board has removed brings it back")
    func editOfRemoved() throws {
        var (first, payload) = try member()
        var other = try second(payload)
        other.writeFailure = "the disk is full"
        other.receive(first.edit(20) { $0.removeFirst() }, 21)
        #expect(other.stops == ["1", "2"])
        first.receive(other.edit(30) { $0[0].label = "B" }, 31)
        other.writeFailure = nil
        other.run(95)
        #expect(first.favourites == [Favourite(1, "B"), Favourite(2)] && other.favourites == first.favourites)
    }

    @Test("an edit of another favourite does not bring back one that the file still has")
    func editBesideRemoved() throws {
        var (first, payload) = try member()
        var other = try second(payload)
        other.writeFailure = "the disk is full"
        other.receive(first.edit(20) { $0.removeFirst() }, 21)
        first.receive(other.edit(30) { $0[1].label = "B" }, 31)
        #expect(first.favourites == [Favourite(2, "B")])
    }

    @Test("an edit between the merge and the write is not lost")
    func editMeanwhile() throws {
        var (first, payload) = try member()
        var other = try second(payload)
        let change = try required(first.edit(20) { $0[0].label = "A" })
        // The daemon has not loaded this edit yet.
        other.entries.append(.stop(Favourite(7)))
        let published = other.receive(change, 21)
        #expect(other.favourites == [Favourite(1, "A"), Favourite(2), Favourite(7)])
        first.receive(published, 22)
        #expect(first.favourites == other.favourites)
    }

    @Test("a favourite that favourites.toml could not load is reported and left out, and stays in the list")
    func unloadable() throws {
        var (first, payload) = try member()
        var old = try TestBoard("b", problem: { $0.stop == stop(3) ? "is of an unknown feed" : nil })
        old.connect(10, retained: payload)
        let change = try required(first.edit(20) { $0 = [Favourite(3), Favourite(2), Favourite(1)] })
        old.receive(change, 21)
        #expect(old.stops == ["2", "1"])
        #expect(old.state.faults == ["list home: tfl:3: is of an unknown feed; it is ignored"])
        let own = try #require(old.edit(30) { $0[1].label = "B" })
        first.receive(own, 31)
        #expect(first.favourites == [Favourite(3), Favourite(2), Favourite(1, "B")])
    }

    @Test("a list of more than 100 favourites is reported, and none is lost on its board")
    func tooMany() throws {
        var (first, payload) = try member("a", (0..<100).map { Favourite($0) })
        var other = try second(payload)
        let change = try required(first.edit(20) { $0.append(Favourite(100)) })
        #expect(first.favourites.count == 101)
        #expect(
            first.state.faults == [
                "list home: 1 favourites from tfl:100 on are not shared: a list has at most 100 stops and 64 kB"
            ])
        #expect(other.receive(change, 21) == nil && other.favourites.count == 100)
        let removal = try required(other.edit(30) { $0.removeFirst() })
        first.receive(removal, 31)
        let rest = try required(first.run(33))
        other.receive(rest, 34)
        #expect(other.favourites == first.favourites && other.favourites.count == 100 && first.state.faults.isEmpty)
    }
}
