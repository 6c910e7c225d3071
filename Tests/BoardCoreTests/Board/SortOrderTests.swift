import BoardCore
import Testing

@Suite("The order of rows")
struct SortOrderTests {
    /// Two lines to Bow with alternating departures, and one line with two destinations.
    private let departures: [Departure] = [
        .bus("N8", to: "Bow", in: .seconds(900), from: SimulatedBoard.start),
        .bus("8", to: "Bow", in: .seconds(300), from: SimulatedBoard.start),
        .bus("73", to: "Stratford", in: .seconds(100), from: SimulatedBoard.start),
        .bus("73", to: "Bow", in: .seconds(600), from: SimulatedBoard.start),
        .bus("73", to: "Bow", in: .seconds(200), from: SimulatedBoard.start),
        .bus("8", to: "Bow", in: .seconds(700), from: SimulatedBoard.start),
        .bus("8", to: "Bow", in: .seconds(600), from: SimulatedBoard.start),
    ]

    private func sorted(_ order: SortOrder) -> [String] {
        order.sorted(departures).map {
            "\($0.line.name) \($0.destination) \(($0.due - SimulatedBoard.start).wholeSeconds)"
        }
    }

    @Test("by destination: of two lines to one place the earlier departure comes first, at equal times the lower line")
    func destination() {
        #expect(
            sorted(.destination) == [
                "73 Bow 200", "8 Bow 300", "8 Bow 600", "73 Bow 600", "8 Bow 700", "N8 Bow 900", "73 Stratford 100",
            ])
    }

    @Test("by line, in riders' order: of one line to two places the earlier departure comes first")
    func line() {
        #expect(
            sorted(.line) == [
                "8 Bow 300", "8 Bow 600", "8 Bow 700", "73 Stratford 100", "73 Bow 200", "73 Bow 600", "N8 Bow 900",
            ])
    }

    @Test("by time: at equal times the lower line comes first")
    func time() {
        #expect(
            sorted(.time) == [
                "73 Stratford 100", "73 Bow 200", "8 Bow 300", "8 Bow 600", "73 Bow 600", "8 Bow 700", "N8 Bow 900",
            ])
    }
}
