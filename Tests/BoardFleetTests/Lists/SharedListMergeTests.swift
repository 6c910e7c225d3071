import BoardCore
import BoardStore
import Testing

@testable internal import BoardFleet

@Suite("Merging shared lists")
struct SharedListMergeTests {
    /// A list of random versions, from few stops, contents and stamps, so that many of them meet.
    private func list(_ generator: inout RandomSource) throws -> SharedList {
        let boards = [try name("a"), try name("b"), try name("c")]
        var list = SharedList()
        for _ in 0..<generator.number(0..<40) {
            let stamp = HybridTimestamp(
                milliseconds: UInt64(generator.number(0..<4)), counter: UInt16(generator.number(0..<2)),
                board: boards[generator.number(0..<3)])
            let changed = stop(generator.number(0..<5))
            var one = SharedList()
            if changed == stop(4) {
                let stops = (0..<generator.number(0..<3)).map { _ in stop(generator.number(0..<4)) }
                one.order = Register(.init(at: stamp, content: stops))
            } else {
                let contents: [SharedList.Values?] = [nil, [:], ["label": ["V"]], ["a-later-one": ["W"]]]
                let values = contents[generator.number(0..<4)]
                one.entries[changed] = Register(.init(at: stamp, content: values))
            }
            list = list.merged(with: one)
        }
        return list
    }

    @Test("is commutative, associative and idempotent, also where two boards have one name")
    func laws() async throws {
        var generator = RandomSource(seed: 18)
        for round in 0..<2_000 {
            if round.isMultiple(of: 10) { await Task.yield() }
            let (a, b, c) = (try list(&generator), try list(&generator), try list(&generator))
            let merged = a.merged(with: b)
            try #require(merged == b.merged(with: a), "round \(round)")
            try #require(merged.merged(with: c) == a.merged(with: b.merged(with: c)), "round \(round)")
            try #require(a.merged(with: a) == a && merged.merged(with: b) == merged, "round \(round)")
            #expect(merged.includes(a) && merged.includes(b))
        }
    }

    /// The favourites of the board "a" at three times, and the list with them.
    private func recorded(_ favourites: [Favourite]...) throws -> SharedList {
        var list = SharedList()
        var clock = HybridClock(board: try name("a"))
        for (index, pair) in zip([[]] + favourites, favourites).enumerated() {
            list.record(from: pair.0, to: pair.1) { clock.next(at: at(Double(index))) }
        }
        return list
    }

    @Test("favourites with every key are returned unchanged, in their order")
    func favourites() throws {
        let whole = Favourite(
            stop: StopID(feed: FeedName("rail"), code: "RDG"), label: "Work", lines: ["XR"], sort: .line,
            walk: .seconds(240), towards: ["PAD"], platforms: ["3", "4"], directions: ["up"],
            when: [WeeklyWindow(from: 390, to: 570)], name: "Reading",
            location: Coordinates(latitude: 51, longitude: -1))
        let favourites = [Favourite(9), whole, Favourite(1, "Home")]
        #expect(try recorded(favourites).favourites == favourites)
        #expect(try recorded([Favourite(1)], favourites).favourites == favourites)
        #expect(try recorded(favourites, [Favourite(9), Favourite(1)]).favourites == [Favourite(9), Favourite(1)])
    }

    @Test("a move changes the order alone", arguments: [(0, 9), (9, 0), (4, 5), (3, 7)])
    func move(from: Int, to: Int) throws {
        let favourites = (0..<10).map { Favourite($0) }
        var moved = favourites
        moved.insert(moved.remove(at: from), at: to)
        let before = try recorded(favourites)
        let after = try recorded(favourites, moved)
        #expect(after.favourites == moved)
        #expect(after.entries == before.entries)
    }

    @Test("of two changes of one favourite the later one stays, and those of two favourites both do")
    func later() throws {
        let favourites = [Favourite(1), Favourite(2)]
        let base = try recorded(favourites)
        var (one, other) = (base, base)
        var clocks = [HybridClock(board: try name("b")), HybridClock(board: try name("c"))]
        one.record(from: favourites, to: [Favourite(1, "Home"), Favourite(2, "Work")]) { clocks[0].next(at: at(9)) }
        other.record(from: favourites, to: [Favourite(1, walk: .seconds(60)), Favourite(2)]) {
            clocks[1].next(at: at(10))
        }
        #expect(one.merged(with: other).favourites == [Favourite(1, walk: .seconds(60)), Favourite(2, "Work")])
    }

    @Test("of a removal and an edit the later one stays; a favourite that is added again has its new values alone")
    func removal() throws {
        let base = try recorded([Favourite(1, "Home", walk: .seconds(60)), Favourite(2)])
        var (removed, edited) = (base, base)
        var clocks = [HybridClock(board: try name("b")), HybridClock(board: try name("c"))]
        edited.record(from: base.favourites, to: [Favourite(1, "Work", walk: .seconds(60)), Favourite(2)]) {
            clocks[1].next(at: at(9))
        }
        removed.record(from: base.favourites, to: [Favourite(2)]) { clocks[0].next(at: at(10)) }
        var merged = removed.merged(with: edited)
        #expect(merged.favourites == [Favourite(2)])
        merged.record(from: [Favourite(2)], to: [Favourite(2), Favourite(1)]) { clocks[0].next(at: at(999)) }
        #expect(merged.merged(with: edited).merged(with: removed).favourites == [Favourite(2), Favourite(1)])
    }

    @Test("favourites that two boards add at one place have the same order on all, and can be moved")
    func onePlace() throws {
        let base = try recorded([Favourite(1), Favourite(9)])
        var lists = [base, base]
        var clocks = [HybridClock(board: try name("b")), HybridClock(board: try name("c"))]
        for index in 0..<2 {
            lists[index].record(from: base.favourites, to: [Favourite(1), Favourite(5 - index), Favourite(9)]) {
                clocks[index].next(at: at(9))
            }
        }
        var merged = lists[0].merged(with: lists[1])
        #expect(merged.favourites.map(\.stop.code) == ["1", "4", "9", "5"])
        let between = [1, 4, 7, 5, 9].map { Favourite($0) }
        merged.record(from: merged.favourites, to: between) { clocks[0].next(at: at(10)) }
        #expect(merged.favourites == between)
    }

    @Test("an addition on a board whose file lacks a move of another board leaves that move alone")
    func additionBesideMove() throws {
        let file = [Favourite(1), Favourite(2)]
        var list = try recorded(file)
        var clocks = [HybridClock(board: try name("b")), HybridClock(board: try name("c"))]
        list.record(from: file, to: [Favourite(2), Favourite(1)]) { clocks[0].next(at: at(9)) }
        list.record(from: file, to: [Favourite(1), Favourite(3), Favourite(2)]) { clocks[1].next(at: at(10)) }
        #expect(list.favourites.map(\.stop.code) == ["2", "1", "3"])
    }

    @Test("a favourite that this board does not have in its file keeps its place when others move")
    func foreignPlace() throws {
        var list = try recorded([1, 2, 3, 4].map { Favourite($0) })
        var clock = HybridClock(board: try name("b"))
        list.record(from: [1, 2, 4].map { Favourite($0) }, to: [4, 1, 2].map { Favourite($0) }, local: [stop(3)]) {
            clock.next(at: at(9))
        }
        #expect(list.favourites.map(\.stop.code) == ["4", "1", "2", "3"])
    }

    @Test("a removal is stored for 90 days, what it removed and what a change replaced for seven")
    func pruning() throws {
        let list = try recorded([Favourite(1, "Home"), Favourite(2)], [Favourite(2, "Work")])
        func pruned(_ days: Double) -> SharedList { list.pruned(at: at(days * 86_400).timestamp) }
        #expect(pruned(6.9) == list)
        #expect(pruned(7.1).entries.values.allSatisfy { $0.before == nil } && pruned(7.1).values == list.values)
        #expect(pruned(89).entries[stop(1)] != nil)
        #expect(pruned(91).entries[stop(1)] == nil)
        #expect(pruned(91).favourites == list.favourites)
    }
}
