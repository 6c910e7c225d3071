import BoardCore
import Testing

@Suite("Remote control")
struct RemoteTests {
    @Test("a gesture does what the button would have done", arguments: [Gesture.short, .hold, .longHold])
    func gestures(_ gesture: Gesture) {
        let favourites = [Favourite(stop: .oxford), Favourite(stop: .euston)]
        var pressed = SimulatedBoard(favourites, after: .zero, respond: buses(3))
        var remote = pressed
        pressed.wait(.seconds(3))
        remote.wait(.seconds(3))
        let held: Duration =
            switch gesture {
            case .short, .double: .milliseconds(100)
            case .hold: .milliseconds(700)
            case .longHold: .milliseconds(1_600)
            }
        pressed.press(for: held)
        remote.wait(held)
        remote.send(.gesture(gesture, ButtonID(0)))
        #expect(remote.rows == pressed.rows)
        #expect(remote.board.snapshot(at: remote.now) == pressed.board.snapshot(at: pressed.now))
    }

    @Test("a double gesture does what is bound to it")
    func double() {
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford)], buttons: [ButtonBinding(double: .open)], respond: buses(3))
        simulation.send(.gesture(.double, ButtonID(0)))
        #expect(simulation.rows[0...1] == ["1 Place 1           ", "Departs 12:06, 2 min"])
    }

    @Test("a gesture of a button that does not exist does nothing")
    func noButton() {
        var simulation = SimulatedBoard([Favourite(stop: .oxford), Favourite(stop: .euston)], respond: buses(3))
        let before = simulation.rows
        simulation.send(.gesture(.short, ButtonID(3)))
        #expect(simulation.rows == before)
    }

    @Test("on a board without a button, a gesture of the first one steps through the pages")
    func boardWithoutButton() {
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford), Favourite(stop: .euston)], buttons: [], respond: buses(3))
        let before = simulation.board.report(at: simulation.now).stopInView
        simulation.send(.gesture(.short, .first))
        #expect(simulation.board.report(at: simulation.now).stopInView != before)
    }

    @Test("a refresh polls every stop, however recent its last response is")
    func refresh() {
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford), Favourite(stop: .euston)], after: .seconds(5), respond: oxford)
        let before = simulation.polls.count
        simulation.send(.refresh)
        #expect(Set(simulation.polls.dropFirst(before).map(\.stop)) == [.oxford, .euston])
    }

    @Test("a report contains the frame, the age of the data, the failures and the next poll")
    func report() throws {
        let simulation = SimulatedBoard(
            [Favourite(stop: .oxford, label: "Oxford St"), Favourite(stop: .euston)],
            respond: { request, time in
                request.stop == .oxford ? oxford(request, time) : .failure(FeedError(.timedOut, detail: "no response"))
            })
        let report = simulation.board.report(at: simulation.now)
        #expect(report.frame == simulation.board.render(at: simulation.now).frame)
        #expect(report.moment == simulation.time && report.timeSource == .kernel)
        #expect(report.stopInView == .oxford && report.pageInView.screen == 0 && report.pageInView.screens == 1)
        let oxfordReport = try #require(report.stops.first)
        #expect(report.pages[1].title == "Oxford St N" && oxfordReport.departures.count == 3)
        #expect(oxfordReport.status == .live)
        #expect(oxfordReport.lastResponseAt == SimulatedBoard.start + .milliseconds(200))
        #expect(oxfordReport.newestEstimate == SimulatedBoard.start - .seconds(40))
        let next = try #require(oxfordReport.nextPollAt)
        #expect((SimulatedBoard.start + .seconds(30)...SimulatedBoard.start + .seconds(34)).contains(next))
        let euston = report.stops[1]
        #expect(euston.lastResponseAt == nil && euston.newestEstimate == nil && euston.departures.isEmpty)
        #expect(euston.status == .failing && euston.lastError?.kind == "timed-out")
        #expect(euston.lastError?.detail == "no response")
        #expect(euston.lastError?.at == SimulatedBoard.start + .milliseconds(200))
        #expect(report.stops.allSatisfy { $0.partialFailure == nil })
    }

    @Test("a report contains the failure of a part of the last response, but not after a failed poll")
    func partialFailure() {
        let part = FeedError(.status(503), detail: "no alerts")
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford)],
            respond: { request, time in
                let isWhole = time >= SimulatedBoard.start + .seconds(25)
                return .success(
                    FeedResponse(stop: Stop(id: request.stop), departures: [], partialFailure: isWhole ? nil : part))
            })
        #expect(simulation.board.report(at: simulation.now).stops.map(\.partialFailure?.detail) == ["no alerts"])
        #expect(simulation.rows.allSatisfy { !$0.contains("503") }, "\(simulation.text)")
        simulation.wait(.seconds(40))
        #expect(simulation.board.report(at: simulation.now).stops.map(\.partialFailure?.detail) == [nil])
        let failing = SimulatedBoard(
            [Favourite(stop: .oxford)], after: .seconds(40),
            respond: { request, time in
                time >= SimulatedBoard.start + .seconds(25)
                    ? .failure(FeedError(.timedOut, detail: "no response"))
                    : .success(FeedResponse(stop: Stop(id: request.stop), departures: [], partialFailure: part))
            })
        #expect(failing.board.report(at: failing.now).stops.map(\.partialFailure?.detail) == [nil])
    }
}
