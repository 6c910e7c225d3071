import BoardCore
import BoardStore
import Testing

@testable internal import BoardFleet

@Suite("Messages with shared lists")
struct SharedListPayloadTests {
    private func member() throws -> TestBoard {
        var board = try TestBoard("a", [Favourite(1, "Home"), Favourite(2)])
        let payload = try required(board.connect(0))
        board.receive(payload, 8)
        return board
    }

    private func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test("a list is written with sorted keys, and read again")
    func form() throws {
        var list = SharedList()
        var clock = HybridClock(board: try name("kitchen"))
        list.record(from: [], to: [Favourite(1, "Home")]) { clock.next(at: at(0)) }
        list.record(from: [Favourite(1, "Home")], to: [Favourite(1, "Rd / \"A\"")]) { clock.next(at: at(1)) }
        #expect(
            String(decoding: list.payload, as: UTF8.self) == #"""
                {"previous":{"tfl:1":{"label":["1795651200000-kitchen","Home"]}},"stops":{"tfl:1":\#
                {"here":["1795651200000-kitchen","true"],"label":["1795651201000-kitchen","Rd / \"A\""],\#
                "place":["1795651200000-kitchen","V"]}},"version":1}
                """#)
        let (read, malformed) = try SharedList.read(list.payload)
        #expect(read == list && malformed == 0)
    }

    @Test("an empty message has no effect, retained or not, also on a board without a list")
    func empty() throws {
        var board = try member()
        let before = board.state.list
        board.state.received([], isRetained: true, at: at(20))
        board.state.received([], isRetained: false, at: at(20))
        #expect(board.run(30) == nil && board.state.list == before && board.favourites.count == 2)
        #expect(board.sentences.isEmpty && board.state.faults.isEmpty)
        var new = try TestBoard("b", [Favourite(3)])
        new.state.connected(at: at(0))
        new.state.received([], isRetained: true, at: at(1))
        new.run(1)
        #expect(new.run(6) != nil && new.favourites == [Favourite(3)], "its own favourites become the list")
    }

    @Test("of the removals in many messages the newest thousand are stored, and no favourite is lost")
    func manyRemovals() throws {
        var board = try member()
        for part in 1...3 {
            let stops = (0..<1_000).map { index in
                "\"tfl:\(part)x\(index)\": {\"here\": [\"179565100\(part)000-b\", \"false\"]}"
            }
            board.receive(bytes("{\"version\": 1, \"stops\": {\(stops.joined(separator: ","))}}"), 20 + Double(part))
        }
        let removals = board.state.list.entries.filter { !$0.value.isHere }.keys
        #expect(removals.count == 1_000 && removals.allSatisfy { $0.code.hasPrefix("3x") })
        #expect(board.favourites.map(\.stop) == [stop(1), stop(2)])
    }

    @Test(
        "an unreadable message is a sentence, and no favourite is lost",
        arguments: [
            ("nonsense", "is unreadable"), ("[]", "is unreadable"), ("{\"version\": 1}", "is unreadable"),
            ("{\"version\": 1, \"stops\": {\"tfl:1\": {\"here\": \"false\"}}}", "is unreadable"),
            ("{\"version\": 1, \"stops\": {\"tfl:1\": {\"here\": [\"9", "is unreadable"),
            (
                "{\"version\": 2, \"stops\": []}",
                "has version 2, and this boardd reads version 1: update boardd on this board"
            ),
            (
                "{\"version\": 3, \"stops\": {}}",
                "has version 3, and this boardd reads version 1: update boardd on this board"
            ),
            (String(repeating: "[", count: 65_536), "is unreadable"),
            (String(repeating: " ", count: 65_537), "has 65537 bytes, and at most 65536 are read"),
        ])
    func unreadable(text: String, sentence: String) throws {
        var board = try member()
        let before = board.state.list
        board.state.received(bytes(text), isRetained: true, at: at(20))
        let replaced = board.run(20) ?? board.run(22)
        #expect(board.state.list == before && board.favourites == [Favourite(1, "Home"), Favourite(2)])
        #expect(board.state.faults == ["list/home: the retained message \(sentence)"])
        #expect(board.sentences == board.state.faults)
        // A message of a later version stays.
        #expect((replaced != nil) == (sentence == "is unreadable"))
        board.state.received(bytes(text), isRetained: false, at: at(30))
        #expect(board.run(40) == nil, "once for each connection")
        board.receive(board.state.list.payload, 50)
        #expect(board.state.faults.isEmpty)
    }

    @Test("100 stops are read, 101 are not")
    func tooMany() throws {
        func payload(_ count: Int) -> [UInt8] {
            let stops = (0..<count).map { "\"tfl:\($0)\": {\"here\": [\"1-b\", \"true\"]}" }
            return bytes("{\"version\": 1, \"stops\": {\(stops.joined(separator: ","))}}")
        }
        #expect(try SharedList.read(payload(100)).list.order.count == 100)
        #expect(throws: PlainError("has 101 stops, and at most 100 are read")) { try SharedList.read(payload(101)) }
    }

    @Test("malformed values and stops are passed over and counted, and the others are merged")
    func malformedValues() throws {
        var board = try member()
        let long = String(repeating: "x", count: 50)
        board.receive(
            bytes(
                """
                {"version": 1, "more": 7, "stops": {"tfl": {"here": ["1-b", "true"]}, "tfl:2": {"label": ["2795651200000-b"],
                "walk": ["soon", "4m"], "\(long)": ["1-b"], "lines": []}, "tfl:1": {"label": ["1795651209000-b", "B"]}}}
                """), 20)
        #expect(board.favourites == [Favourite(1, "B"), Favourite(2)])
        #expect(board.state.faults.contains("list/home: skipped 4 malformed values"), "\(board.state.faults)")
    }

    @Test("a value that favourites.toml may not contain is a sentence, and the value before stays")
    func rejectedValues() throws {
        var board = try member()
        board.receive(
            bytes(
                """
                {"version": 1, "stops": {"tfl:1": {"label": ["1795651209000-b", " "], "walk": ["1795651209000-b", "3h"]},
                "tfl:2": {"label": ["1795651209000-b", "a\\nb"], "sort": ["1795651209000-b", "platform"]}}}
                """), 20)
        #expect(board.favourites == [Favourite(1, "Home"), Favourite(2)])
        #expect(
            board.state.faults == [
                "list home: tfl:1: label is \" \", but must be one line of text that is not empty; it is ignored"
            ])
        let published = try required(board.edit(30) { $0[1].label = "Mine" })
        let field = try SharedList.read(published).list.entries[stop(1)]?.fields["walk"]?.value
        #expect(field?.texts == ["3h"], "a later version may accept it")
    }

    @Test("fields of later versions are merged and published, and change no favourite")
    func laterFields() throws {
        var board = try member()
        board.receive(
            bytes("{\"version\": 1, \"stops\": {\"tfl:1\": {\"colour\": [\"1795651209000-b\", \"red\"]}}}"), 20)
        let published = try required(board.edit(30) { $0[1].label = "Mine" })
        #expect(try SharedList.read(published).list.entries[stop(1)]?.fields["colour"]?.value.texts == ["red"])
        #expect(board.favourites == [Favourite(1, "Home"), Favourite(2, "Mine")])
    }

    @Test("stamps more than a minute ahead of a certain clock are reported once and not merged")
    func future() throws {
        var board = try member()
        // 2027-11-26, and half a minute ahead.
        let text = """
            {"version": 1, "stops": {"tfl:1": {"here": ["1827187200000-b", "false"], "label": ["1795651250000-c", "C"]},
            "tfl:7": {"here": ["1827187200000-b", "true"]}}}
            """
        for second in [20.0, 21, 22] { board.receive(bytes(text), second) }
        #expect(board.favourites == [Favourite(1, "C"), Favourite(2)])
        #expect(
            board.sentences == [
                "list/home: changes with times ahead of this board's clock are ignored, from b (by 365 days): "
                    + "check the clocks"
            ])
        #expect(board.state.list.latest?.board.description == "c")
        #expect(board.run(60) != nil, "the message lacks this board's favourites")
        board.receive(board.state.list.payload, 5_000)
        #expect(board.state.faults.isEmpty)
    }

    @Test("a board whose time is not certain merges them; when it is, they get its time, and no favourite is lost")
    func futureWithoutTime() throws {
        var board = try member()
        board.isCertain = false
        board.receive(
            bytes(
                """
                {"version": 1, "stops": {"tfl:7": {"here": ["1827187200000-b", "true"], "place": ["1827187200000-b", "z"]}}}
                """), 20)
        #expect(board.stops == ["1", "2", "7"])
        let own = try required(board.edit(30) { $0[0].label = "A" })
        #expect(try SharedList.read(own).list.latest?.description == "1827187200000.1-a", "not its wall clock")
        board.isCertain = true
        let restamped = try required(board.run(40))
        #expect(try SharedList.read(restamped).list.latest?.timestamp == at(40).timestamp)
        #expect(board.favourites == [Favourite(1, "A"), Favourite(2), Favourite(7)])
    }

    @Test("a board whose own clock was years ahead is understood after its correction")
    func ownClock() throws {
        var board = try member()
        var other = try TestBoard("b")
        other.connect(10, retained: board.state.list.payload)
        board.clockAhead = .seconds(3 * 365 * 86_400)
        other.receive(board.edit(20) { $0.append(Favourite(3)) }, 21)
        #expect(other.stops == ["1", "2"])
        board.clockAhead = .zero
        other.receive(board.run(30), 31)
        #expect(other.stops == ["1", "2", "3"] && board.stops == other.stops)
    }

    @Test("a message of 100 favourites with every key fits, at the cost of the replaced values and old removals")
    func size() throws {
        var list = SharedList()
        var clock = HybridClock(board: try name("living-room-downstairs"))
        var favourites: [Favourite] = []
        for round in 0..<3 {
            let old = favourites
            favourites = (0..<100).map { index in
                Favourite(
                    stop: StopID(feed: FeedName("tfl"), code: "4900086\(index + round * 50)N"),
                    label: "Number \(round) \(index)", lines: ["73", "390", "N\(round)"],
                    walk: .seconds(60 + 60 * Int64(round)), platforms: ["A\(round)"], directions: ["inbound"],
                    name: "Some Street \(round)", location: Coordinates(latitude: 51.5, longitude: -0.1))
            }
            list.record(from: old, to: favourites) { clock.next(at: at(Double(round))) }
        }
        #expect(list.estimatedSize > SharedList.maximumSize)
        let payload = list.payload
        #expect(payload.count <= SharedList.maximumSize)
        #expect(list.published.estimatedSize >= payload.count, "the estimate is an upper limit")
        #expect(try SharedList.read(payload).list.favourites == favourites)
        #expect(list.excess.isEmpty)
    }
}
