import BoardCore
import Testing

@Suite("A press")
struct ButtonTests {
    private let two = [Favourite(stop: .oxford, label: "Oxford"), Favourite(stop: .euston, label: "Euston")]

    @Test("steps through the screens of a page, then to the next page, and round again")
    func next() {
        var simulation = SimulatedBoard(two, respond: buses(4))
        var seen: [String] = []
        for _ in 0..<6 {
            simulation.press()
            seen.append(simulation.rows[0].split(separator: " ").joined(separator: " "))
            simulation.wait(.seconds(1))
        }
        #expect(
            seen == [
                "Oxford N page 2/2", "Euston N page 1/2", "Euston N page 2/2", "Mon 2 Mar 12:04", "Oxford N page 1/2",
                "Oxford N page 2/2",
            ])
    }

    @Test(
        "shows what a release does while the button is held: details from 0.6 s on, the order from 1.5 s, nothing from 3 s"
    )
    func held() {
        var simulation = SimulatedBoard([two[0]], respond: buses(8))
        let rows = simulation.rows.dropFirst()
        simulation.down()
        simulation.wait(.milliseconds(599))
        #expect(simulation.rows[0] == "Oxford N   ●page 1/2")
        simulation.wait(.milliseconds(1))
        #expect(simulation.rows[0] == "Let go: details     ")
        simulation.wait(.milliseconds(900))
        #expect(simulation.rows[0] == "Let go: by line     ")
        simulation.wait(.milliseconds(1_500))
        #expect(simulation.rows[0] == "Let go: nothing     ")
        #expect(simulation.rows.dropFirst() == rows, "it never covers a departure")
        simulation.wait(.seconds(10))
        simulation.up()
        simulation.wait(.seconds(6))
        #expect(simulation.rows[0] == "Oxford N       12:04")
        #expect(simulation.rows[1].hasPrefix("1 Place 1"))
    }

    @Test("that is short and followed by one that is held for too long is still a press")
    func shortThenTooLong() {
        var simulation = SimulatedBoard(two, buttons: [ButtonBinding(double: .previous)], respond: buses(2))
        simulation.press()
        simulation.wait(.milliseconds(100))
        simulation.press(for: .seconds(4))
        #expect(simulation.rows[0].hasPrefix("Euston"))
    }

    @Test("of 1.5 s sorts by line, then by destination, then by time again")
    func sort() {
        var simulation = SimulatedBoard(
            [two[0]],
            respond: departing { _, time in
                [
                    .bus("73", to: "Bow", in: .seconds(100), from: time),
                    .bus("9", to: "Zoo", in: .seconds(200), from: time),
                    .bus("N9", to: "Acton", in: .seconds(300), from: time),
                ]
            })
        func lines() -> [String] { simulation.rows.dropFirst().map { String($0.prefix(2)) } }
        #expect(lines() == ["73", "9 ", "N9"])
        simulation.sort()
        #expect(lines() == ["9 ", "73", "N9"])
        simulation.sort()
        #expect(lines() == ["N9", "73", "9 "])
        simulation.wait(.seconds(6))
        simulation.sort()
        #expect(lines() == ["73", "9 ", "N9"])
    }

    @Test("of 0.6 s opens a departure; short presses step on, a hold goes back")
    func open() {
        var simulation = SimulatedBoard([two[0]], respond: buses(3))
        simulation.open()
        simulation.shows(
            """
            |1 Place 1           |
            |Departs 12:06, 2 min|
            |Live report of 12:03|
            |Vehicle V1          |
            """)
        simulation.press()
        #expect(simulation.rows[0] == "2 Place 2           ")
        simulation.down()
        simulation.wait(.milliseconds(700))
        #expect(simulation.rows[0] == "Let go: back        ")
        simulation.up()
        #expect(simulation.rows[0].hasPrefix("Oxford"))
    }

    @Test("of 0.6 s opens a departure until it has left; then the stop's page is in view again")
    func gone() {
        var simulation = SimulatedBoard(
            [two[0]],
            respond: departing { _, _ in
                [.bus("73", to: "Bow", in: .seconds(20), from: SimulatedBoard.start, vehicle: "V")]
            })
        simulation.open()
        #expect(simulation.rows[0].hasPrefix("73 Bow"))
        simulation.wait(.milliseconds(46_200))
        #expect(simulation.rows[0].hasPrefix("73 Bow"))
        simulation.wait(.milliseconds(200))
        #expect(simulation.rows[0] == "Oxford         12:04")
    }

    @Test("waits for a second one only if double is bound")
    func double() {
        let binding = ButtonBinding(double: .previous)
        var simulation = SimulatedBoard(two, buttons: [binding], respond: buses(4))
        simulation.press()
        #expect(simulation.rows[0].hasSuffix(" 1/2"))
        simulation.wait(.milliseconds(300))
        #expect(simulation.rows[0].hasSuffix(" 2/2"))
        simulation.press()
        simulation.wait(.milliseconds(100))
        simulation.press()
        #expect(simulation.rows[0] == "Oxford N    page 1/2")
    }

    @Test("that is short and followed by a hold is not lost if double is bound")
    func shortThenHold() {
        var simulation = SimulatedBoard(two, buttons: [ButtonBinding(double: .previous)], respond: buses(2))
        simulation.press()
        simulation.wait(.milliseconds(100))
        simulation.sort()
        // The short press stepped on to Euston, and the hold sorted there.
        #expect(simulation.rows[0].hasPrefix("Euston"))
        simulation.wait(.seconds(3))
        simulation.down()
        simulation.wait(.milliseconds(1_500))
        #expect(simulation.rows[0] == "Let go: by dest     ")
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
        simulation.open()
        var departures: [String] = []
        for _ in 0..<4 {
            #expect(simulation.rows[0] == "DLR Bank            ")
            departures.append(simulation.rows[1])
            simulation.press()
        }
        #expect(
            departures == [
                "Departs 12:09, 4 min", "Departs 12:09, 5 min", "Departs 12:10, 6 min", "Departs 12:11, 6 min",
            ])
    }

    @Test("five times in a second is five steps")
    func quick() {
        var simulation = SimulatedBoard([two[0]], options: .with { $0.screens = 8 }, respond: buses(24))
        for _ in 0..<5 {
            simulation.press(for: .milliseconds(80))
            simulation.wait(.milliseconds(120))
        }
        #expect(simulation.rows[0] == "Oxford N    page 6/8")
    }

    @Test("brings the hint after its announcement, three times after the start at most")
    func hint() {
        var simulation = SimulatedBoard([two[0]], respond: buses(24))
        for count in 1...4 {
            simulation.press()
            let rows = simulation.rows.dropFirst().map { $0.prefix(12) }
            #expect(!simulation.rows[0].contains("Hold"))
            simulation.wait(.milliseconds(2_999))
            #expect(!simulation.rows[0].contains("Hold"))
            simulation.wait(.milliseconds(1))
            #expect((simulation.rows[0] == "Hold it for details ") == (count <= 3))
            #expect(simulation.rows.dropFirst().map { $0.prefix(12) } == rows, "it never covers a departure")
            simulation.wait(.seconds(3))
            #expect(!simulation.rows[0].contains("Hold"))
        }
    }

    @Test("brings no hint when the button was held once, also after a restart")
    func noHint() throws {
        var simulation = SimulatedBoard([two[0]], respond: buses(24))
        simulation.press()
        simulation.open()
        simulation.open()
        simulation.wait(.seconds(10))
        for isRestarted in [false, true] {
            if isRestarted { try simulation.restart(after: .seconds(1)) }
            simulation.press()
            simulation.wait(.seconds(3))
            #expect(!simulation.rows[0].contains("Hold"))
        }
    }

    @Test("of the overview opens the first stop of the screen in view")
    func firstOnScreen() {
        let stops = (1...5).map {
            Favourite(stop: StopID(feed: SimulatedBoard.tfl.name, code: "S\($0)"), label: "Stop \($0)")
        }
        var simulation = SimulatedBoard(stops, options: .with { $0.home = .overview }, respond: buses(2))
        simulation.press()
        simulation.wait(.seconds(6))
        #expect(simulation.rows[1].hasPrefix("1 from Stop 4 "), "\(simulation.text)")
        simulation.open()
        #expect(simulation.rows[0].hasPrefix("Stop 4"))
    }

    @Test("that changed the order or opened a page on any favourite ends with the return home")
    func everythingReturns() {
        var simulation = SimulatedBoard(two, respond: buses(9))
        simulation.sort()
        for _ in 0..<2 { simulation.press() }
        simulation.open()
        simulation.wait(.seconds(6))
        #expect(simulation.rows[0].hasPrefix("1 Place 1"))
        simulation.wait(.seconds(55))
        #expect(simulation.rows[0].hasPrefix("Oxford N       12:05"))
        for _ in 0..<2 { simulation.press() }
        simulation.wait(.seconds(6))
        #expect(simulation.rows[0].hasPrefix("Euston N       12:05"))
    }

    @Test("polls the stop in view if its last response is older than 15 s")
    func polls() {
        var simulation = SimulatedBoard([two[0]], after: .seconds(10), respond: buses(2))
        simulation.press()
        #expect(simulation.polls.count == 1)
        simulation.wait(.seconds(6))
        simulation.press()
        #expect(simulation.polls.count == 2)
    }

    @Test("that changed an order is undone after a minute, also when the favourite in view has gone")
    func undoneElsewhere() {
        var simulation = SimulatedBoard(two, respond: buses(4))
        simulation.press(for: .seconds(2))
        simulation.wait(.seconds(3))
        #expect(simulation.rows[0].contains("by line"))
        while !simulation.rows[0].hasPrefix("Euston") {
            simulation.press()
            simulation.wait(.seconds(1))
        }
        var setup = simulation.setup
        setup.favourites = [two[0]]
        simulation.send(.configured(setup))
        simulation.wait(.seconds(61))
        #expect(simulation.rows[0].hasPrefix("Oxford N"))
        #expect(!simulation.rows[0].contains("by line"), "\(simulation.rows[0])")
    }

    @Test("of 0.6 s on a stop without departures opens the legend, and on a board without favourites does nothing")
    func nothingToOpen() {
        var simulation = SimulatedBoard([two[0]])
        simulation.open()
        simulation.wait(.seconds(3))
        #expect(simulation.rows[0] == "⇨ leave home        ", "\(simulation.text)")
        simulation = SimulatedBoard([])
        simulation.down()
        simulation.wait(.milliseconds(700))
        #expect(simulation.rows[0] == "Let go: nothing     ")
    }

    @Test("of the second button opens, and goes back when held")
    func secondButton() {
        var simulation = SimulatedBoard([two[0]], buttons: [ButtonBinding(), .second], respond: buses(3))
        simulation.press(1)
        #expect(simulation.rows[0].hasPrefix("1 Place 1"))
        simulation.open(1)
        #expect(simulation.rows[0].hasPrefix("Oxford N"))
    }

    @Test("on two rows covers no departure: the name of another stop, the hint, and what a release does are pages")
    func twoRows() {
        var simulation = SimulatedBoard(two, size: .small, options: .with { $0.rotation = .off }, respond: buses(2))
        simulation.press()
        simulation.shows(
            """
            |Euston N        |
            |12:04           |
            """)
        simulation.wait(.seconds(3))
        simulation.shows(
            """
            |Hold it for     |
            |details         |
            """)
        simulation.wait(.seconds(3))
        simulation.shows(
            """
            |1 Place 1     2m|
            |2 Place 2     4m|
            """)
        simulation.down()
        simulation.wait(.milliseconds(700))
        simulation.shows(
            """
            |Let go: details |
            |                |
            """)
    }

    @Test("on two rows that turns to another screen of the same stop shows its departures at once")
    func nextScreen() {
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford, label: "Oxford St")], size: .small, options: .with { $0.rotation = .off },
            respond: buses(10))
        simulation.press()
        simulation.shows(
            """
            |3 Place 3     6m|
            |4 Place 4     8m|
            """)
    }
}
