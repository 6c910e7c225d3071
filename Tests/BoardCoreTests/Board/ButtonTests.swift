import BoardCore
import Testing

@Suite("A press")
struct ButtonTests {
    private let two = [Favourite(stop: .oxford, label: "Oxford"), Favourite(stop: .euston, label: "Euston")]

    @Test("steps through the screens of a page, then to the next page, and round again")
    func next() {
        var simulation = SimulatedBoard(two, respond: buses(4))
        simulation.wait(.seconds(3))
        var seen: [String] = []
        for _ in 0..<6 {
            simulation.press()
            seen.append(String(simulation.rows[0].prefix(13)))
            simulation.wait(.seconds(1))
        }
        #expect(
            seen == [
                "Oxford N  2/2", "Euston N  1/2", "Euston N  2/2", "All stops 1/1", "Oxford N  1/2", "Oxford N  2/2",
            ])
    }

    @Test("is acknowledged on the display when the button goes down, before its gesture is complete")
    func acknowledged() {
        var simulation = SimulatedBoard([two[0]], respond: buses(2))
        simulation.wait(.seconds(3))
        #expect(simulation.rows[0] == "Oxford N      12:04█")
        simulation.down()
        #expect(simulation.rows[0] == "Oxford N >1/1 12:04█")
    }

    @Test("shows the action of a release while the button is held: sort from 0.6 s on, open from 1.5 s on")
    func held() {
        var simulation = SimulatedBoard([two[0]], respond: buses(8))
        simulation.wait(.seconds(3))
        simulation.down()
        simulation.wait(.milliseconds(599))
        #expect(simulation.rows[3] == "3 Place 3         6m")
        simulation.wait(.milliseconds(1))
        #expect(simulation.rows[3] == "Sort: line          ")
        simulation.wait(.milliseconds(900))
        #expect(simulation.rows[3] == "Open                ")
        simulation.wait(.seconds(3))
        #expect(simulation.rows[0].hasPrefix("Oxford N >1/3"))
        #expect(simulation.rows[3] == "Open                ")
        simulation.up()
        #expect(simulation.rows[0].hasPrefix("1 Place 1"))
    }

    @Test("of 0.6 s sorts by line, then by destination, then by time again")
    func sort() {
        var simulation = SimulatedBoard(
            [two[0]],
            respond: { request, time in
                .success(
                    FeedResponse(
                        stop: Stop(id: request.stop),
                        departures: [
                            .bus("73", to: "Bow", in: .seconds(100), from: time),
                            .bus("9", to: "Zoo", in: .seconds(200), from: time),
                            .bus("N9", to: "Acton", in: .seconds(300), from: time),
                        ]))
            })
        simulation.wait(.seconds(3))
        func lines() -> [String] { simulation.rows.dropFirst().map { String($0.prefix(2)) } }
        #expect(lines() == ["73", "9 ", "N9"])
        simulation.press(for: .milliseconds(700))
        #expect(lines() == ["9 ", "73", "N9"])
        simulation.press(for: .milliseconds(700))
        #expect(lines() == ["N9", "73", "9 "])
        simulation.wait(.seconds(6))
        simulation.press(for: .milliseconds(700))
        #expect(lines() == ["73", "9 ", "N9"])
    }

    @Test("of 1.5 s opens a departure; short presses step on, a hold goes back")
    func open() {
        var simulation = SimulatedBoard([two[0]], respond: buses(3))
        simulation.wait(.seconds(3))
        simulation.press(for: .seconds(2))
        expectScreen(
            simulation,
            """
            |1 Place 1        1/3|
            |2m 12:06 V1         |
            |estimate of 12:03   |
            |                    |
            """)
        simulation.press()
        #expect(simulation.rows[0] == "2 Place 2        2/3")
        simulation.down()
        simulation.wait(.milliseconds(700))
        #expect(simulation.rows[3] == "Back                ")
        simulation.up()
        #expect(simulation.rows[0].hasPrefix("Oxford"))
    }

    @Test("on the page of a departure that has left finds the stop's page with a message")
    func gone() {
        var simulation = SimulatedBoard(
            [two[0]],
            respond: { request, time in
                .success(
                    FeedResponse(
                        stop: Stop(id: request.stop),
                        departures: [.bus("73", to: "Bow", in: .seconds(20), from: SimulatedBoard.start, vehicle: "V")])
                )
            })
        simulation.wait(.seconds(3))
        simulation.press(for: .seconds(2))
        #expect(simulation.rows[0].hasPrefix("73 Bow"))
        simulation.wait(.seconds(46))
        #expect(simulation.rows[3] == "It has gone         ")
        #expect(simulation.rows[0].hasPrefix("Oxford"))
    }

    @Test("waits for a second one only if double is bound")
    func double() {
        let binding = ButtonBinding(double: .previous)
        var simulation = SimulatedBoard(two, buttons: [binding], respond: buses(4))
        simulation.wait(.seconds(3))
        simulation.press()
        #expect(simulation.rows[0].hasPrefix("Oxford N  1/2"))
        simulation.wait(.milliseconds(300))
        #expect(simulation.rows[0].hasPrefix("Oxford N  2/2"))
        simulation.press()
        simulation.wait(.milliseconds(100))
        simulation.press()
        #expect(simulation.rows[0].hasPrefix("Oxford N  1/2"))
    }

    @Test("that is short and followed by a hold is not lost if double is bound")
    func shortThenHold() {
        var simulation = SimulatedBoard(two, buttons: [ButtonBinding(double: .previous)], respond: buses(2))
        simulation.wait(.seconds(3))
        simulation.press()
        simulation.wait(.milliseconds(100))
        simulation.press(for: .milliseconds(700))
        // The short press stepped on to Euston, and the hold sorted there.
        #expect(simulation.rows[0].hasPrefix("Euston"))
        simulation.wait(.seconds(3))
        simulation.down()
        simulation.wait(.milliseconds(700))
        #expect(simulation.rows[3] == "Sort: destination   ")
    }

    @Test("steps through departures without vehicle names one by one")
    func nameless() {
        var simulation = SimulatedBoard(
            [two[0]],
            respond: { request, time in
                let trains = (0..<4).map { index in
                    Departure.bus(
                        "DLR", to: "Bank", in: .seconds(300 + 40 * index), from: SimulatedBoard.start,
                        stop: request.stop)
                }
                return .success(FeedResponse(stop: Stop(id: request.stop), departures: trains))
            })
        simulation.wait(.seconds(3))
        simulation.press(for: .seconds(2))
        var places: [String] = []
        for _ in 0..<4 {
            places.append(String(simulation.rows[0].suffix(3)))
            simulation.press()
        }
        #expect(places == ["1/4", "2/4", "3/4", "4/4"])
    }

    @Test("five times in a second is five steps")
    func quick() {
        var simulation = SimulatedBoard([two[0]], respond: buses(24))
        simulation.wait(.seconds(3))
        for _ in 0..<5 {
            simulation.press(for: .milliseconds(80))
            simulation.wait(.milliseconds(120))
        }
        #expect(simulation.rows[0].hasPrefix("Oxford N  6/8"))
    }

    @Test("three times in five seconds brings the hint for three seconds")
    func hint() {
        var simulation = SimulatedBoard([two[0]], respond: buses(24))
        simulation.wait(.seconds(3))
        for _ in 0..<3 {
            simulation.press()
            simulation.wait(.milliseconds(400))
        }
        #expect(simulation.rows[3] == "press:next hold:menu")
        simulation.wait(.seconds(3))
        #expect(simulation.rows[3].hasSuffix("m"))
    }

    @Test("polls the stop in view if its last response is older than 15 s")
    func polls() {
        var simulation = SimulatedBoard([two[0]], respond: buses(2))
        simulation.wait(.seconds(10))
        simulation.press()
        #expect(simulation.polls.count == 1)
        simulation.wait(.seconds(6))
        simulation.press()
        #expect(simulation.polls.count == 2)
    }

    @Test("is followed by the return home after a minute")
    func returnsHome() {
        var simulation = SimulatedBoard(two, respond: buses(4))
        simulation.wait(.seconds(3))
        simulation.press()
        simulation.press()
        simulation.wait(.seconds(59))
        #expect(simulation.rows[0].hasPrefix("Euston"))
        simulation.wait(.seconds(1))
        #expect(simulation.rows[0].hasPrefix("Oxford N   "))
    }

    @Test("of the second button opens, and goes back when held")
    func secondButton() {
        var simulation = SimulatedBoard([two[0]], buttons: [ButtonBinding(), .second], respond: buses(3))
        simulation.wait(.seconds(3))
        simulation.press(1)
        #expect(simulation.rows[0].hasPrefix("1 Place 1"))
        simulation.press(1, for: .milliseconds(700))
        #expect(simulation.rows[0].hasPrefix("Oxford N"))
    }

    @Test("on two rows shows name, position, order and clock for two seconds")
    func announcement() {
        var options = BoardOptions()
        options.rotation = .off
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford, label: "Oxford St")], size: .small, options: options, respond: buses(10))
        simulation.wait(.seconds(3))
        simulation.press()
        expectScreen(
            simulation,
            """
            |Oxford St N  2/5|
            |by time    12:04|
            """)
        simulation.wait(.seconds(2))
        expectScreen(
            simulation,
            """
            |3  Place 3    6m|
            |4  Place 4    8m|
            """)
    }
}
