import BoardCore
import Testing

@Suite("Asked from elsewhere")
struct RemoteTests {
    @Test("a gesture does what the button would have done", arguments: [Gesture.short, .hold, .longHold])
    func gestures(_ gesture: Gesture) {
        let favourites = [Favourite(stop: .oxford), Favourite(stop: .euston)]
        var pressed = Hallway(favourites, answer: buses(3))
        var asked = pressed
        pressed.wait(.seconds(3))
        asked.wait(.seconds(3))
        let held: Duration =
            switch gesture {
            case .short, .double: .milliseconds(100)
            case .hold: .milliseconds(700)
            case .longHold: .milliseconds(1_600)
            }
        pressed.press(for: held)
        asked.wait(held)
        asked.send(.gesture(gesture, ButtonID(0)))
        #expect(asked.glass == pressed.glass)
        #expect(asked.board.snapshot(at: asked.now) == pressed.board.snapshot(at: pressed.now))
    }

    @Test("a double gesture does what is bound to it")
    func double() {
        var hallway = Hallway([Favourite(stop: .oxford)], buttons: [ButtonBinding(double: .open)], answer: buses(3))
        hallway.wait(.seconds(3))
        hallway.send(.gesture(.double, ButtonID(0)))
        #expect(hallway.glass[0].contains("1/3"))
    }

    @Test("a gesture of a button that is not there does nothing")
    func noButton() {
        var hallway = Hallway([Favourite(stop: .oxford), Favourite(stop: .euston)], answer: buses(3))
        hallway.wait(.seconds(3))
        let before = hallway.glass
        hallway.send(.gesture(.short, ButtonID(3)))
        #expect(hallway.glass == before)
    }

    @Test("a refresh asks about every stop, however fresh its answer is")
    func refresh() {
        var hallway = Hallway([Favourite(stop: .oxford), Favourite(stop: .euston)], answer: oxford)
        hallway.wait(.seconds(5))
        let before = hallway.asked.count
        hallway.send(.refresh)
        #expect(Set(hallway.asked.dropFirst(before).map(\.stop)) == [.oxford, .euston])
    }

    @Test("a report tells what is on the glass, how old it is, what failed and when the operator is asked next")
    func report() throws {
        var hallway = Hallway(
            [Favourite(stop: .oxford, label: "Oxford St"), Favourite(stop: .euston)],
            answer: { request, time in
                request.stop == .oxford
                    ? oxford(request, time) : .failure(FeedFailure(.timedOut, detail: "nobody answers"))
            })
        hallway.wait(.seconds(3))
        let report = hallway.board.report(at: hallway.now)
        #expect(report.frame == hallway.board.render(at: hallway.now).frame)
        #expect(report.moment == hallway.time && report.timeSource == .kernel)
        #expect(report.stopInView == .oxford && report.screen == 0 && report.screens == 1)
        let oxfordReport = try #require(report.stops.first)
        #expect(oxfordReport.title == "Oxford St N" && oxfordReport.departures == 3)
        #expect(oxfordReport.status == .live)
        #expect(oxfordReport.lastResponseAt == Hallway.start + .milliseconds(200))
        #expect(oxfordReport.newestEstimate == Hallway.start - .seconds(40))
        let next = try #require(oxfordReport.nextPoll)
        #expect((Hallway.start + .seconds(30)...Hallway.start + .seconds(34)).contains(next))
        let euston = report.stops[1]
        #expect(euston.lastResponseAt == nil && euston.newestEstimate == nil && euston.departures == 0)
        guard case .failing(.timedOut, let detail, let at, let count) = euston.status else {
            Issue.record("\(euston.status)")
            return
        }
        #expect(detail == "nobody answers" && count == 1 && at == Hallway.start + .milliseconds(200))
        #expect(report.stops.allSatisfy { $0.partialFailure == nil })
    }

    @Test("a report tells what part of the last answer is missing, and not beside a question that failed")
    func partialFailure() {
        let part = FeedFailure(.status(503), detail: "no alerts")
        var hallway = Hallway(
            [Favourite(stop: .oxford)],
            answer: { request, time in
                let isWhole = time >= Hallway.start + .seconds(25)
                return .success(
                    FeedResponse(stop: Stop(id: request.stop), departures: [], partialFailure: isWhole ? nil : part))
            })
        hallway.wait(.seconds(3))
        #expect(hallway.board.report(at: hallway.now).stops.map(\.partialFailure) == [part])
        #expect(hallway.glass.allSatisfy { !$0.contains("503") }, "\(hallway.text)")
        hallway.wait(.seconds(40))
        #expect(hallway.board.report(at: hallway.now).stops.map(\.partialFailure) == [nil])
        var failing = Hallway(
            [Favourite(stop: .oxford)],
            answer: { request, time in
                time >= Hallway.start + .seconds(25)
                    ? .failure(FeedFailure(.timedOut, detail: "silent"))
                    : .success(FeedResponse(stop: Stop(id: request.stop), departures: [], partialFailure: part))
            })
        failing.wait(.seconds(40))
        #expect(failing.board.report(at: failing.now).stops.map(\.partialFailure) == [nil])
    }
}
