import BoardCore
import Testing

@Suite("a favourite's page")
struct StopScreenTests {
    static let rows: Hallway.Operator = { question, time in
        let departures = [
            Departure.bus("390", to: "Archway", in: .seconds(280), from: time, vehicle: "LTZ1002"),
            Departure.bus("73", to: "Oxford Circus", in: .seconds(12), from: time, vehicle: "LTZ1001"),
            Departure.bus("N73", to: "Walthamstow Central", in: .seconds(4_000), from: time, age: .seconds(400)),
        ]
        return .success(
            FeedAnswer(stop: Stop(id: question.stop, name: "Oxford Street", letter: "N"), departures: departures))
    }

    @Test("line, destination, mark and time stand in columns under name, clock and bar")
    func twentyByFour() {
        var hallway = Hallway([Favourite(stop: .oxford, label: "Oxford St")], answer: Self.rows)
        hallway.wait(.seconds(3))
        print(hallway.text)
    }
}
