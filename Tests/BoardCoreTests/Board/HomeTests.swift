import BoardCore
import Testing

@Suite("Home moves")
struct HomeTests {
    private func setup(_ stops: [StopID], like hallway: Hallway) -> Board.Setup {
        Board.Setup(
            options: hallway.setup.options, favourites: stops.map { Favourite(stop: $0, label: $0.code) },
            buttons: hallway.setup.buttons, profiles: hallway.setup.profiles, size: hallway.setup.size,
            zone: hallway.setup.zone)
    }

    @Test("the first favourite of an empty board is in view as soon as it is there")
    func first() {
        var hallway = Hallway([])
        hallway.wait(.seconds(10))
        hallway.send(.configured(setup([.oxford], like: hallway)))
        hallway.wait(.seconds(1))
        #expect(hallway.glass[0].hasPrefix("490008660N"), "\(hallway.text)")
    }

    @Test("a favourite that is put first is in view, when nobody is looking at another page")
    func putFirst() {
        var hallway = Hallway([Favourite(stop: .oxford), Favourite(stop: .euston)])
        hallway.wait(.seconds(10))
        hallway.send(.configured(setup([.euston, .oxford], like: hallway)))
        hallway.wait(.seconds(1))
        #expect(hallway.glass[0].hasPrefix("490000078A"), "\(hallway.text)")
    }

    @Test("who has just turned the page keeps it, and comes to the new home in time")
    func looking() {
        var hallway = Hallway([Favourite(stop: .oxford, label: "Oxford"), Favourite(stop: .euston, label: "Euston")])
        hallway.wait(.seconds(10))
        hallway.press()
        hallway.wait(.seconds(5))
        let third = StopID(feed: Hallway.tfl.name, code: "1A")
        hallway.send(.configured(setup([third, .oxford, .euston], like: hallway)))
        hallway.wait(.seconds(1))
        #expect(hallway.glass[0].hasPrefix("490000078A"), "\(hallway.text)")
        hallway.wait(.seconds(60))
        #expect(hallway.glass[0].hasPrefix("1A"), "\(hallway.text)")
    }
}
