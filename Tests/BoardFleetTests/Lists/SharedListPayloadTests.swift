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

    /// A message with these stops: each a code, a stamp and the content in JSON.
    private func message(_ stops: (code: String, stamp: String, content: String)...) -> [UInt8] { message(stops) }

    private func message(_ stops: [(code: String, stamp: String, content: String)]) -> [UInt8] {
        let texts = stops.map {
            "\"tfl:\($0.code)\": {\"last\": {\"at\": \"\($0.stamp)\", \"content\": \($0.content)}}"
        }
        return bytes("{\"version\": 2, \"stops\": {\(texts.joined(separator: ","))}}")
    }

    @Test("a list is written with sorted keys, and read again")
    func form() throws {
        var list = SharedList()
        var clock = HybridClock(board: try name("kitchen"))
        list.record(from: [], to: [Favourite(1, "Home")]) { clock.next(at: at(0)) }
        list.record(from: [Favourite(1, "Home")], to: [Favourite(1, "Rd / \"A\"")]) { clock.next(at: at(1)) }
        #expect(
            String(decoding: list.payload, as: UTF8.self) == #"""
                {"order":{"last":{"at":"1795651200000-kitchen","content":["tfl:1"]}},"stops":{"tfl:1":{\#
                "before":{"at":"1795651200000-kitchen","content":{"label":["Home"]}},\#
                "last":{"at":"1795651201000-kitchen","content":{"label":["Rd / \"A\""]}}}},"version":2}
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
            let stops = (0..<900).map { (code: "\(part)x\($0)", stamp: "179565100\(part)000-b", content: "null") }
            board.receive(message(stops), 20 + Double(part))
        }
        let removals = board.state.list.values.filter { $0.value.content == nil }.keys
        #expect(removals.count == 1_000 && removals.count { $0.code.hasPrefix("3x") } == 900)
        #expect(board.favourites.map(\.stop) == [stop(1), stop(2)])
    }

    @Test(
        "an unreadable message is a sentence, and no favourite is lost",
        arguments: [
            ("nonsense", "is unreadable"), ("[]", "is unreadable"), ("{\"version\": 2}", "is unreadable"),
            ("{\"version\": 2, \"stops\": {\"tfl:1\": {\"last\": [\"9", "is unreadable"),
            ("{\"version\": 1, \"stops\": {}}", "is unreadable"),
            (
                "{\"version\": 3, \"stops\": {}}",
                "has version 3, and this boardd reads version 2: update boardd on this board"
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
            message((0..<count).map { (code: "\($0)", stamp: "1-b", content: "{}") })
        }
        #expect(try SharedList.read(payload(100)).list.stops.count == 100)
        #expect(throws: PlainError("has 101 stops, and at most 100 are read")) { try SharedList.read(payload(101)) }
    }

    @Test("malformed parts are skipped and counted, and the others are merged")
    func malformedParts() throws {
        var board = try member()
        let large = String(repeating: "x", count: 5_000)
        board.receive(
            bytes(
                """
                {"version": 2, "more": 7, "order": {"last": 7}, "stops": {"tfl": {"last": {"at": "1-b", "content": {}}},
                "tfl:2": {"last": {"at": "soon", "content": {}}}, "tfl:3": {"label": ["A"]}, "tfl:4": [],
                "tfl:5": {"last": {"at": "1-b", "content": {"label": ["\(large)"]}}},
                "tfl:1": {"last": {"at": "1795651209000-b", "content": {"label": ["B"]}, "more": 7}}}}
                """), 20)
        #expect(board.favourites == [Favourite(1, "B"), Favourite(2)])
        #expect(board.state.faults.contains("list/home: skipped 6 malformed parts"), "\(board.state.faults)")
    }

    @Test("a value that favourites.toml may not contain is a sentence, and the value before stays")
    func rejectedValues() throws {
        var board = try member()
        board.receive(
            message(
                ("1", "1795651209000-b", #"{"label": [" "], "walk": ["3h"], "lines": ["73"]}"#),
                ("2", "1795651209000-b", #"{"label": ["a\nb"], "sort": ["platform"]}"#)), 20)
        #expect(board.favourites.map(\.label) == ["Home", nil] && board.favourites.map(\.lines) == [["73"], []])
        #expect(
            board.state.faults == [
                "list home: tfl:1: label is \" \", but must be one line of text that is not empty; it is ignored"
            ])
        let published = try required(board.edit(30) { $0[0].label = "Mine" })
        let values = try SharedList.read(published).list.entries[stop(1)]?.last.content
        #expect(values == ["label": ["Mine"], "lines": ["73"], "walk": ["3h"]], "a later version may accept it")
    }

    @Test("keys of later versions are merged and published, and change no favourite")
    func laterKeys() throws {
        var board = try member()
        board.receive(message(("1", "1795651209000-b", #"{"label": ["Home"], "colour": ["red"]}"#)), 20)
        let published = try required(board.edit(30) { $0[0].label = "Mine" })
        let values = try SharedList.read(published).list.entries[stop(1)]?.last.content
        #expect(values == ["label": ["Mine"], "colour": ["red"]])
        #expect(board.favourites == [Favourite(1, "Mine"), Favourite(2)])
    }

    @Test("stamps more than a minute ahead of a certain clock are reported once and not merged")
    func future() throws {
        var board = try member()
        // 2027-11-26, and half a minute ahead.
        let message = message(
            ("1", "1795651250000-c", #"{"label": ["C"]}"#), ("2", "1827187200000-b", "null"),
            ("7", "1827187200000-b", "{}"))
        for second in [20.0, 21, 22] { board.receive(message, second) }
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
        board.receive(message(("7", "1827187200000-b", "{}")), 20)
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

    @Test("a message of 100 favourites with every key fits, at the cost of the replaced versions and old removals")
    func size() throws {
        var list = SharedList()
        var clock = HybridClock(board: try name("living-room-downstairs"))
        var favourites: [Favourite] = []
        for round in 0..<6 {
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
        #expect(StableJSON.bytes(SharedListFile(list)).count > SharedList.maximumSize)
        let payload = list.payload
        #expect(payload.count <= SharedList.maximumSize)
        #expect(try SharedList.read(payload).list.favourites == favourites)
        #expect(list.excess.isEmpty)
    }
}
