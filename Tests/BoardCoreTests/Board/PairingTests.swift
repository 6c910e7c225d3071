import BoardCore
import Testing

@Suite("The pairing of a phone")
struct PairingTests {
    private static let favourites = [
        Favourite(stop: .oxford, label: "Oxford"), Favourite(stop: .euston, label: "Euston"),
    ]
    private static let digits = """
        |Pair a phone?       |
        |Code: 418 207       |
        |To decline, press   |
        |the button          |
        """

    /// A board that shows the digits for two minutes.
    private func board(
        size: DisplaySize = .usual, options: BoardOptions = .staying, after wait: Duration = .seconds(10)
    ) -> SimulatedBoard {
        var simulation = SimulatedBoard(Self.favourites, after: .zero, size: size, options: options, respond: buses(2))
        simulation.wait(wait)
        simulation.send(.pairing(code: "418207", until: simulation.now + .seconds(120)))
        return simulation
    }

    private func isLit(_ simulation: SimulatedBoard) -> Bool { simulation.board.render(at: simulation.now).frame.isLit }

    @Test("shows the digits until its end, over any page, and then that page again")
    func shown() {
        var simulation = board()
        simulation.shows(Self.digits)
        let until = simulation.board.render(at: simulation.now).until
        #expect(until.map { $0 <= simulation.now + .seconds(120) } == true)
        simulation.wait(.milliseconds(119_999))
        simulation.shows(Self.digits)
        simulation.wait(.milliseconds(1))
        #expect(simulation.rows[0].hasPrefix("Oxford"))
        #expect(simulation.declines == 0)
    }

    @Test("keeps the digits still in the first of two rows, and alternates what they are for with how to decline")
    func small() {
        var simulation = board(size: .small)
        var seen: [[String]: Int] = [:]
        for _ in 0..<16 {
            simulation.wait(.seconds(1))
            seen[simulation.rows, default: 0] += 1
        }
        #expect(seen == [["Code: 418 207   ", "Pair a phone?   "]: 8, ["Code: 418 207   ", "Press to decline"]: 8])
        simulation = board(size: .wide)
        #expect(simulation.rows[0] == "Pair a phone? Code: 418 207             ")
        #expect(simulation.rows[1] == "To decline, press the button            ")
        simulation = board(size: DisplaySize(columns: 16, rows: 1))
        var rows: Set<String> = []
        for _ in 0..<12 {
            simulation.wait(.seconds(1))
            rows.insert(simulation.rows[0])
        }
        #expect(rows == ["Pair a phone?   ", "Code: 418 207   ", "Press to decline"])
    }

    @Test("lights the display in quiet hours, which continue at its end")
    func quiet() {
        var options = BoardOptions()
        options.quiet = [WeeklyWindow(from: 12 * 60 + 10, to: 12 * 60 + 40, days: [.mon])]
        var simulation = board(options: options, after: .seconds(600))
        #expect(isLit(simulation))
        simulation.shows(Self.digits)
        simulation.wait(.seconds(120))
        #expect(!isLit(simulation))
        simulation = board(options: options, after: .seconds(600))
        simulation.press()
        #expect(isLit(simulation) && simulation.rows[0] == "Phone declined      ")
        simulation.wait(.seconds(3))
        #expect(!isLit(simulation))
    }

    @Test("is declined by a press, which does nothing else; the display states it for three seconds")
    func declined() {
        var simulation = board()
        let (polls, snapshot) = (simulation.polls.count, simulation.board.snapshot(at: simulation.now))
        simulation.down()
        #expect(simulation.declines == 1)
        simulation.shows(
            """
            |Phone declined      |
            |                    |
            |                    |
            |                    |
            """)
        // However long it is held.
        simulation.wait(.seconds(1))
        simulation.up()
        #expect(simulation.rows[0] == "Phone declined      ")
        simulation.send(.pairingEnded(isPaired: false))
        simulation.wait(.milliseconds(1_999))
        #expect(simulation.rows[0] == "Phone declined      ")
        simulation.wait(.milliseconds(1))
        #expect(simulation.rows[0].hasPrefix("Oxford"))
        #expect(simulation.declines == 1 && simulation.polls.count == polls)
        #expect(simulation.board.snapshot(at: simulation.now).hasBeenHeld == snapshot.hasBeenHeld)
        simulation.press()
        #expect(simulation.rows[0].hasPrefix("Euston") && simulation.declines == 1)
    }

    @Test("ends with a message where the phone is paired, and without one otherwise; a press continues at once")
    func ended() {
        var simulation = board()
        simulation.send(.pairingEnded(isPaired: true))
        #expect(simulation.rows[0] == "Phone paired        ")
        simulation.wait(.milliseconds(2_999))
        #expect(simulation.rows[0] == "Phone paired        ")
        simulation.wait(.milliseconds(1))
        #expect(simulation.rows[0].hasPrefix("Oxford"))
        simulation = board()
        simulation.send(.pairingEnded(isPaired: false))
        #expect(simulation.rows[0].hasPrefix("Oxford"))
        simulation = board()
        simulation.send(.pairingEnded(isPaired: true))
        simulation.press()
        #expect(simulation.rows[0].hasPrefix("Euston") && simulation.declines == 0)
    }

    @Test("is neither declined by a remote gesture nor disturbed", arguments: Gesture.allCases)
    func remote(gesture: Gesture) {
        var simulation = board()
        simulation.send(.gesture(gesture, .first))
        simulation.shows(Self.digits)
        #expect(simulation.declines == 0)
        simulation.send(.pairingEnded(isPaired: false))
        #expect(simulation.rows[0] == "Oxford N       12:04")
    }

    @Test("is not declined by a button that was down before, whose release does nothing")
    func heldBefore() {
        var simulation = SimulatedBoard(Self.favourites, after: .seconds(10), options: .staying, respond: buses(2))
        simulation.down()
        simulation.wait(.milliseconds(100))
        simulation.send(.pairing(code: "418207", until: simulation.now + .seconds(120)))
        simulation.up()
        simulation.shows(Self.digits)
        #expect(simulation.declines == 0)
        simulation.send(.pairingEnded(isPaired: false))
        #expect(simulation.rows[0] == "Oxford N    stop 1/2")
    }

    @Test("shows its digits only on the display: what leaves the machine has asterisks")
    func hidden() {
        let simulation = board()
        let report = simulation.board.report(at: simulation.now)
        #expect(report.frame.lines[1] == "Code: *** ***       ")
        #expect(report.frame.isLit && report.frame.lines[0] == simulation.rows[0])
        let remote = simulation.board.render(at: simulation.now, isRemote: true).frame.lines.joined()
        #expect(!remote.contains("418") && !remote.contains("207"))
    }

    @Test("is not restored after a restart of the program, and the board shows departures")
    func restart() throws {
        var simulation = board()
        try simulation.restart(after: .seconds(1))
        #expect(simulation.rows[0].hasPrefix("Oxford"))
    }

    @Test("is in every language in view on every size, digits in two groups", arguments: Language.allCases)
    func languages(language: Language) {
        var options = BoardOptions.staying
        options.language = language
        let sizes = [(16, 2), (20, 2), (40, 2), (16, 4), (20, 4), (40, 4), (20, 8)]
        for size in sizes.map({ DisplaySize(columns: $0, rows: $1) }) {
            var simulation = board(size: size, options: options)
            for _ in 0..<3 {
                #expect(simulation.text.contains("418 207"), "\(size)")
                simulation.wait(.seconds(4))
            }
        }
    }
}
