import BoardCore
import Testing

@Suite("A board left alone")
struct SteppingTests {
    private let two = [Favourite(stop: .oxford, label: "Oxford"), Favourite(stop: .euston, label: "Euston")]

    @Test("with two rows turns its screens and pages every six seconds")
    func rotation() {
        var hallway = Hallway(two, size: .small, answer: buses(4))
        var seen: [String] = []
        hallway.wait(.seconds(60)) { hallway in
            let row = hallway.glass[0]
            if row != seen.last, row.contains("/") { seen.append(row) }
        }
        #expect(seen.prefix(3) == ["Euston N     1/2", "All stops    1/1", "Oxford N     1/2"])
    }

    @Test("with four rows stands still unless it is told to turn")
    func standsStill() {
        var hallway = Hallway(two, answer: buses(4))
        hallway.wait(.seconds(120))
        #expect(hallway.glass[0].hasPrefix("Oxford N      "))
        var options = BoardOptions()
        options.rotation = .every(.seconds(10))
        hallway = Hallway(two, options: options, answer: buses(4))
        hallway.wait(.seconds(21))
        #expect(hallway.glass[0].hasPrefix("Euston N  1/2"))
    }

    @Test("rests from turning after a press until it has returned home")
    func rests() {
        var options = BoardOptions()
        options.rotation = .every(.seconds(10))
        var hallway = Hallway(two, options: options, answer: buses(2))
        hallway.wait(.seconds(3))
        hallway.press()
        hallway.wait(.seconds(59))
        #expect(hallway.glass[0].hasPrefix("Euston"))
        hallway.wait(.seconds(2))
        #expect(hallway.glass[0].hasPrefix("Oxford"))
        hallway.wait(.seconds(10))
        #expect(hallway.glass[0].hasPrefix("Euston"))
    }

    @Test("turns on from a page that was left open on another favourite")
    func leftOpen() {
        var options = BoardOptions()
        options.rotation = .every(.seconds(10))
        var hallway = Hallway(two, options: options, answer: buses(9))
        hallway.wait(.seconds(3))
        for _ in 0..<3 { hallway.press() }
        #expect(hallway.glass[0].hasPrefix("Euston"))
        hallway.press(for: .seconds(2))
        #expect(hallway.glass[0].hasPrefix("1 Place 1"))
        var seen: Set<String> = []
        hallway.wait(.seconds(240)) { seen.insert(String($0.glass[0].prefix(6))) }
        #expect(seen.isSuperset(of: ["Oxford", "1 Plac", "All st"]))
    }

    @Test("still says that there is no network after a reload, though old rows are kept")
    func reloadInOutage() {
        var hallway = Hallway(
            [two[0]],
            answer: { request, time in
                if time - Hallway.start < .seconds(60) { return oxford(request, time) }
                return .failure(FeedFailure(.noNetwork, detail: ""))
            })
        hallway.wait(.seconds(5_000))
        #expect(hallway.glass[1] == "No network          ")
        hallway.send(.configured(hallway.setup))
        #expect(hallway.glass[1] == "No network          ")
    }

    @Test("never returns home when it is told so")
    func staysAway() {
        var options = BoardOptions()
        options.returnHome = nil
        var hallway = Hallway(two, options: options, answer: buses(2))
        hallway.wait(.seconds(3))
        hallway.press()
        hallway.wait(.seconds(3_600))
        #expect(hallway.glass[0].hasPrefix("Euston"))
    }

    @Test("keeps page, order and rows over a reload, and goes home when its page is gone")
    func reload() {
        var hallway = Hallway(two, answer: buses(4))
        hallway.wait(.seconds(3))
        hallway.press()
        hallway.press()
        #expect(hallway.glass[0].hasPrefix("Euston N  1/2"))
        var setup = hallway.setup
        setup.options.clock = .h12
        hallway.send(.configured(setup))
        #expect(hallway.glass[0].hasPrefix("Euston N 1/2 12:04p"))
        #expect(hallway.glass[1].hasPrefix("1 Place 1"))
        setup.favourites.removeLast()
        hallway.send(.configured(setup))
        #expect(hallway.glass[0].hasPrefix("Oxford"))
    }

    @Test("asks an abandoned question again only after a while")
    func abandoned() {
        var hallway = Hallway([two[0]], answer: failing(.cancelled))
        hallway.wait(.seconds(60))
        #expect((8...12).contains(hallway.asked.count))
    }
}
