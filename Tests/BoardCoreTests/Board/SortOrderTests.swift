import BoardCore
import Testing

@Suite("The order of rows")
struct SortOrderTests {
    /// Two lines to Bow whose departures alternate, and one line that has two destinations.
    private let departures: [Departure] = [
        .bus("N8", to: "Bow", in: .seconds(900), from: Hallway.start),
        .bus("8", to: "Bow", in: .seconds(300), from: Hallway.start),
        .bus("73", to: "Stratford", in: .seconds(100), from: Hallway.start),
        .bus("73", to: "Bow", in: .seconds(600), from: Hallway.start),
        .bus("73", to: "Bow", in: .seconds(200), from: Hallway.start),
        .bus("8", to: "Bow", in: .seconds(700), from: Hallway.start),
        .bus("8", to: "Bow", in: .seconds(600), from: Hallway.start),
    ]

    private func sorted(_ order: SortOrder) -> [String] {
        order.sorted(departures).map {
            "\($0.line.name) \($0.destination) \(($0.due - Hallway.start).wholeSeconds)"
        }
    }

    @Test("by destination: of two lines to one place the sooner departure comes first, at one time the lower line")
    func destination() {
        #expect(
            sorted(.destination) == [
                "73 Bow 200", "8 Bow 300", "8 Bow 600", "73 Bow 600", "8 Bow 700", "N8 Bow 900", "73 Stratford 100",
            ])
    }

    @Test("by line, as riders count lines: of one line to two places the sooner departure comes first")
    func line() {
        #expect(
            sorted(.line) == [
                "8 Bow 300", "8 Bow 600", "8 Bow 700", "73 Stratford 100", "73 Bow 200", "73 Bow 600", "N8 Bow 900",
            ])
    }

    @Test("by time: at one time the lower line comes first")
    func time() {
        #expect(
            sorted(.time) == [
                "73 Stratford 100", "73 Bow 200", "8 Bow 300", "8 Bow 600", "73 Bow 600", "8 Bow 700", "N8 Bow 900",
            ])
    }
}
