import BoardCore
import Testing

@Suite("The home page")
struct HomeTests {
    private func setup(_ stops: [StopID], like simulation: SimulatedBoard) -> Board.Setup {
        Board.Setup(
            options: simulation.setup.options, favourites: stops.map { Favourite(stop: $0, label: $0.code) },
            buttons: simulation.setup.buttons, profiles: simulation.setup.profiles, size: simulation.setup.size,
            zone: simulation.setup.zone)
    }

    @Test("the first favourite of an empty board is in view as soon as it is added")
    func first() {
        var simulation = SimulatedBoard([], after: .seconds(10))
        simulation.send(.configured(setup([.oxford], like: simulation)))
        simulation.wait(.seconds(1))
        #expect(simulation.rows[0].hasPrefix("490008660N"), "\(simulation.text)")
    }

    @Test("a favourite that is moved to the front is in view, unless a press has turned the page")
    func putFirst() {
        var simulation = SimulatedBoard([Favourite(stop: .oxford), Favourite(stop: .euston)], after: .seconds(10))
        simulation.send(.configured(setup([.euston, .oxford], like: simulation)))
        simulation.wait(.seconds(1))
        #expect(simulation.rows[0].hasPrefix("490000078A"), "\(simulation.text)")
    }

    @Test("after a press the page in view stays, and the board returns to the new home page later")
    func looking() {
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford, label: "Oxford"), Favourite(stop: .euston, label: "Euston")], after: .seconds(10))
        simulation.press()
        simulation.wait(.seconds(5))
        let third = StopID(feed: SimulatedBoard.tfl.name, code: "1A")
        simulation.send(.configured(setup([third, .oxford, .euston], like: simulation)))
        simulation.wait(.seconds(1))
        #expect(simulation.rows[0].hasPrefix("490000078A"), "\(simulation.text)")
        simulation.wait(.seconds(60))
        #expect(simulation.rows[0].hasPrefix("1A"), "\(simulation.text)")
    }
}
