import BoardControl
import BoardCore
import BoardService
import FoundationEssentials
import TestOperators
import Testing

@testable import BoardFeeds
@testable import boardd

@Suite("Drawing the route of a line")
struct StopsRouteTests {
    /// A direction of branches like "ABC > 1 2"; a stop is one letter.
    private func route(_ branches: [(stops: String, next: [Int])], favourites: String = "") -> RouteEntry {
        let direction = LineRoute.Direction(
            name: "outbound",
            branches: branches.map { branch in
                LineRoute.Branch(
                    stops: branch.stops.map {
                        LineRoute.RouteStop(id: StopID(feed: SampleDirectory.feed, code: "\($0)"), name: "Stop \($0)")
                    }, next: branch.next)
            })
        let line = LineRoute(line: Line(id: "7", name: "7"), mode: "bus", directions: [direction])
        return RouteEntry(line, of: SampleDirectory.feed) { favourites.contains($0.code) }
    }

    /// The drawing without names: lanes and letters.
    private func drawing(_ branches: [(stops: String, next: [Int])]) -> [String] {
        RouteDrawing(RouteGraph(route(branches).directions[0])).rows.map { row in
            let text = row.call.map { String($0.name.dropFirst(5)) } ?? row.remark ?? ""
            let lanes = String(row.lanes.reversed().drop { $0 == " " }.reversed())
            return text.isEmpty ? lanes : "\(lanes) \(text)"
        }
    }

    @Test("a plain line is its stops in sequence")
    func plain() {
        #expect(drawing([("ABC", [])]) == ["● A", "● B", "● C"])
    }

    @Test("a fork and a join are drawn, and the stop where branches meet appears once")
    func diamond() {
        #expect(
            drawing([("AB", [1, 2]), ("BXC", [3]), ("BYZC", [3]), ("CD", [])]) == [
                "● A", "● B", "├─╮", "● │ X", "│ ● Y", "│ ● Z", "├─╯", "● C", "● D",
            ])
    }

    @Test("two branches, one of them without stops between, are still two")
    func express() {
        #expect(
            drawing([("AB", [1, 2]), ("BC", [3]), ("BXC", [3]), ("CD", [])]) == [
                "● A", "● B", "├─╮", "│ ● X", "├─╯", "● C", "● D",
            ])
    }

    @Test("parallel ends keep their lanes; a join crosses those between")
    func ends() {
        #expect(
            drawing([("ABM", [3]), ("CN", [4]), ("DM", [3]), ("MO", []), ("NP", [])]) == [
                "● A", "● B", "│ ● C", "│ │ ● D", "├─┼─╯", "● │ M", "● │ O", "  ● N", "  ● P",
            ])
    }

    @Test("branches that do not meet are drawn apart")
    func apart() {
        #expect(drawing([("AB", []), ("CD", [])]) == ["● A", "● B", "", "● C", "● D"])
        #expect(drawing([("C", [1, 2]), ("CH", []), ("CM", [])]) == ["● C", "├─╮", "● │ H", "  ● M"])
        #expect(drawing([("AZ", [1]), ("Z", []), ("BZ", [1])]) == ["● A", "│ ● B", "├─╯", "● Z"])
    }

    @Test("three branches join at once, and fork at once")
    func three() {
        #expect(
            drawing([("AM", [3, 4, 5]), ("BM", [3, 4, 5]), ("CM", [3, 4, 5]), ("MX", []), ("MY", []), ("MZ", [])]) == [
                "● A", "│ ● B", "│ │ ● C", "├─┴─╯", "● M", "├─┬─╮", "● │ │ X", "  ● │ Y", "    ● Z",
            ])
    }

    @Test(
        "a loop shows where it continues; a stop that is called at twice is marked, one on two parallel branches is not"
    )
    func circles() throws {
        #expect(drawing([("ABCA", [0])]) == ["● A", "● B", "● C", "╰ ↻ on to Stop A, above"])
        // In by one branch, round, and out by the same stop.
        let lasso = route([("ABCDB", [])])
        let text = RouteListing(lasso).text
        #expect(text.split(separator: "\n").filter { $0.hasSuffix("↻ calls twice") }.count == 2)
        #expect(RouteGraph(lasso.directions[0]).calledTwice == ["tfl:B"])
        let loop = RouteGraph(route([("ABC", [1]), ("CDE", [2]), ("EBF", [])]).directions[0])
        #expect(loop.calledTwice == ["tfl:B"])
        let beside = RouteGraph(route([("AB", [1, 2]), ("BXC", []), ("BXD", [])]).directions[0])
        #expect(beside.calledTwice.isEmpty)
    }

    @Test("consecutive branches without a shared stop, and numbers without a branch, do no harm")
    func odd() {
        #expect(drawing([("AB", [1, 9, -1]), ("CD", [])]) == ["● A", "● B", "● C", "● D"])
        #expect(drawing([("A", [1]), ("AB", [])]) == ["● A", "● B"])
        #expect(drawing([("A", [])]) == ["● A"])
        #expect(drawing([("", [1]), ("AB", [])]) == ["● A", "● B"])
        #expect(drawing([]).isEmpty)
        #expect(drawing([("AB", [1]), ("BA", [0])]).last?.contains("above") == true)
    }

    @Test("every stop of every branch is drawn, once per node, whatever the graph")
    func everything() {
        var generator = RandomSource(seed: 7)
        for _ in 0..<300 {
            let count = Int.random(in: 1...7, using: &generator)
            let branches = (0..<count).map { _ in
                (
                    stops: String(
                        (0...Int.random(in: 0...3, using: &generator)).compactMap { _ in
                            "ABCDEFGH".randomElement(using: &generator)
                        }),
                    next: (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                        Int.random(in: -1...count, using: &generator)
                    }
                )
            }
            let rows = drawing(branches)
            for stop in Set(branches.letters) { #expect(rows.contains { $0.hasSuffix(" \(stop)") }, "\(branches)") }
        }
    }

    /// A recorded response of TfL.
    private struct Recording: Decodable { let content: String }

    @Test(
        "the Northern line as TfL reports it: three ends in the north, two branches in the middle, two ends in the south",
        .needsRecordings)
    func northern() throws {
        let name = "tfl/recorded_with_headers/route_sequence_northern_all_branches.json"
        guard let file = Recordings.read(name) else { return }
        let content = try JSONDecoder().decode(Recording.self, from: Data(file)).content
        let route = RouteEntry(try TfLRouteSequence(Array(content.utf8)).route, of: SampleDirectory.feed) { _ in false }
        let inbound = try #require(route.directions.first { $0.name == "inbound" })
        let graph = RouteGraph(inbound)
        #expect(Set(graph.origins.compactMap { $0.split(separator: " ").first }) == ["Edgware", "High", "Mill"])
        #expect(Set(graph.destinations.compactMap { $0.split(separator: " ").first }) == ["Morden", "Battersea"])
        let rows = RouteDrawing(graph).rows
        func row(_ name: String) -> Int? { rows.firstIndex { $0.call?.name.hasPrefix(name) == true } }
        let camden = try #require(row("Camden Town"))
        #expect(rows[camden - 1].lanes.contains("╯") && rows[camden + 1].lanes.contains("╮"))
        let kennington = try #require(row("Kennington"))
        #expect(rows[kennington - 1].lanes.hasPrefix("├─╯") && rows[kennington + 1].lanes.hasPrefix("├─╮"))
        // Both branches in the middle call at Euston, and no train twice.
        #expect(rows.filter { $0.call?.name.hasPrefix("Euston") == true }.count == 2)
        #expect(graph.calledTwice.isEmpty)
        // Every stop of the operator is there.
        let stops = Set(inbound.branches.flatMap(\.stops).map(\.stop))
        #expect(Set(rows.compactMap { $0.call?.stop }) == stops)
    }

    @Test("the text names both ends, marks the stop of --stop and favourites, and moves no terminal's cursor")
    func text() {
        let entry = route([("AB", [1, 2]), ("BC", []), ("BD", [])], favourites: "C")
        #expect(
            RouteListing(entry, marking: ["tfl:B"]).text == """
                Line 7  bus  tfl:7

                outbound: Stop A → Stop C, Stop D
                    ●    Stop A  tfl:A
                ▶   ●    Stop B  tfl:B
                    ├─╮
                  ★ ● │  Stop C  tfl:C
                      ●  Stop D  tfl:D

                """)
    }
}

extension [(stops: String, next: [Int])] {
    fileprivate var letters: [Character] { flatMap(\.stops) }
}
