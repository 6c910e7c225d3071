import BoardCore
import Testing

@Suite("Quiet hours")
struct QuietHoursTests {
    /// From 12:10 to 12:40, on Mondays; the hallway begins on a Monday at 12:04.
    private func hallway(days: Set<Weekday> = [.mon], reading: CorrectedClock.Reading? = nil) -> Hallway {
        var options = BoardOptions()
        options.quiet = [WeeklyWindow(from: 12 * 60 + 10, to: 12 * 60 + 40, days: days)]
        return Hallway(
            [Favourite(stop: .oxford, label: "Oxford"), Favourite(stop: .euston)], options: options, reading: reading,
            answer: buses(20))
    }

    @Test("darken the board at their minute and light it again at their end")
    func darkness() {
        var hallway = hallway()
        hallway.wait(.seconds(359))
        #expect(hallway.board.render(at: hallway.now).frame.isLit)
        hallway.wait(.seconds(1))
        #expect(!hallway.board.render(at: hallway.now).frame.isLit)
        hallway.wait(.seconds(30 * 60 - 1))
        #expect(!hallway.board.render(at: hallway.now).frame.isLit)
        hallway.wait(.seconds(1))
        #expect(hallway.board.render(at: hallway.now).frame.isLit)
    }

    @Test("stay dark when the program ends")
    func farewell() {
        var hallway = hallway()
        #expect(hallway.board.shutdownFrame(at: hallway.now).isLit)
        hallway.wait(.seconds(600))
        #expect(!hallway.board.shutdownFrame(at: hallway.now).isLit)
    }

    @Test("poll every five minutes")
    func polling() {
        var hallway = hallway()
        hallway.wait(.seconds(420))
        let before = hallway.asked.count
        hallway.wait(.seconds(1_500))
        #expect((8...12).contains(hallway.asked.count - before))
    }

    @Test("are ended for a minute by a press, which does nothing else but bring the hint")
    func wake() {
        var hallway = hallway()
        hallway.wait(.seconds(600))
        hallway.press()
        #expect(hallway.board.render(at: hallway.now).frame.isLit)
        #expect(hallway.glass[0].hasPrefix("Oxford N   "))
        #expect(hallway.glass[3] == "press:next hold:menu")
        hallway.wait(.seconds(10))
        hallway.press()
        #expect(hallway.glass[0].hasPrefix("Oxford N  2/7"))
        hallway.wait(.seconds(59))
        #expect(hallway.board.render(at: hallway.now).frame.isLit)
        hallway.wait(.seconds(1))
        #expect(!hallway.board.render(at: hallway.now).frame.isLit)
    }

    @Test("begin only on their days")
    func days() {
        var hallway = hallway(days: [.tue, .sun])
        hallway.wait(.seconds(600))
        #expect(hallway.board.render(at: hallway.now).frame.isLit)
    }

    @Test("do not begin while nobody has vouched for the time")
    func unsure() {
        var hallway = hallway(reading: .init(wall: Hallway.start, isSynchronised: false))
        hallway.wait(.seconds(600))
        #expect(hallway.board.render(at: hallway.now).frame.isLit)
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
