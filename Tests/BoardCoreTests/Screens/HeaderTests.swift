import BoardCore
import Testing

@Suite("The first row, and the pages of panels without one")
struct HeaderTests {
    private let two = [Favourite(stop: .oxford, label: "Oxford"), Favourite(stop: .euston, label: "Euston")]

    @Test("names a changed order in the clock's place where both have no room beside the name")
    func order() {
        var simulation = SimulatedBoard([Favourite(stop: .oxford, label: "Oxford St")], respond: buses(4))
        simulation.sort()
        simulation.wait(.seconds(3))
        #expect(simulation.rows[0] == "Oxford St N  by line")
        simulation = SimulatedBoard(
            [Favourite(stop: .oxford, label: "Oxford St")], size: DisplaySize(columns: 40, rows: 4), respond: buses(4))
        simulation.sort()
        simulation.wait(.seconds(3))
        #expect(simulation.rows[0] == "Oxford St N                by line 12:04")
    }

    @Test("has the position in the clock's place for three seconds after a press")
    func position() {
        var simulation = SimulatedBoard([Favourite(stop: .oxford, label: "Oxford St")], respond: buses(8))
        simulation.down()
        #expect(simulation.rows[0] == "Oxford St N     ●1/2")
        simulation.up()
        #expect(simulation.rows[0] == "Oxford St N page 2/2")
        simulation.wait(.seconds(3))
        #expect(simulation.rows[0] == "Hold it for details ")
        simulation.wait(.seconds(3))
        #expect(simulation.rows[0] == "Oxford St N    12:04")
    }

    @Test("has the time of the stop in view, and on the overview that of the stops where their clocks agree")
    func zones() throws {
        let denver = try Zone(posix: "MST7MDT,M3.2.0,M11.1.0")
        func respond(_ zones: [StopID: Zone]) -> SimulatedBoard.Operator {
            { request, time in
                let stop = Stop(id: request.stop, zone: zones[request.stop])
                return .success(
                    FeedResponse(
                        stop: stop,
                        departures: [.bus("1", to: "Bow", in: .seconds(4_000), from: time, stop: request.stop)]))
            }
        }
        let kolkata = try Zone(posix: "IST-5:30")
        var simulation = SimulatedBoard(two, options: .staying, respond: respond([.oxford: denver, .euston: kolkata]))
        #expect(simulation.rows[0].contains("05:04"))
        #expect(simulation.rows[1].contains("06:10"))
        simulation.press()
        simulation.wait(.seconds(6))
        #expect(simulation.text.contains("17:34") && simulation.text.contains("18:40"))
        simulation.press()
        simulation.wait(.seconds(6))
        #expect(simulation.rows[0].contains("12:04"))
        // A stop whose zone is unknown follows the others.
        for zones in [[.oxford: denver, .euston: denver], [.oxford: denver]] as [[StopID: Zone]] {
            simulation = SimulatedBoard(two, options: .staying, respond: respond(zones))
            for _ in 0..<2 { simulation.press() }
            simulation.wait(.seconds(6))
            #expect(simulation.rows[0].hasPrefix("Mon 2 Mar      05:04"))
        }
    }

    /// The frames of a board in the next `seconds`, one a second.
    private func frames(_ simulation: SimulatedBoard, _ seconds: Int = 24) -> [[String]] {
        var simulation = simulation
        return (0..<seconds).map { _ in
            simulation.wait(.seconds(1))
            return simulation.rows
        }
    }

    @Test("on two rows the stop's name and the clock are a page for three seconds after a change of the stop")
    func title() {
        var simulation = SimulatedBoard(two, size: .small, options: .staying, respond: oxford)
        // Without the hint of the first presses.
        for _ in 0..<3 {
            simulation.press()
            simulation.wait(.seconds(20))
        }
        simulation.press()
        #expect(simulation.rows == ["Euston N        ", "12:05           "])
        let frames = frames(simulation, 12)
        #expect(frames.count { $0[0].hasPrefix("Euston N") } == 2)
        #expect(frames.dropFirst(3).allSatisfy { !$0[0].hasPrefix("Euston") })
    }

    @Test("keeps a label whole beside the letter on the pole")
    func label() {
        var simulation = SimulatedBoard([Favourite(stop: .oxford, label: "Oxford St S")], respond: buses(2))
        #expect(simulation.rows[0].hasPrefix("Oxford St S N  12:04"))
        simulation.down()
        #expect(simulation.rows[0].hasPrefix("Oxford St S N ●12:04"))
    }
}
