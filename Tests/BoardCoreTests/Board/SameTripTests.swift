import BoardCore
import Testing

@Suite("One vehicle's call in one answer and the next")
struct SameServiceTests {
    private func hallway(_ answer: @escaping Hallway.Operator, profile: FeedProfile = Hallway.rail) -> Hallway {
        var hallway = Hallway(
            [Favourite(stop: .oxford, label: "Paddington")], options: .staying, profile: profile, answer: answer)
        hallway.wait(.seconds(3))
        return hallway
    }

    @Test("an opened train stays open when its platform is announced and it is late", arguments: [nil, "run"])
    func platform(id: String?) {
        var hallway = hallway(
            trains { time in
                let isAnnounced = time >= Hallway.start + .seconds(60)
                return [
                    .train(
                        to: "Oxford", booked: 6, late: .seconds(isAnnounced ? 540 : 0),
                        platform: isAnnounced ? "4" : nil, id: id, madeAt: time)
                ]
            })
        hallway.press(for: .milliseconds(1_600))
        hallway.wait(.seconds(537))
        expectGlass(
            hallway,
            """
            |12:10 Oxford     1/1|
            |5m 12:19 platform 4 |
            |estimate of 12:12   |
            |                    |
            """)
    }

    @Test("the number that is held for a train is held on when its platform is announced", arguments: [true, false])
    func hold(isBooked: Bool) {
        // Without a booked time, as TfL tells of trains without a number: from "Platform Unknown" to "A".
        var hallway = hallway(
            trains { time in
                let isAnnounced = time >= Hallway.start + .seconds(20)
                let train = Departure.train(
                    to: "Oxford", booked: 6, late: .seconds(isAnnounced ? 105 : 50),
                    platform: isAnnounced ? "A" : nil, madeAt: time)
                if isBooked { return [train] }
                return [
                    Departure(
                        stop: train.stop, line: train.line, destination: train.destination, platform: train.platform,
                        status: train.status, madeAt: train.madeAt, expiresAt: train.expiresAt)
                ]
            })
        #expect(hallway.glass[1].hasSuffix(" 6m"))
        hallway.wait(.seconds(32))
        // 12:11:45 is more than seven minutes away.
        #expect(hallway.glass[1].hasSuffix(" A  6m"), "\(hallway.glass[1])")
    }

    @Test("of two trains of one minute to one place, each on its platform, the one that was opened stays open")
    func twins() {
        var hallway = hallway(
            trains { time in
                [
                    .train(to: "Waterloo", booked: 6, platform: "9", madeAt: time),
                    .train(to: "Waterloo", booked: 6, late: .seconds(60), platform: "10", madeAt: time),
                ]
            })
        hallway.press(for: .milliseconds(1_600))
        hallway.wait(.seconds(3))
        #expect(hallway.text.contains("platform 9 "))
        hallway.press()
        hallway.wait(.seconds(60))
        #expect(hallway.text.contains("platform 10"))
    }

    @Test("a train that has gone does not become another one that was booked in the same minute")
    func notAnother() {
        var hallway = hallway(
            trains { time in
                let other = Departure.train(
                    to: "Waterloo", booked: 2, late: .seconds(600), platform: "10", id: "b", madeAt: time)
                let isGone = time >= Hallway.start + .seconds(120)
                return isGone
                    ? [other] : [.train(to: "Waterloo", booked: 2, platform: "9", id: "a", madeAt: time), other]
            })
        hallway.press(for: .milliseconds(1_600))
        hallway.wait(.seconds(200))
        #expect(!hallway.text.contains("platform 10"), "\(hallway.text)")
        hallway.wait(.seconds(60))
        #expect(hallway.glass[0].hasPrefix("Paddington"))
    }
}
