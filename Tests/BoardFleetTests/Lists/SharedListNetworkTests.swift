import BoardCore
import BoardStore
import Testing
import Waiting

@testable internal import BoardFleet

@Suite("Boards that change a list in a network with partitions")
struct SharedListNetworkTests {
    /// A board whose favourites are those of its list.
    private struct Board {
        var list = SharedList()
        var favourites: [Favourite] = []
        var clock: HybridClock
        var isCertain = true
        var clockAhead = Duration.zero
        /// Copies in flight; any of them may arrive first, or never.
        var inbox: [SharedList] = []
        var partition = 0
    }

    /// What each stop's entry must be in the end, by the stamps alone.
    private struct Journal {
        var last: [StopID: Register<SharedList.Values?>.Version] = [:]
        var removed: Set<StopID> = []

        mutating func record(_ list: SharedList) {
            for (stop, version) in list.values {
                if last[stop].isNilOr({ $0.at < version.at }) { last[stop] = version }
                if version.content == nil { removed.insert(stop) }
            }
        }
    }

    /// A random change of a list of favourites.
    private func change(_ favourites: inout [Favourite], _ generator: inout RandomSource, _ round: Int) {
        let index = favourites.isEmpty ? 0 : generator.number(0..<favourites.count)
        switch generator.number(0..<8) {
        case 0...1 where favourites.count < 95:
            let new = stop(generator.number(0..<140))
            if !favourites.contains(where: { $0.stop == new }) {
                favourites.insert(Favourite(stop: new, label: "\(round)"), at: index)
            }
        case 2 where favourites.count > 60: favourites.remove(at: index)
        case 3...4 where !favourites.isEmpty:
            let moved = favourites.remove(at: index)
            favourites.insert(moved, at: generator.number(0..<favourites.count + 1))
        default:
            guard !favourites.isEmpty else { return }
            favourites[index].label = generator.number(0..<5) == 0 ? nil : "\(round)"
            if generator.number(0..<2) == 0 { favourites[index].walk = .seconds(60 * generator.number(1..<60)) }
        }
    }

    @Test("end with equal lists, and no favourite is lost but by its own removal")
    func rounds() throws {
        var generator = RandomSource(seed: 18)
        var boards = try ["a", "b", "c", "d", "e"].map { Board(clock: HybridClock(board: try name($0))) }
        var journal = Journal()
        // One board has no certain time, and one has a clock that is half a minute ahead.
        boards[3].isCertain = false
        boards[4].clockAhead = .seconds(30)
        for round in 0..<Rounds.of(10_000) {
            let time = Double(round) * 7
            let index = generator.number(0..<5)
            if generator.number(0..<50) == 0 {
                for other in 0..<5 { boards[other].partition = generator.number(0..<2) }
            }
            var board = boards[index]
            let old = board.favourites
            change(&board.favourites, &generator, round)
            let now = at(time, isCertain: board.isCertain, clockAhead: board.clockAhead)
            board.list.record(from: old, to: board.favourites) { board.clock.next(at: now) }
            if round.isMultiple(of: 20) { try #require(board.list.favourites == board.favourites, "round \(round)") }
            journal.record(board.list)
            boards[index] = board
            for other in 0..<5 where other != index && boards[other].partition == board.partition {
                // A third of the copies is lost.
                if generator.number(0..<3) > 0 { boards[other].inbox.append(board.list) }
                if boards[other].inbox.count > 4 { boards[other].inbox.removeFirst() }
            }
            let reader = generator.number(0..<5)
            if let copy = boards[reader].inbox.indices.randomElement(using: &generator) {
                merge(boards[reader].inbox.remove(at: copy), into: &boards[reader])
            }
        }
        // It heals: each board reads the copy of the broker and publishes what that lacks.
        var retained = boards[0].list
        for _ in 0..<2 {
            for index in 0..<5 {
                merge(retained, into: &boards[index])
                if !retained.includes(boards[index].list) { retained = boards[index].list }
            }
        }
        for board in boards {
            #expect(board.favourites == boards[0].favourites)
            #expect(board.list.values == boards[0].list.values)
        }
        let stops = Set(boards[0].favourites.map(\.stop))
        #expect(stops.count > 40)
        for (stop, version) in journal.last {
            #expect(stops.contains(stop) == (version.content != nil), "\(stop)")
            if !journal.removed.contains(stop) { #expect(stops.contains(stop), "\(stop) was never removed") }
        }
    }

    private func merge(_ copy: SharedList, into board: inout Board) {
        let old = board.list
        let favourites = Dictionary(board.favourites.map { ($0.stop, $0) }) { first, _ in first }
        board.list = old.merged(with: copy)
        if let latest = copy.latest { board.clock.observe(latest) }
        board.favourites = board.list.stops.map { stop in
            // Reading all values in each of 10,000 rounds takes most of the time.
            let unchanged = old.entries[stop] == board.list.entries[stop] ? favourites[stop] : nil
            return unchanged ?? board.list.favourite(stop)
        }
    }

    // MARK: - Whole boards

    /// Boards at a broker that stores the last message; each message reaches a connected board after a random time.
    private struct Network {
        var boards: [TestBoard]
        var isConnected: [Bool]
        var inboxes: [[[UInt8]]]
        var retained: [UInt8]?
        var published = 0

        mutating func publish(_ payload: [UInt8]?) {
            guard let payload else { return }
            published += 1
            retained = payload
            for index in boards.indices where isConnected[index] { inboxes[index].append(payload) }
        }

        mutating func connect(_ index: Int, _ seconds: Double) {
            isConnected[index] = true
            boards[index].state.connected(at: boards[index].time(seconds))
            inboxes[index] = retained.map { [$0] } ?? []
        }

        mutating func disconnect(_ index: Int) {
            isConnected[index] = false
            boards[index].state.disconnected()
            inboxes[index] = []
        }

        /// Delivers everything, until no board publishes anything for ten seconds, and all files are written.
        mutating func settle(_ start: Double) -> Double {
            var seconds = start
            for _ in 0..<100 {
                let before = published
                for _ in 0..<10 {
                    seconds += 1
                    for index in boards.indices {
                        for payload in inboxes[index] { publish(boards[index].receive(payload, seconds)) }
                        inboxes[index] = []
                        publish(boards[index].run(seconds))
                    }
                }
                let isWritten = boards.allSatisfy { !$0.state.isStorageDue && !$0.state.isWriteDue }
                if published == before, isWritten { return seconds }
            }
            Issue.record("the boards publish without end")
            return seconds
        }
    }

    @Test("whole boards end with equal files, and then publish nothing more", arguments: 1...6)
    func boards(seed: UInt64) async throws {
        var generator = RandomSource(seed: seed)
        var network = Network(
            boards: try ["a", "b", "c", "d"].map { try TestBoard($0) }, isConnected: [false, false, false, false],
            inboxes: [[], [], [], []])
        for index in 0..<4 { network.connect(index, 0) }
        // The clock of one is a year ahead until it is corrected; another has no certain time for as long.
        network.boards[2].clockAhead = .seconds(365 * 86_400)
        network.boards[3].isCertain = false
        var seconds = network.settle(0)
        for round in 0..<60 {
            await Task.yield()
            seconds += 1.5
            let index = generator.number(0..<4)
            if round == 40 {
                network.boards[2].clockAhead = .zero
                network.boards[3].isCertain = true
            }
            if generator.number(0..<6) == 0 {
                if network.isConnected[index] { network.disconnect(index) } else { network.connect(index, seconds) }
            }
            if generator.number(0..<20) == 0 { network.retained = nil }
            var favourites = network.boards[index].favourites
            change(&favourites, &generator, round)
            network.publish(network.boards[index].edit(seconds) { $0 = favourites })
            for other in 0..<4 where !network.inboxes[other].isEmpty && generator.number(0..<2) == 0 {
                let payload = network.inboxes[other].remove(at: generator.number(0..<network.inboxes[other].count))
                network.publish(network.boards[other].receive(payload, seconds))
            }
        }
        for index in 0..<4 where network.isConnected[index] { network.disconnect(index) }
        for index in 0..<4 { network.connect(index, seconds + 1) }
        seconds = network.settle(seconds + 1)
        let first = network.boards[0]
        for board in network.boards {
            #expect(board.state.membership == .member)
            #expect(board.favourites == first.favourites, "\(board.state.board)")
            #expect(board.favourites == board.state.list.favourites)
            #expect(board.state.list.values == first.state.list.values)
            #expect(
                board.stored
                    == StoredSharedList(name: board.state.name, list: board.state.list, favourites: board.favourites))
        }
        #expect(first.favourites.count > 3)
    }
}
