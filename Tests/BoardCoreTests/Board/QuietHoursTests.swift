import BoardCore
import Testing

@Suite("Quiet hours")
struct QuietHoursTests {
    /// From 12:10 to 12:40, on Mondays; the simulation begins on a Monday at 12:04.
    private func simulation(days: Set<Weekday> = [.mon], reading: CorrectedClock.Reading? = nil) -> SimulatedBoard {
        return SimulatedBoard(
            [Favourite(stop: .oxford, label: "Oxford"), Favourite(stop: .euston)], after: .zero,
            options: .with { $0.quiet = [WeeklyWindow(from: 12 * 60 + 10, to: 12 * 60 + 40, days: days)] },
            reading: reading,
            respond: buses(20))
    }

    @Test("darken the board at their first minute and light it again at their end")
    func darkness() {
        var simulation = simulation()
        simulation.wait(.seconds(359))
        #expect(simulation.board.render(at: simulation.now).frame.isLit)
        simulation.wait(.seconds(1))
        #expect(!simulation.board.render(at: simulation.now).frame.isLit)
        simulation.wait(.seconds(30 * 60 - 1))
        #expect(!simulation.board.render(at: simulation.now).frame.isLit)
        simulation.wait(.seconds(1))
        #expect(simulation.board.render(at: simulation.now).frame.isLit)
    }

    @Test("stay dark when the program ends")
    func farewell() {
        var simulation = simulation()
        #expect(simulation.board.shutdownFrame(at: simulation.now).isLit)
        simulation.wait(.seconds(600))
        #expect(!simulation.board.shutdownFrame(at: simulation.now).isLit)
    }

    @Test("poll every five minutes")
    func polling() {
        var simulation = simulation()
        simulation.wait(.seconds(420))
        let before = simulation.polls.count
        simulation.wait(.seconds(1_500))
        #expect((8...12).contains(simulation.polls.count - before))
    }

    @Test("are interrupted for a minute by a press, which otherwise only shows the hint")
    func wake() {
        var simulation = simulation()
        simulation.wait(.seconds(600))
        simulation.press()
        #expect(simulation.board.render(at: simulation.now).frame.isLit)
        #expect(simulation.rows[0] == "hold for details    ")
        simulation.wait(.seconds(10))
        simulation.press()
        #expect(simulation.rows[0].hasPrefix("Oxford N      2 of 2"))
        simulation.wait(.seconds(59))
        #expect(simulation.board.render(at: simulation.now).frame.isLit)
        simulation.wait(.seconds(1))
        #expect(!simulation.board.render(at: simulation.now).frame.isLit)
    }

    @Test("begin only on their days")
    func days() {
        var simulation = simulation(days: [.tue, .sun])
        simulation.wait(.seconds(600))
        #expect(simulation.board.render(at: simulation.now).frame.isLit)
    }

    @Test("do not begin while the time is uncertain")
    func uncertain() {
        var simulation = simulation(reading: .init(wall: SimulatedBoard.start, isSynchronised: false))
        simulation.wait(.seconds(600))
        #expect(simulation.board.render(at: simulation.now).frame.isLit)
    }

    @Test("over midnight belong to the day on which they begin")
    func overMidnight() {
        let night = WeeklyWindow(from: 23 * 60, to: 6 * 60, days: [.fri])
        #expect(night.covers(minute: 23 * 60, weekday: .fri))
        #expect(night.covers(minute: 5 * 60 + 59, weekday: .sat))
        #expect(!night.covers(minute: 6 * 60, weekday: .sat))
        #expect(!night.covers(minute: 60, weekday: .fri))
        let sunday = WeeklyWindow(from: 22 * 60, to: 22 * 60, days: [.sun])
        #expect(sunday.covers(minute: 60, weekday: .mon))
        #expect(!sunday.covers(minute: 60, weekday: .sun))
    }
}
