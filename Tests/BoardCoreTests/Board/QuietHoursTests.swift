import BoardCore
import Testing

@Suite("Quiet hours")
struct QuietHoursTests {
    /// From 12:10 to 12:40, on Mondays; the simulation begins on a Monday at 12:04.
    private func simulation(days: Set<Weekday> = [.mon], reading: CorrectedClock.Reading? = nil) -> SimulatedBoard {
        return SimulatedBoard(
            [Favourite(stop: .oxford, label: "Oxford"), Favourite(stop: .euston)], after: .zero,
            options: .with { $0.quiet = [WeeklyWindow(from: 12 * 60 + 10, to: 12 * 60 + 40, days: days)] },
            reading: reading, respond: buses(20))
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

    @Test("and the hours of a favourite are in the zone of the stops, whatever that of the machine")
    func zone() throws {
        let denver = try Zone(posix: "MST7MDT,M3.2.0,M11.1.0")
        var oxford = Favourite(stop: .oxford)
        oxford.when = [WeeklyWindow(from: 5 * 60, to: 5 * 60 + 20)]
        // 12:04 in the machine's zone is 05:04 in that of the stops.
        var simulation = SimulatedBoard(
            [oxford, Favourite(stop: .euston)],
            options: .with { $0.quiet = [WeeklyWindow(from: 5 * 60 + 10, to: 5 * 60 + 40)] },
            respond: { request, time in
                .success(
                    FeedResponse(
                        stop: Stop(id: request.stop, zone: denver),
                        departures: [.bus("1", to: "Bow", in: .seconds(4_000), from: time, stop: request.stop)]))
            })
        #expect(simulation.board.report(at: simulation.now).stops.map(\.stop) == [.oxford, .euston])
        simulation.wait(.seconds(5 * 60))
        #expect(simulation.board.render(at: simulation.now).frame.isLit)
        simulation.wait(.seconds(60))
        #expect(!simulation.board.render(at: simulation.now).frame.isLit)
        simulation.wait(.seconds(10 * 60))
        #expect(simulation.board.report(at: simulation.now).stops.map(\.stop) == [.euston])
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
        #expect(simulation.rows[0] == "Hold it for details ")
        simulation.wait(.seconds(10))
        simulation.press()
        #expect(simulation.rows[0].hasPrefix("Oxford N    page 2/2"))
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
