import BoardCore
import Testing

@Suite("The address of the page")
struct PageAddressTests {
    private static let address = PageAddress(address: "192.168.178.201", name: "boardpi.local")
    private static let two = [Favourite(stop: .oxford, label: "Oxford"), Favourite(stop: .euston, label: "Euston")]
    private static let screen = """
        |This board in your  |
        |phone's browser:    |
        |192.168.178.201     |
        |or boardpi.local    |
        """

    /// A board of which the start is over.
    private func board(
        _ favourites: [Favourite] = two, size: DisplaySize = .usual, options: BoardOptions = BoardOptions(),
        page: PageAddress? = address
    ) -> SimulatedBoard {
        var simulation = SimulatedBoard(favourites, after: .zero, size: size, options: options, respond: buses(2))
        simulation.send(.page(page))
        simulation.wait(.seconds(20))
        return simulation
    }

    private func page(_ simulation: SimulatedBoard) -> String {
        let report = simulation.board.report(at: simulation.now)
        return report.stopInView?.code ?? report.pageInView.id
    }

    /// The panels of rows that alternate on the address.
    private func turns(_ address: PageAddress, on size: DisplaySize, favourites: [Favourite] = two) -> Set<[String]> {
        var options = BoardOptions.staying
        options.rotation = .off
        var simulation = board(favourites, size: size, options: options, page: address)
        for _ in 0..<10 where !favourites.isEmpty && page(simulation) != "address" { simulation.press() }
        var seen: Set<[String]> = []
        for _ in 0..<40 {
            simulation.wait(.seconds(1))
            seen.insert(simulation.rows)
        }
        return seen
    }

    @Test("is the page after the last stop, before the overview; from there the board returns home")
    func order() {
        var simulation = board()
        var pages: [String] = []
        for _ in 0..<4 {
            simulation.press()
            pages.append(page(simulation))
        }
        #expect(pages == ["490000078A", "address", "overview", "490008660N"])
        for _ in 0..<2 { simulation.press() }
        simulation.wait(.seconds(6))
        simulation.shows(Self.screen)
        let report = simulation.board.report(at: simulation.now)
        #expect(
            report.address == Self.address && report.pageInView.screen == 0 && report.pageInView.screens == 1
                && report.stopInView == nil)
        simulation.wait(.seconds(60))
        #expect(page(simulation) == "490008660N")
    }

    @Test("is reached backwards from the overview, and a press is acknowledged there")
    func backwards() {
        var simulation = SimulatedBoard(
            Self.two, after: .zero, buttons: [ButtonBinding(short: .previous)], respond: buses(2))
        simulation.send(.page(Self.address))
        simulation.wait(.seconds(20))
        for _ in 0..<2 { simulation.press() }
        #expect(page(simulation) == "address")
        simulation.down()
        #expect(simulation.rows[0] == "This board in your  ")
    }

    @Test("has one screen however many stops there are")
    func oneScreen() {
        let stops = (1...9).map { Favourite(stop: StopID(feed: SimulatedBoard.tfl.name, code: "\($0)")) }
        var simulation = board(stops)
        for _ in 0..<9 { simulation.press() }
        #expect(page(simulation) == "address")
        #expect(simulation.board.report(at: simulation.now).pageInView.screens == 1)
        simulation.press()
        #expect(page(simulation) == "overview")
    }

    @Test("is no page while the page is off, and leaves the display when it is turned off")
    func off() {
        var simulation = board(page: nil)
        for _ in 0..<2 { simulation.press() }
        #expect(page(simulation) == "overview")
        #expect(simulation.board.report(at: simulation.now).address == nil)
        simulation = board()
        for _ in 0..<2 { simulation.press() }
        #expect(page(simulation) == "address")
        simulation.send(.page(nil))
        #expect(page(simulation) == "490008660N")
        simulation = SimulatedBoard(Self.two, after: .zero, respond: buses(2))
        simulation.send(.page(Self.address))
        simulation.wait(.seconds(3))
        simulation.send(.page(nil))
        #expect(page(simulation) == "490008660N")
    }

    @Test("is left out by rotation", arguments: [BoardOptions.Home.first, .overview])
    func rotation(home: BoardOptions.Home) {
        var simulation = board(
            size: .small,
            options: .with {
                $0.home = home
                $0.rotation = .every(.seconds(6))
            })
        var pages: Set<String> = []
        simulation.wait(.seconds(60)) { pages.insert(page($0)) }
        #expect(pages == Set(["490008660N", "490000078A"] + (home == .first ? [] : ["overview"])))
    }

    @Test("has nothing to open, to sort or to refresh, and a held button states that")
    func actions() {
        var simulation = board()
        for _ in 0..<2 { simulation.press() }
        simulation.down()
        simulation.wait(.milliseconds(700))
        #expect(simulation.rows[0] == "Let go: nothing     ")
        simulation.up()
        simulation.wait(.seconds(3))
        simulation.shows(Self.screen)
        for gesture in [Gesture.hold, .longHold] { simulation.send(.gesture(gesture, .first)) }
        #expect(page(simulation) == "address")
    }

    /// A board whose button opens the set-up by phone.
    private func settable(_ favourites: [Favourite] = two, page: PageAddress? = address) -> SimulatedBoard {
        var simulation = board(favourites, page: page)
        configure(&simulation, favourites)
        return simulation
    }

    private func configure(_ simulation: inout SimulatedBoard, _ favourites: [Favourite]) {
        simulation.send(
            .configured(
                Board.Setup(
                    favourites: favourites, profiles: [SimulatedBoard.tfl.name: SimulatedBoard.tfl], size: .usual,
                    zone: .utc, allowsSetup: true)))
    }

    @Test("is shown for two minutes after a button was held for five seconds, which opens the set-up by phone")
    func setup() {
        var simulation = settable()
        simulation.down()
        simulation.wait(.milliseconds(4_999))
        #expect(simulation.rows[0] == "Let go: nothing     ")
        simulation.wait(.milliseconds(1))
        #expect(simulation.rows[0] == "Let go: set-up      ")
        #expect(simulation.setupsOpened == 0)
        // A phone changes the favourites meanwhile.
        configure(&simulation, Self.two.reversed())
        simulation.up()
        #expect(simulation.setupsOpened == 1)
        simulation.send(.setupOpened)
        simulation.wait(.seconds(119))
        simulation.shows(Self.screen)
        simulation.wait(.seconds(1))
        #expect(page(simulation) == "overview")
        simulation.send(.setupOpened)
        simulation.press()
        #expect(page(simulation) == "overview")
    }

    @Test("is not shown, and no set-up opened, where it is not allowed, the page is off or a client holds the button")
    func noSetup() {
        for isAllowed in [true, false] {
            var simulation = isAllowed ? settable(page: nil) : board()
            simulation.press(for: .seconds(6))
            #expect(simulation.setupsOpened == 0)
        }
        var simulation = settable()
        for gesture in Gesture.allCases { simulation.send(.gesture(gesture, .first)) }
        #expect(simulation.setupsOpened == 0)
    }

    @Test("is in view for 20 s after a start, then the home page, from which rotation begins")
    func introduction() {
        var simulation = SimulatedBoard(
            Self.two, after: .zero, size: .small, options: .with { $0.rotation = .every(.seconds(6)) },
            respond: buses(2))
        simulation.send(.page(Self.address))
        simulation.wait(.milliseconds(19_999))
        #expect(page(simulation) == "address")
        #expect(simulation.rows[0] == "On your phone:  ")
        simulation.wait(.milliseconds(1))
        #expect(page(simulation) == "490008660N")
        #expect(simulation.rows[0].hasPrefix("1 Place 1"))
        simulation.wait(.milliseconds(5_999))
        #expect(page(simulation) == "490008660N")
        simulation.wait(.milliseconds(1))
        #expect(page(simulation) == "490000078A")
    }

    @Test("is in view when it becomes known where the network comes up after the board")
    func lateNetwork() {
        var simulation = board(page: PageAddress(address: nil, name: nil))
        #expect(page(simulation) == "490008660N")
        simulation.wait(.seconds(100))
        simulation.send(.page(Self.address))
        simulation.shows(Self.screen)
        simulation.wait(.seconds(20))
        #expect(page(simulation) == "490008660N")
        // Another address later is no start.
        simulation.send(.page(PageAddress(address: "10.0.0.7", name: nil)))
        #expect(page(simulation) == "490008660N")
    }

    @Test("leaves the display after a start with a press, which does nothing else")
    func pressed() {
        var simulation = SimulatedBoard(Self.two, after: .zero, respond: buses(2))
        simulation.send(.page(Self.address))
        simulation.wait(.seconds(3))
        simulation.down()
        #expect(simulation.rows[0] == "Hold it for details ")
        simulation.up()
        #expect(page(simulation) == "490008660N")
        simulation.wait(.seconds(5))
        simulation.press()
        #expect(page(simulation) == "490000078A")
        // Nor is it shown later where a press came first.
        simulation = SimulatedBoard(Self.two, after: .zero, respond: buses(2))
        simulation.press()
        simulation.send(.page(Self.address))
        #expect(page(simulation) != "address")
    }

    @Test("is not in view after a restart of the program: the departures are, also where it was in view before")
    func restart() throws {
        var simulation = board()
        for _ in 0..<2 { simulation.press() }
        #expect(page(simulation) == "address")
        try simulation.restart(after: .seconds(3))
        simulation.send(.page(Self.address))
        #expect(simulation.rows[0].hasPrefix("Oxford"))
        #expect(simulation.rows[1].hasPrefix("1 Place 1"))
        // A fault during the time after the start.
        simulation = SimulatedBoard(Self.two, after: .zero, respond: buses(2))
        simulation.send(.page(Self.address))
        simulation.wait(.seconds(3))
        try simulation.restart(after: .seconds(3))
        simulation.send(.page(Self.address))
        #expect(page(simulation) == "490008660N" && simulation.rows[1].hasPrefix("1 Place 1"))
        simulation.wait(.seconds(100))
        #expect(page(simulation) == "490008660N")
    }

    @Test("is whole on every size, in turns where there is no room for all")
    func sizes() {
        #expect(
            turns(Self.address, on: .small) == [
                ["On your phone:  ", "192.168.178.201 "], ["On your phone:  ", "boardpi.local   "],
            ])
        #expect(
            Set(turns(Self.address, on: DisplaySize(columns: 16, rows: 1)).joined()) == [
                "On your phone:  ", "192.168.178.201 ", "boardpi.local   ",
            ])
        #expect(
            turns(Self.address, on: .wide) == [
                ["This board in your phone's browser:     ", "192.168.178.201 or boardpi.local        "]
            ])
    }

    @Test("is broken after its colon where a port makes it longer than a row, and a longer name is left out")
    func port() {
        let address = PageAddress(address: "192.168.178.201:8480", name: "board-of-the-living-room.local")
        #expect(
            turns(address, on: .small) == [
                ["In your phone's ", "browser:        "], ["192.168.178.201:", "8480            "],
            ])
        #expect(
            turns(address, on: .usual) == [
                [
                    "This board in your  ", "phone's browser:    ", "192.168.178.201:8480",
                    String(repeating: " ", count: 20),
                ]
            ])
    }

    @Test("is missing without a network, which the page states")
    func noNetwork() {
        let none = PageAddress(address: nil, name: "boardpi.local")
        #expect(turns(none, on: .small) == [["No network      ", "address         "]])
        #expect(turns(none, on: DisplaySize(columns: 16, rows: 1)) == [["No address      "]])
        #expect(
            turns(none, on: .usual) == [
                ["This board has no   ", "network address:    ", "check router or     ", "Wi-Fi               "]
            ])
    }

    @Test("is on a board without favourites, in turns with the command for the Pi")
    func firstStart() {
        #expect(
            turns(Self.address, on: .usual, favourites: []) == [
                ["No stops yet: add   ", "one by phone        ", "192.168.178.201     ", "or boardpi.local    "],
                [
                    "No stops yet        ", "On this Pi, run:    ", "sudo boardd setup   ",
                    String(repeating: " ", count: 20),
                ],
            ])
        #expect(
            turns(Self.address, on: .small, favourites: []) == [
                ["Add by phone:   ", "192.168.178.201 "], ["Add by phone:   ", "boardpi.local   "],
                ["On this Pi, run:", "boardd setup    "],
            ])
        var simulation = board([])
        simulation.send(.machine("boardpi 192.168.178.201"))
        var seen: Set<[String]> = []
        for _ in 0..<2 {
            simulation.wait(.seconds(4))
            seen.insert(simulation.rows)
        }
        #expect(seen.contains { $0[0] == "No stops yet        " && $0[2] == "sudo boardd setup   " })
        simulation.press()
        simulation.wait(.seconds(3))
        simulation.shows(Self.screen)
        // A stop that the phone adds is in view at once, although the board has just started.
        simulation = SimulatedBoard([], after: .zero, respond: buses(2))
        simulation.send(.page(Self.address))
        simulation.wait(.seconds(5))
        var setup = simulation.setup
        setup.favourites = [Favourite(stop: .oxford)]
        simulation.send(.configured(setup))
        simulation.wait(.seconds(1))
        #expect(simulation.rows[1].hasPrefix("1 Place 1"))
    }
}
