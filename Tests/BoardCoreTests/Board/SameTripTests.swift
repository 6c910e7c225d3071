import BoardCore
import Testing

@Suite("A vehicle's call in successive responses")
struct SameTripTests {
    private func simulation(_ respond: @escaping SimulatedBoard.Operator, profile: FeedProfile = SimulatedBoard.rail)
        -> SimulatedBoard
    {
        return SimulatedBoard(
            [Favourite(stop: .oxford, label: "Paddington")], options: .staying, profile: profile, respond: respond)
    }

    @Test(
        "the detail page of a train stays open when its platform is announced and it is late", arguments: [nil, "run"])
    func platform(id: String?) {
        var simulation = simulation(
            trains { time in
                let isAnnounced = time >= SimulatedBoard.start + .seconds(60)
                return [
                    .train(
                        to: "Oxford", booked: 6, late: .seconds(isAnnounced ? 540 : 0),
                        platform: isAnnounced ? "4" : nil, id: id, madeAt: time)
                ]
            })
        simulation.open()
        simulation.wait(.seconds(537))
        simulation.shows(
            """
            |12:10 Oxford        |
            |Departs 12:19, 5 min|
            |9 min late          |
            |Live report of 12:12|
            """)
    }

    @Test("a minute hold continues when the platform is announced", arguments: [true, false])
    func hold(isBooked: Bool) {
        // Without a booked time, as TfL reports trains without a number: from "Platform Unknown" to "A".
        var simulation = simulation(
            trains { time in
                let isAnnounced = time >= SimulatedBoard.start + .seconds(20)
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
        #expect(simulation.rows[1].hasSuffix(" 6m"))
        simulation.wait(.seconds(32))
        // 12:11:45 is more than seven minutes away.
        #expect(simulation.rows[1].hasSuffix(" platform A  6m"), "\(simulation.rows[1])")
    }

    @Test("of two trains at the same minute to the same place, the page of the right platform stays open")
    func twins() {
        var simulation = simulation(
            trains { time in
                [
                    .train(to: "Waterloo", booked: 6, platform: "9", madeAt: time),
                    .train(to: "Waterloo", booked: 6, late: .seconds(60), platform: "10", madeAt: time),
                ]
            })
        simulation.open()
        simulation.wait(.seconds(3))
        #expect(simulation.text.contains("Platform 9 "))
        simulation.press()
        simulation.wait(.seconds(60))
        #expect(simulation.text.contains("Platform 10"))
    }

    @Test("a train that has left does not become another one booked for the same minute")
    func notAnother() {
        var simulation = simulation(
            trains { time in
                let other = Departure.train(
                    to: "Waterloo", booked: 2, late: .seconds(600), platform: "10", id: "b", madeAt: time)
                let isGone = time >= SimulatedBoard.start + .seconds(120)
                return isGone
                    ? [other] : [.train(to: "Waterloo", booked: 2, platform: "9", id: "a", madeAt: time), other]
            })
        simulation.open()
        simulation.wait(.seconds(200))
        #expect(simulation.text.contains("Platform 9 "), "\(simulation.text)")
        #expect(!simulation.text.contains("latform 10"), "\(simulation.text)")
        simulation.wait(.seconds(60))
        #expect(simulation.rows[0].hasPrefix("Paddington"))
    }
}
