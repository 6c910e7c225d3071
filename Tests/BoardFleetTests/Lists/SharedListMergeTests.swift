import BoardCore
import BoardStore
import Testing

@testable internal import BoardFleet

@Suite("Merging shared lists")
struct SharedListMergeTests {
    /// A list of random values, from few stops, fields and stamps, so that many of them meet.
    private func list(_ generator: inout RandomSource) throws -> SharedList {
        let boards = [try name("a"), try name("b"), try name("c")]
        var list = SharedList()
        for _ in 0..<generator.number(0..<40) {
            let field = ["here", "place", "label", "lines", "a-later-one"][generator.number(0..<5)]
            let stamp = HybridTimestamp(
                milliseconds: UInt64(generator.number(0..<4)), counter: UInt16(generator.number(0..<2)),
                board: boards[generator.number(0..<3)])
            let texts = (0..<generator.number(0..<3)).map { _ in ["true", "false", "V"][generator.number(0..<3)] }
            list.entries[stop(generator.number(0..<4)), default: SharedList.Entry()].set(field, texts, stamp)
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
            walk: .seconds(240), uncatchable: .mark, towards: ["PAD"], platforms: ["3", "4"], directions: ["up"],
            when: [WeeklyWindow(from: 390, to: 570)], name: "Reading",
            location: Coordinates(latitude: 51, longitude: -1))
        let favourites = [Favourite(9), whole, Favourite(1, "Home")]
        #expect(try recorded(favourites).favourites == favourites)
        #expect(try recorded([Favourite(1)], favourites).favourites == favourites)
        #expect(try recorded(favourites, [Favourite(9), Favourite(1)]).favourites == [Favourite(9), Favourite(1)])
    }

    @Test("one move changes the place of one entry", arguments: [(0, 9), (9, 0), (4, 5), (3, 7)])
    func move(from: Int, to: Int) throws {
        let favourites = (0..<10).map { Favourite($0) }
        var moved = favourites
        moved.insert(moved.remove(at: from), at: to)
        let before = try recorded(favourites)
        let after = try recorded(favourites, moved)
        #expect(after.favourites == moved)
        #expect(after.entries.filter { before.entries[$0.key] != $0.value }.count == 1)
    }

    @Test("two boards change different keys of one favourite, and both changes stay")
    func twoFields() throws {
        let base = try recorded([Favourite(1)])
        var (one, other) = (base, base)
        var clocks = [HybridClock(board: try name("b")), HybridClock(board: try name("c"))]
        one.record(from: [Favourite(1)], to: [Favourite(1, "Home")]) { clocks[0].next(at: at(9)) }
        other.record(from: [Favourite(1)], to: [Favourite(1, walk: .seconds(60))]) { clocks[1].next(at: at(9)) }
        #expect(one.merged(with: other).favourites == [Favourite(1, "Home", walk: .seconds(60))])
    }

    @Test("an edit does not bring a removed favourite back, and adding it does, with its new values alone")
    func removal() throws {
        let base = try recorded([Favourite(1, "Home", walk: .seconds(60)), Favourite(2)])
        var (removed, edited) = (base, base)
        var clocks = [HybridClock(board: try name("b")), HybridClock(board: try name("c"))]
        removed.record(from: base.favourites, to: [Favourite(2)]) { clocks[0].next(at: at(9)) }
        edited.record(from: base.favourites, to: [Favourite(1, "Work", walk: .seconds(60)), Favourite(2)]) {
            clocks[1].next(at: at(99))
        }
        var merged = removed.merged(with: edited)
        #expect(merged.favourites == [Favourite(2)])
        merged.record(from: [Favourite(2)], to: [Favourite(2), Favourite(1)]) { clocks[0].next(at: at(999)) }
        #expect(merged.merged(with: edited).merged(with: removed).favourites == [Favourite(2), Favourite(1)])
    }

    @Test("favourites that two boards add at one place have the same order on all, and there is room between them")
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
        #expect(merged.favourites.map(\.stop.code) == ["1", "4", "5", "9"])
        let between = [1, 4, 7, 5, 9].map { Favourite($0) }
        merged.record(from: merged.favourites, to: between) { clocks[0].next(at: at(10)) }
        #expect(merged.favourites == between)
    }

    @Test("10,000 moves to one place keep the order, and the places short")
    func manyMoves() throws {
        var list = try recorded((0..<10).map { Favourite($0) })
        var clock = HybridClock(board: try name("a"))
        for index in 0..<10_000 {
            let old = list.favourites
            var new = old
            // Alternating between two neighbours: the worst case of fractions.
            new.insert(new.remove(at: index.isMultiple(of: 2) ? 7 : 3), at: 5)
            list.record(from: old, to: new) { clock.next(at: at(Double(index + 1))) }
            guard list.favourites == new else {
                Issue.record("move \(index)")
                return
            }
        }
        #expect(list.entries.values.compactMap { $0.place?.length }.max() ?? 0 <= 24)
    }

    @Test("a removal is stored for 90 days, what it removed and what a change replaced for seven")
    func pruning() throws {
        let list = try recorded([Favourite(1, "Home"), Favourite(2)], [Favourite(2, "Work")])
        func pruned(_ days: Double) -> SharedList { list.pruned(at: at(days * 86_400).timestamp) }
        #expect(pruned(6.9) == list)
        #expect(pruned(7.1).entries[stop(1)]?.fields.keys.sorted() == ["here"])
        #expect(pruned(89).entries[stop(1)] != nil)
        #expect(pruned(91).entries[stop(1)] == nil)
        #expect(pruned(91).favourites == list.favourites)
    }
}
