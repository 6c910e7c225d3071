import Testing

@testable import BoardCore

@Suite("A display with one row")
struct OneRowTests {
    private static let size = DisplaySize(columns: 16, rows: 1)

    private func board(
        _ change: (inout BoardOptions) -> Void = { $0.rotation = .off },
        respond: @escaping SimulatedBoard.Operator = oxford
    ) -> SimulatedBoard {
        var options = BoardOptions()
        change(&options)
        return SimulatedBoard(
            [Favourite(stop: .oxford)], after: .zero, size: Self.size, options: options, respond: respond)
    }

    @Test("shows the next departure: line, destination, time to go")
    func next() {
        var simulation = board()
        simulation.wait(.seconds(3))
        #expect(simulation.rows == ["73 Oxford…   due"])
    }

    @Test("steps through the departures by itself")
    func rotates() {
        var simulation = board { _ in }
        var leads: Set<String> = []
        for _ in 0..<40 {
            simulation.wait(.seconds(1))
            leads.insert(String(simulation.rows[0].prefix(4)))
        }
        #expect(leads.isSuperset(of: ["73 O", "390 "]))
    }

    @Test("begins with the program's name where an operator's terms have no room, which `boardd status` prints")
    func splash() { #expect(board().rows == ["boardd          "]) }

    @Test("a message has three seconds after nine of the departure")
    func message() {
        var simulation = board(respond: { request, time in
            time - SimulatedBoard.start < .seconds(20) ? oxford(request, time) : failing(.noNetwork)(request, time)
        })
        simulation.wait(.seconds(100))
        var rows: [String] = []
        for _ in 0..<24 {
            simulation.wait(.seconds(1))
            rows.append(simulation.rows[0])
        }
        #expect(rows.count { $0 == "No network      " } == 6)
        #expect(rows.count { $0.hasPrefix("390 Archwa") } == 18)
    }

    @Test("a press shows the next departure, and the hint a page later")
    func press() {
        var simulation = board()
        simulation.wait(.seconds(3))
        simulation.press()
        #expect(simulation.rows[0].hasPrefix("390 Archwa"))
        simulation.wait(.seconds(3))
        #expect(simulation.rows[0] == "Hold for details")
        simulation.wait(.seconds(3))
        #expect(simulation.rows[0].hasPrefix("390 Archwa"))
    }

    @Test("a detail page begins with its title, and has a row for each screen")
    func detail() {
        var simulation = board()
        simulation.wait(.seconds(3))
        simulation.open()
        #expect(simulation.rows[0].hasPrefix("73 Oxford"))
        simulation.press()
        simulation.wait(.seconds(1))
        #expect(simulation.rows[0].hasPrefix("12:04, due"))
    }

    @Test("every explanation for no departures has a form that fits", arguments: Language.allCases)
    func explanations(language: Language) {
        let words = language.words
        let months = words[.months].map { words(.date, code: "31", word: $0).joined() }
        let day = months.max { $0.count < $1.count } ?? ""
        let stop = Stop(id: .oxford)
        let notices: [Notice] = [
            .loading, .noFavourites, .nothingPredicted, .otherDirections, .nothingToCatch,
            .notBefore(SimulatedBoard.start, from: stop),
            .next(.nextDay(SimulatedBoard.start), from: stop), .next(.laterToday(SimulatedBoard.start), from: stop),
        ]
        for notice in notices {
            let forms = notice.forms(words) { _, _ in
                "12:04" + words.text(.afterNoon)
            } days: { _, _ in
                ["Mon " + day, day]
            }
            #expect(forms.contains { Text.wrapped($0, width: 16).count == 1 }, "\(forms)")
        }
        #expect(words[.stopped].contains { $0.count <= 16 && !$0.contains("%") })
    }
}
