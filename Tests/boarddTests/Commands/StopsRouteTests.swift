import BoardControl
import BoardCore
import BoardService
import FoundationEssentials
import TestOperators
import Testing

@testable import BoardFeeds
@testable import boardd

@Suite("The list of a line's stops")
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

    /// The list below the heading of the direction, without identifiers.
    private func list(_ branches: [(stops: String, next: [Int])]) -> [String] {
        RouteListing(route: route(branches)).text.split(separator: "\n").dropFirst().map { line in
            String((line.split(separator: "  tfl:").first ?? "").trimmingPrefix("    ").replacing("Stop ", with: ""))
        }
    }

    @Test("a plain line, also one that goes round, is its stops in sequence")
    func plain() {
        #expect(list([("ABC", [])]) == ["outbound: A → C", "A", "B", "C"])
        #expect(list([("ABCA", [0])]) == ["outbound", "A", "B", "C", "A"])
    }

    @Test("each branch from fork to fork has a list of its own, with both ends")
    func branches() {
        #expect(
            list([("AB", [1, 2]), ("BXC", [3]), ("BYZC", [3]), ("CD", [])]) == [
                "outbound: A → D", "A → B", "  A", "  B", "B → C", "  B", "  X", "  C", "B → C", "  B", "  Y", "  Z",
                "  C",
                "C → D", "  C", "  D",
            ])
        // Where three lines meet and part in one stop.
        #expect(
            list([("AM", [2]), ("BM", [2]), ("M", [3, 4]), ("MX", []), ("MY", [])]) == [
                "outbound: A, B → X, Y", "A → M", "  A", "  M", "B → M", "  B", "  M", "M → X", "  M", "  X", "M → Y",
                "  M",
                "  Y",
            ])
    }

    @Test("branches without stops, and numbers without a branch, do no harm")
    func odd() {
        #expect(list([("AB", [9, -1])]) == ["outbound: A → B", "A", "B"])
        #expect(list([("A", [1]), ("AB", [])]) == ["outbound: A → B", "A", "B"])
        #expect(list([("", [1]), ("AB", [])]) == ["outbound: B", "A", "B"])
        #expect(list([("Z", []), ("Z", [])]) == ["outbound: Z → Z", "Z"])
        #expect(list([]) == ["outbound"])
    }

    @Test("every stop of every branch is listed, whatever the graph")
    func everything() {
        var generator = RandomSource(seed: 7)
        for _ in 0..<300 {
            let branches = (0..<Int.random(in: 1...7, using: &generator)).map { _ in
                (
                    stops: String(
                        (0...Int.random(in: 0...3, using: &generator)).compactMap { _ in
                            "ABCDEFGH".randomElement(using: &generator)
                        }),
                    next: (0..<Int.random(in: 0...3, using: &generator)).map { _ in
                        Int.random(in: -1...7, using: &generator)
                    }
                )
            }
            let rows = list(branches).map { $0.drop { $0 == " " } }
            for stop in Set(branches.flatMap(\.stops)) { #expect(rows.contains("\(stop)"), "\(branches)") }
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
        let route = RouteEntry(try LineRoute(tfl: Array(content.utf8)), of: SampleDirectory.feed) { _ in false }
        let lines = RouteListing(route: route).text.split(separator: "\n")
        let heading = try #require(lines.first { $0.hasPrefix("inbound: ") })
        #expect(heading.hasPrefix("inbound: High Barnet") && heading.contains(" → ") && heading.contains("Battersea"))
        // Towards the south two branches begin at Camden Town, one by way of Bank and one by way of Charing Cross.
        let inbound = lines.drop { $0 != heading }.prefix { !$0.hasPrefix("outbound") }
        #expect(inbound.count { $0.hasPrefix("    Camden Town") && $0.contains(" → Euston") } == 2)
        for branch in route.directions.flatMap(\.branches) {
            for call in branch.stops { #expect(lines.contains { $0.hasSuffix("  \(call.stop)") }, "\(call.stop)") }
        }
    }

    @Test("the text names both ends, marks the stop of --stop and favourites, and moves no terminal's cursor")
    func text() {
        let entry = route([("AB", [1, 2]), ("BC", []), ("BD", [])], favourites: "C")
        #expect(
            RouteListing(route: entry, marked: ["tfl:B"]).text == """
                Line 7  bus  tfl:7

                outbound: Stop A → Stop C, Stop D
                    Stop A → Stop B
                      Stop A  tfl:A
                ▶     Stop B  tfl:B
                    Stop B → Stop C
                ▶     Stop B  tfl:B
                  ★   Stop C  tfl:C
                    Stop B → Stop D
                ▶     Stop B  tfl:B
                      Stop D  tfl:D

                """)
    }
}
