import BoardCore
import Testing

@Suite("The header, and the caption of panels without one")
struct HeaderTests {
    private let two = [Favourite(stop: .oxford, label: "Oxford"), Favourite(stop: .euston, label: "Euston")]

    @Test("names a changed order in the clock's place where both have no room beside the name")
    func order() {
        var simulation = SimulatedBoard([Favourite(stop: .oxford, label: "Oxford St")], respond: buses(4))
        simulation.sort()
        simulation.wait(.seconds(3))
        #expect(simulation.rows[0].dropLast() == "Oxford St N by line")
        simulation = SimulatedBoard(
            [Favourite(stop: .oxford, label: "Oxford St")], size: DisplaySize(columns: 40, rows: 4), respond: buses(4))
        simulation.sort()
        simulation.wait(.seconds(3))
        #expect(simulation.rows[0].dropLast() == "Oxford St N               by line 12:04")
    }

    @Test("has the position in the clock's place for two seconds after a press")
    func position() {
        var simulation = SimulatedBoard([Favourite(stop: .oxford, label: "Oxford St")], respond: buses(8))
        simulation.down()
        #expect(simulation.rows[0] == "Oxford St N  ●1 of 2")
        simulation.up()
        #expect(simulation.rows[0] == "Oxford St N   2 of 2")
        simulation.wait(.seconds(2))
        #expect(!simulation.rows[0].contains("of"))
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
            #expect(simulation.rows[0].hasPrefix("All stops     05:04"))
        }
    }

    @Test("is a caption for two of eight seconds on two rows, where there are several stops or an alert")
    func caption() {
        func captions(_ favourites: [Favourite], _ respond: @escaping SimulatedBoard.Operator) -> [String] {
            var options = BoardOptions.staying
            options.rotation = .off
            var simulation = SimulatedBoard(favourites, size: .small, options: options, respond: respond)
            var seen: [String] = []
            for _ in 0..<16 {
                simulation.wait(.seconds(1))
                seen.append(simulation.rows[0])
                #expect(simulation.rows[1].hasPrefix("390 "))
            }
            return seen
        }
        #expect(captions([two[0]], oxford).allSatisfy { $0.hasPrefix("73") })
        let several = captions(two, oxford)
        #expect(several.count { $0 == "Oxford N   12:04" } == 4)
        #expect(several.count { $0.hasPrefix("73") } == 12)
        let alert = captions([two[0]], reporting([Alert("Lifts out of order.")], with: oxford))
        #expect(alert.count { $0 == "Oxford N ⚠ 12:04" } == 4)
    }

    @Test("does not cover a message that needs both rows, nor together with a message all departures")
    func captionBesideMessage() {
        var options = BoardOptions.staying
        options.rotation = .off
        var empty = SimulatedBoard(two, size: .small, options: options)
        var failing = SimulatedBoard(two, size: .small, options: options, respond: oxford)
        failing.respond = { _, _ in .failure(FeedError(.noNetwork, detail: "")) }
        failing.wait(.seconds(70))
        var messages = 0
        for _ in 0..<24 {
            empty.wait(.seconds(1))
            #expect(empty.rows == ["No departures   ", "predicted       "])
            failing.wait(.seconds(1))
            let hasDeparture = failing.rows.contains {
                $0.hasPrefix("390 ") || $0.hasPrefix("73 ") || $0.hasPrefix("N73 ")
            }
            #expect(hasDeparture, "\(failing.text)")
            if failing.rows[1].hasPrefix("No network") { messages += 1 }
        }
        #expect(messages >= 6)
    }

    @Test("keeps a label that fits whole, and leaves out the letter on the pole")
    func label() {
        var simulation = SimulatedBoard([Favourite(stop: .oxford, label: "Oxford St S")], respond: buses(2))
        #expect(simulation.rows[0].hasPrefix("Oxford St S N 12:04"))
        simulation.down()
        #expect(simulation.rows[0].hasPrefix("Oxford St S  ●12:04"))
    }
}
