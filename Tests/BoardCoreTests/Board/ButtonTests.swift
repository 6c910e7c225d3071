import BoardCore
import Testing

@Suite("A press")
struct ButtonTests {
    private let two = [Favourite(stop: .oxford, label: "Oxford"), Favourite(stop: .euston, label: "Euston")]

    @Test("steps through the screens of a page, then to the next page, and round again")
    func next() {
        var hallway = Hallway(two, answer: buses(4))
        hallway.wait(.seconds(3))
        var seen: [String] = []
        for _ in 0..<6 {
            hallway.press()
            seen.append(String(hallway.glass[0].prefix(13)))
            hallway.wait(.seconds(1))
        }
        #expect(
            seen == [
                "Oxford N  2/2", "Euston N  1/2", "Euston N  2/2", "All stops 1/1", "Oxford N  1/2", "Oxford N  2/2",
            ])
    }

    @Test("is acknowledged on the glass when the button goes down, before it means anything")
    func acknowledged() {
        var hallway = Hallway([two[0]], answer: buses(2))
        hallway.wait(.seconds(3))
        #expect(hallway.glass[0] == "Oxford N      12:04█")
        hallway.down()
        #expect(hallway.glass[0] == "Oxford N >1/1 12:04█")
    }

    @Test("that is held shows what letting go will do: sort from 0.6 s on, open from 1.5 s on")
    func held() {
        var hallway = Hallway([two[0]], answer: buses(8))
        hallway.wait(.seconds(3))
        hallway.down()
        hallway.wait(.milliseconds(599))
        #expect(hallway.glass[3] == "3 Place 3         6m")
        hallway.wait(.milliseconds(1))
        #expect(hallway.glass[3] == "Sort: line          ")
        hallway.wait(.milliseconds(900))
        #expect(hallway.glass[3] == "Open                ")
        hallway.wait(.seconds(3))
        #expect(hallway.glass[0].hasPrefix("Oxford N >1/3"))
        #expect(hallway.glass[3] == "Open                ")
        hallway.up()
        #expect(hallway.glass[0].hasPrefix("1 Place 1"))
    }

    @Test("of 0.6 s sorts by line, then by destination, then by time again")
    func sort() {
        var hallway = Hallway(
            [two[0]],
            answer: { request, time in
                .success(
                    FeedResponse(
                        stop: Stop(id: request.stop),
                        departures: [
                            .bus("73", to: "Bow", in: .seconds(100), from: time),
                            .bus("9", to: "Zoo", in: .seconds(200), from: time),
                            .bus("N9", to: "Acton", in: .seconds(300), from: time),
                        ]))
            })
        hallway.wait(.seconds(3))
        func lines() -> [String] { hallway.glass.dropFirst().map { String($0.prefix(2)) } }
        #expect(lines() == ["73", "9 ", "N9"])
        hallway.press(for: .milliseconds(700))
        #expect(lines() == ["9 ", "73", "N9"])
        hallway.press(for: .milliseconds(700))
        #expect(lines() == ["N9", "73", "9 "])
        hallway.wait(.seconds(6))
        hallway.press(for: .milliseconds(700))
        #expect(lines() == ["73", "9 ", "N9"])
    }

    @Test("of 1.5 s opens a service; short presses step on, a hold goes back")
    func open() {
        var hallway = Hallway([two[0]], answer: buses(3))
        hallway.wait(.seconds(3))
        hallway.press(for: .seconds(2))
        expectGlass(
            hallway,
            """
            |1 Place 1        1/3|
            |2m 12:06 V1         |
            |estimate of 12:03   |
            |                    |
            """)
        hallway.press()
        #expect(hallway.glass[0] == "2 Place 2        2/3")
        hallway.down()
        hallway.wait(.milliseconds(700))
        #expect(hallway.glass[3] == "Back                ")
        hallway.up()
        #expect(hallway.glass[0].hasPrefix("Oxford"))
    }

    @Test("on a page whose service has gone finds its stop's page, with a word")
    func gone() {
        var hallway = Hallway(
            [two[0]],
            answer: { request, time in
                .success(
                    FeedResponse(
                        stop: Stop(id: request.stop),
                        departures: [.bus("73", to: "Bow", in: .seconds(20), from: Hallway.start, vehicle: "V")]))
            })
        hallway.wait(.seconds(3))
        hallway.press(for: .seconds(2))
        #expect(hallway.glass[0].hasPrefix("73 Bow"))
        hallway.wait(.seconds(46))
        #expect(hallway.glass[3] == "It has gone         ")
        #expect(hallway.glass[0].hasPrefix("Oxford"))
    }

    @Test("waits for a second one only where double is bound")
    func double() {
        let binding = ButtonBinding(double: .previous)
        var hallway = Hallway(two, buttons: [binding], answer: buses(4))
        hallway.wait(.seconds(3))
        hallway.press()
        #expect(hallway.glass[0].hasPrefix("Oxford N  1/2"))
        hallway.wait(.milliseconds(300))
        #expect(hallway.glass[0].hasPrefix("Oxford N  2/2"))
        hallway.press()
        hallway.wait(.milliseconds(100))
        hallway.press()
        #expect(hallway.glass[0].hasPrefix("Oxford N  1/2"))
    }

    @Test("that is short and followed by a hold is not lost where double is bound")
    func shortThenHold() {
        var hallway = Hallway(two, buttons: [ButtonBinding(double: .previous)], answer: buses(2))
        hallway.wait(.seconds(3))
        hallway.press()
        hallway.wait(.milliseconds(100))
        hallway.press(for: .milliseconds(700))
        // The short one stepped on to Euston, and the hold sorted there.
        #expect(hallway.glass[0].hasPrefix("Euston"))
        hallway.wait(.seconds(3))
        hallway.down()
        hallway.wait(.milliseconds(700))
        #expect(hallway.glass[3] == "Sort: destination   ")
    }

    @Test("steps through services without a name, one after the other")
    func nameless() {
        var hallway = Hallway(
            [two[0]],
            answer: { request, time in
                let trains = (0..<4).map { index in
                    Departure.bus(
                        "DLR", to: "Bank", in: .seconds(300 + 40 * index), from: Hallway.start, stop: request.stop)
                }
                return .success(FeedResponse(stop: Stop(id: request.stop), departures: trains))
            })
        hallway.wait(.seconds(3))
        hallway.press(for: .seconds(2))
        var places: [String] = []
        for _ in 0..<4 {
            places.append(String(hallway.glass[0].suffix(3)))
            hallway.press()
        }
        #expect(places == ["1/4", "2/4", "3/4", "4/4"])
    }

    @Test("five times in a second is five steps")
    func quick() {
        var hallway = Hallway([two[0]], answer: buses(24))
        hallway.wait(.seconds(3))
        for _ in 0..<5 {
            hallway.press(for: .milliseconds(80))
            hallway.wait(.milliseconds(120))
        }
        #expect(hallway.glass[0].hasPrefix("Oxford N  6/8"))
    }

    @Test("three times in five seconds brings the hint for three seconds")
    func hint() {
        var hallway = Hallway([two[0]], answer: buses(24))
        hallway.wait(.seconds(3))
        for _ in 0..<3 {
            hallway.press()
            hallway.wait(.milliseconds(400))
        }
        #expect(hallway.glass[3] == "press:next hold:menu")
        hallway.wait(.seconds(3))
        #expect(hallway.glass[3].hasSuffix("m"))
    }

    @Test("polls the stop in view if its answer is older than 15 s")
    func polls() {
        var hallway = Hallway([two[0]], answer: buses(2))
        hallway.wait(.seconds(10))
        hallway.press()
        #expect(hallway.asked.count == 1)
        hallway.wait(.seconds(6))
        hallway.press()
        #expect(hallway.asked.count == 2)
    }

    @Test("is followed by the way home after a minute")
    func returnsHome() {
        var hallway = Hallway(two, answer: buses(4))
        hallway.wait(.seconds(3))
        hallway.press()
        hallway.press()
        hallway.wait(.seconds(59))
        #expect(hallway.glass[0].hasPrefix("Euston"))
        hallway.wait(.seconds(1))
        #expect(hallway.glass[0].hasPrefix("Oxford N   "))
    }

    @Test("of the second button opens, and goes back when held")
    func secondButton() {
        var hallway = Hallway([two[0]], buttons: [ButtonBinding(), .second], answer: buses(3))
        hallway.wait(.seconds(3))
        hallway.press(1)
        #expect(hallway.glass[0].hasPrefix("1 Place 1"))
        hallway.press(1, for: .milliseconds(700))
        #expect(hallway.glass[0].hasPrefix("Oxford N"))
    }

    @Test("on two rows is answered with name, position, order and clock for two seconds")
    func announcement() {
        var options = BoardOptions()
        options.rotation = .off
        var hallway = Hallway(
            [Favourite(stop: .oxford, label: "Oxford St")], size: .small, options: options, answer: buses(10))
        hallway.wait(.seconds(3))
        hallway.press()
        expectGlass(
            hallway,
            """
            |Oxford St N  2/5|
            |by time    12:04|
            """)
        hallway.wait(.seconds(2))
        expectGlass(
            hallway,
            """
            |3  Place 3    6m|
            |4  Place 4    8m|
            """)
    }
}
