import Testing

@testable import BoardCore

@Suite("Pages, light and messages of clients")
struct RemoteActionTests {
    private static func board(_ change: (inout BoardOptions) -> Void = { _ in }) -> SimulatedBoard {
        var options = BoardOptions()
        change(&options)
        return SimulatedBoard(
            [Favourite(stop: .oxford), Favourite(stop: .euston)], options: options, respond: buses(3))
    }

    /// Quiet hours now.
    private static func quiet(_ options: inout BoardOptions) {
        options.quiet = [try? WeeklyWindow(written: "daily 12:00-13:00")].compactMap(\.self)
    }

    private static func inView(_ simulation: SimulatedBoard) -> StopID? {
        simulation.board.report(at: simulation.now).stopInView
    }

    private static func isLit(_ simulation: SimulatedBoard) -> Bool {
        simulation.board.render(at: simulation.now).frame.isLit
    }

    private static func text(_ simulation: SimulatedBoard) -> [String] {
        simulation.rows.map { $0.split(separator: " ").joined(separator: " ") }
    }

    // MARK: Pages

    @Test("a page that a client shows looks as if the button had stepped there, and the board returns home")
    func show() {
        var simulation = Self.board()
        var pressed = simulation
        pressed.press(for: .zero)
        simulation.send(.show(.euston))
        #expect(Self.inView(simulation) == .euston)
        #expect(simulation.rows == pressed.rows)
        simulation.wait(.seconds(59))
        #expect(Self.inView(simulation) == .euston)
        simulation.wait(.seconds(2))
        #expect(Self.inView(simulation) == .oxford)
        simulation.send(.show(nil))
        #expect(Self.inView(simulation) == nil)
    }

    @Test("a page that the board does not have changes nothing")
    func unknown() {
        var simulation = Self.board()
        let before = simulation.rows
        simulation.send(.show(StopID(feed: FeedName("tfl"), code: "none")))
        #expect(simulation.rows == before)
    }

    @Test("a page that a client shows ends an open detail page and a message")
    func showEnds() {
        var simulation = Self.board()
        simulation.open()
        simulation.send(.message("Dinner", .seconds(60)))
        simulation.send(.show(.oxford))
        #expect(simulation.board.favouriteInView?.detailPage == nil)
        #expect(simulation.board.message == nil)
    }

    @Test("a page that a client shows in quiet hours is lit as after a press")
    func showInQuietHours() {
        var simulation = Self.board(Self.quiet)
        #expect(!Self.isLit(simulation))
        simulation.send(.show(.euston))
        #expect(Self.isLit(simulation))
        simulation.wait(.seconds(61))
        #expect(!Self.isLit(simulation))
    }

    // MARK: Light

    @Test("the light that a client switches on is on in quiet hours too, until auto")
    func lightOn() {
        var simulation = Self.board(Self.quiet)
        simulation.send(.light(.on))
        simulation.wait(.seconds(600))
        #expect(Self.isLit(simulation))
        #expect(simulation.board.report(at: simulation.now).light == .on)
        simulation.send(.light(.auto))
        #expect(!Self.isLit(simulation))
    }

    @Test("the light that a client switches off is off until a press, which only lights the board")
    func lightOff() {
        var simulation = Self.board()
        simulation.send(.light(.off))
        simulation.wait(.seconds(600))
        #expect(!Self.isLit(simulation))
        simulation.press()
        #expect(Self.isLit(simulation) && Self.inView(simulation) == .oxford)
        #expect(simulation.board.report(at: simulation.now).light == .auto)
        simulation.wait(.seconds(600))
        #expect(Self.isLit(simulation))
    }

    @Test("light off makes a board dark that a press has just lit in quiet hours")
    func lightOffAfterPress() {
        var simulation = Self.board(Self.quiet)
        simulation.press()
        #expect(Self.isLit(simulation))
        simulation.send(.light(.off))
        #expect(!Self.isLit(simulation))
        simulation.send(.light(.auto))
        #expect(!Self.isLit(simulation))
    }

    @Test("the mode of the light survives a restart of the program", arguments: LightMode.allCases)
    func restart(mode: LightMode) throws {
        var simulation = Self.board()
        simulation.send(.light(mode))
        try simulation.restart(after: .seconds(2))
        #expect(simulation.board.report(at: simulation.now).light == mode)
    }

    // MARK: Messages

    @Test("a message takes all rows until its time is over")
    func message() {
        var simulation = Self.board()
        simulation.send(.message("The dinner is on the table", .seconds(10)))
        #expect(Self.text(simulation) == ["The dinner is on the", "table", "", ""])
        simulation.wait(.milliseconds(9_900))
        #expect(Self.text(simulation) == ["The dinner is on the", "table", "", ""])
        simulation.wait(.milliseconds(200))
        #expect(Self.text(simulation)[0].hasPrefix("Oxford St N"))
    }

    @Test("a message that has no room is shown in pages, 3 s for two rows, from its first words on")
    func turns() {
        var simulation = Self.board()
        simulation.wait(.milliseconds(1_700))
        simulation.send(
            .message("one two three four five six seven eight nine ten eleven twelve thirteen fourteen", .seconds(60)))
        let first = ["one two three four", "five six seven eight", "nine ten eleven", "twelve thirteen…"]
        #expect(Self.text(simulation) == first)
        simulation.wait(.milliseconds(5_900))
        #expect(Self.text(simulation) == first)
        simulation.wait(.milliseconds(200))
        #expect(Self.text(simulation) == ["…fourteen", "", "", ""])
        simulation.wait(.seconds(6))
        #expect(Self.text(simulation) == first)
    }

    @Test("a press on a message only ends it")
    func dismissed() {
        var simulation = Self.board()
        simulation.send(.message("Dinner", .seconds(60)))
        simulation.press()
        #expect(simulation.board.message == nil)
        #expect(Self.inView(simulation) == .oxford)
        simulation.press()
        #expect(Self.inView(simulation) == .euston)
    }

    @Test("the release of a button that was down when a message came does nothing")
    func downBefore() {
        var simulation = Self.board()
        simulation.down()
        simulation.send(.message("Dinner", .seconds(60)))
        simulation.up()
        #expect(Self.text(simulation)[0] == "Dinner")
        #expect(Self.inView(simulation) == .oxford)
    }

    @Test("a message lights the board in quiet hours, but not where a client has switched the light off")
    func messageInQuietHours() {
        var simulation = Self.board(Self.quiet)
        simulation.send(.message("Dinner", .seconds(10)))
        #expect(Self.isLit(simulation))
        simulation.wait(.seconds(11))
        #expect(!Self.isLit(simulation))
        simulation.send(.light(.off))
        simulation.send(.message("Dinner", .seconds(10)))
        #expect(!Self.isLit(simulation))
        simulation.press()
        #expect(Self.isLit(simulation) && Self.text(simulation)[0] == "Dinner")
    }

    @Test("the digits of a pairing are drawn over a message")
    func pairing() {
        var simulation = Self.board()
        simulation.send(.message("Dinner", .seconds(60)))
        simulation.send(.pairing(code: "418207", until: simulation.now + .seconds(20)))
        #expect(simulation.rows.joined().contains("418 207"))
    }

    // MARK: Gestures as facts

    @Test("each gesture at a button is reported once", arguments: Gesture.allCases)
    func recognised(gesture: Gesture) {
        var simulation = SimulatedBoard(
            [Favourite(stop: .oxford)], buttons: [ButtonBinding(), ButtonBinding(double: .refresh)])
        switch gesture {
        case .short: simulation.press(1)
        case .hold: simulation.press(1, for: .milliseconds(700))
        case .longHold: simulation.press(1, for: .milliseconds(1_600))
        case .double:
            simulation.press(1)
            simulation.press(1)
        }
        simulation.wait(.seconds(1))
        #expect(simulation.gestures == [.gestureRecognised(gesture, ButtonID(number: 2))])
    }

    @Test("a gesture that came over the socket is not reported, also where it waits for a second press")
    func remote() {
        var simulation = SimulatedBoard([Favourite(stop: .oxford)], buttons: [ButtonBinding(double: .refresh)])
        for gesture in Gesture.allCases {
            simulation.send(.gesture(gesture, .first))
            simulation.wait(.seconds(1))
        }
        #expect(simulation.gestures.isEmpty)
        simulation.press()
        simulation.wait(.seconds(1))
        #expect(simulation.gestures == [.gestureRecognised(.short, .first)])
    }

    @Test("a press that only lights a dark board, ends a message or is too long is no gesture")
    func noGesture() {
        var simulation = Self.board()
        simulation.send(.light(.off))
        simulation.press()
        simulation.send(.message("Dinner", .seconds(60)))
        simulation.press()
        simulation.press(for: .seconds(4))
        simulation.wait(.seconds(1))
        #expect(simulation.gestures.isEmpty)
    }

    @Test("rotation is reported until a press, and again after the return home")
    func rotation() {
        var simulation = Self.board { $0.rotation = .every(.seconds(10)) }
        #expect(simulation.board.report(at: simulation.now).pageInView.isRotating)
        simulation.press()
        #expect(!simulation.board.report(at: simulation.now).pageInView.isRotating)
        simulation.wait(.seconds(70))
        #expect(simulation.board.report(at: simulation.now).pageInView.isRotating)
        #expect(!Self.board().board.report(at: simulation.now).pageInView.isRotating)
    }
}
