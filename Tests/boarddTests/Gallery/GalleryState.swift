import BoardCore

/// A board in a state of the gallery.
struct GalleryState {
    /// The title of the picture.
    let name: String
    let board: Board
    let now: Instant

    /// 2026-03-02T12:04:00Z, a Monday in winter: London's clocks show UTC.
    static let start = Timestamp(seconds: 1_772_453_040)
    private static let boot = Instant(microseconds: 50_000_000)

    /// A board, and the events that precede its picture.
    struct Simulation {
        let sample: GallerySample
        var board: Board
        var now: Instant

        /// Advances the clock, then handles an event.
        mutating func after(_ wait: Duration, _ event: Board.Event = .woke) {
            now = now + wait
            _ = board.handle(event, at: now)
        }

        /// The first stop's operator responds without departures, after three seconds.
        mutating func respond(next: NextDeparture) {
            after(.seconds(3), .polled(FeedResponse(stop: Stop(id: sample.first), departures: [], next: next)))
        }

        mutating func press(for time: Duration) {
            after(.zero, .button(ButtonChange(button: ButtonID(0), isDown: true, at: now)))
            after(time, .button(ButtonChange(button: ButtonID(0), isDown: false, at: now + time)))
        }

        /// The responses of both stops, at second 3.
        mutating func polled() {
            after(.seconds(3), .polled(sample.response(sample.first)))
            after(.zero, .polled(sample.response(sample.second)))
        }

        mutating func failed(_ kind: FeedError.Kind, times: Int) {
            for _ in 0..<times {
                after(.seconds(1), .failed(sample.first, FeedError(kind, detail: "")))
            }
        }
    }

    /// Makes states of boards with a sample, on a panel of this size.
    struct StateFactory {
        let sample: GallerySample
        let size: DisplaySize
        /// The rows of dots of an OLED that draws texts of twice the size; nil: another display.
        let dotRows: Int?

        func callAsFunction(
            _ name: String, favourites: [Favourite]? = nil, synchronised: Bool = true,
            change: (inout BoardOptions) -> Void = { _ in }, _ run: (inout Simulation) -> Void
        ) -> GalleryState {
            var options = BoardOptions()
            options.language = sample.language
            options.rotation = .off
            options.home = .first
            change(&options)
            let setup = Board.Setup(
                options: options, favourites: favourites ?? sample.favourites,
                profiles: [sample.bus.name: sample.bus, sample.trains.name: sample.trains], size: size,
                hasDoubleSize: dotRows != nil,
                zone: .utc)
            var simulation = Simulation(
                sample: sample,
                board: Board(
                    setup, reading: .init(wall: GalleryState.start, isSynchronised: synchronised), seed: 1,
                    at: GalleryState.boot),
                now: GalleryState.boot)
            run(&simulation)
            let display = dotRows.map { "OLED 128x\($0)" } ?? "\(size)"
            return GalleryState(name: "\(display) \(name)", board: simulation.board, now: simulation.now)
        }
    }

    /// Every page and every message, on a panel of this size.
    static func all(in sample: GallerySample, on size: DisplaySize) -> [GalleryState] {
        all(StateFactory(sample: sample, size: size, dotRows: nil))
    }

    /// The same on an OLED that draws texts of twice the size.
    static func all(in sample: GallerySample, onOLEDOf dotRows: Int) -> [GalleryState] {
        all(StateFactory(sample: sample, size: DisplaySize(columns: 20, rows: dotRows / 8), dotRows: dotRows))
    }

    private static func all(_ state: StateFactory) -> [GalleryState] {
        return pages(state) + trains(state) + presses(state) + messages(state) + page(state)
    }

    /// From the first responses, in seconds, to what does not fit the rows at first.
    static let thirdBeat = 4
    /// And to the beginnings of the names again.
    private static let nextCycle = 6

    private static func pages(_ state: StateFactory) -> [GalleryState] {
        let near = [Favourite(stop: state.sample.first, distance: Metres(118))]
        return [
            state("start") { $0.after(.zero) },
            state("loading") { $0.after(.seconds(3)) },
            state("departures") { $0.polled() },
            state("departures, third beat") {
                $0.polled(); $0.after(.seconds(thirdBeat))
            },
            state("twelve hours", change: { $0.clock = .h12 }) { $0.polled() },
            state("second screen") {
                $0.polled(); $0.press(for: .milliseconds(100)); $0.after(.seconds(2))
            },
            state("near stop", favourites: near) { $0.polled() },
            state("near stop, pressed", favourites: near) {
                $0.polled(); $0.press(for: .milliseconds(100))
            },
            state("overview", change: { $0.home = .overview }) {
                $0.polled(); $0.after(.seconds(nextCycle))
            },
            state("overview, third beat", change: { $0.home = .overview }) {
                $0.polled(); $0.after(.seconds(thirdBeat))
            },
            state("overview, one stop without departures", change: { $0.home = .overview }) { simulation in
                let sample = simulation.sample
                simulation.after(.seconds(3), .polled(sample.response(sample.first)))
                let next = NextDeparture.laterToday(GalleryState.start + .seconds(5 * 3_600 + 8 * 60))
                simulation.after(
                    .zero, .polled(FeedResponse(stop: Stop(id: sample.second), departures: [], next: next)))
            },
            state("overview of lines", favourites: state.sample.filtered, change: { $0.home = .overview }) {
                $0.after(
                    .seconds(3), .polled(state.sample.response(state.sample.first, alerts: state.sample.activeAlerts)))
            },
            state(
                "departures of one line",
                favourites: [Favourite(stop: state.sample.first, lines: [state.sample.lines[0]])]
            ) {
                $0.after(.seconds(3), .polled(state.sample.frequent))
            },
            state("six minutes' walk", favourites: [Favourite(stop: state.sample.first, walk: .seconds(360))]) {
                $0.after(.seconds(3), .polled(state.sample.frequent)); $0.after(.seconds(nextCycle))
            },
            state(
                "six minutes' walk, third beat", favourites: [Favourite(stop: state.sample.first, walk: .seconds(360))]
            ) {
                $0.after(.seconds(3), .polled(state.sample.frequent)); $0.after(.seconds(thirdBeat))
            },
            state("name of one of several stops") { simulation in
                simulation.polled()
                for _ in 0..<3 { simulation.press(for: .milliseconds(100)) }
                simulation.after(.milliseconds(500))
            },
            state("detail page of a service") {
                $0.polled(); $0.press(for: .milliseconds(700)); $0.after(.seconds(3))
            },
            state("unsure clock", synchronised: false) { $0.polled() },
            state("ended") { $0.polled() },
        ]
    }

    private static func presses(_ state: StateFactory) -> [GalleryState] {
        let sample = state.sample
        func held(_ time: Duration, _ simulation: inout Simulation, isPolled: Bool = false) {
            if !isPolled { simulation.polled() }
            simulation.after(
                .seconds(3), .button(ButtonChange(button: ButtonID(0), isDown: true, at: simulation.now + .seconds(3))))
            simulation.after(time)
        }
        return [
            state("pressed") { held(.milliseconds(50), &$0) },
            state("held for details") { held(.milliseconds(700), &$0) },
            state("held to sort") { held(.milliseconds(1_600), &$0) },
            state("held for too long") { held(.milliseconds(3_100), &$0) },
            state("sorted by line") { simulation in
                simulation.after(.seconds(3), .polled(sample.frequent))
                simulation.press(for: .seconds(2))
                simulation.after(.seconds(3))
            },
            state("sorted by destination") { simulation in
                simulation.polled()
                for _ in 0..<2 { simulation.press(for: .seconds(2)) }
                simulation.after(.seconds(3))
            },
            state("hint") { simulation in
                simulation.polled()
                simulation.press(for: .milliseconds(100))
                simulation.after(.milliseconds(3_500))
            },
            state("back from details") { simulation in
                simulation.polled()
                simulation.press(for: .milliseconds(700))
                held(.milliseconds(700), &simulation, isPolled: true)
            },
        ]
    }

    /// The address of the page, and pairings. Where texts alternate, each has a picture.
    private static func page(_ state: StateFactory) -> [GalleryState] {
        func turns(
            _ count: Int, _ name: String, favourites: [Favourite]? = nil, _ run: (inout Simulation) -> Void
        ) -> [GalleryState] {
            // On more than 16 columns the last turn is the first one again.
            (0..<(state.size.columns > 16 ? count - 1 : count)).map { turn in
                let seconds = 3 * (state.size.rows / 2) * turn
                return state(turn == 0 ? name : "\(name), \(seconds) seconds later", favourites: favourites) {
                    simulation in
                    run(&simulation)
                    simulation.after(.seconds(seconds))
                }
            }
        }
        let known = PageAddress(address: "192.168.178.201", name: "boardpi.local")
        let other = PageAddress(address: "192.168.178.201:8480", name: nil)
        let pairing = Board.Event.pairing(code: "418207", until: boot + .seconds(120))
        let text = state.sample.message
        return turns(2, "address") { $0.after(.seconds(2), .page(known)) }
            + turns(2, "address with a port") { $0.after(.seconds(2), .page(other)) }
            + turns(3, "address, no favourites", favourites: []) { simulation in
                simulation.after(.seconds(2), .machine("boardpi 192.168.178.201"))
                simulation.after(.zero, .page(known))
            } + [
                state("address, without a network") { simulation in
                    simulation.after(.seconds(2), .page(PageAddress(address: nil, name: nil)))
                    for _ in 0..<2 { simulation.press(for: .milliseconds(100)) }
                }
            ] + turns(2, "pairing") { $0.after(.seconds(2), pairing) } + [
                state("pairing, declined") { simulation in
                    simulation.after(.seconds(2), pairing)
                    simulation.press(for: .milliseconds(100))
                },
                state("pairing, paired") { simulation in
                    simulation.after(.seconds(2), pairing)
                    simulation.after(.zero, .pairingEnded(isPaired: true))
                },
            ]
            + turns(2, "message") { simulation in
                simulation.polled()
                simulation.after(.seconds(2), .message(text, .seconds(60)))
            }
    }

    private static func messages(_ state: StateFactory) -> [GalleryState] {
        let failures: [(String, FeedError.Kind)] = [
            ("no network", .noNetwork), ("no response", .timedOut), ("error 500", .status(500)),
            ("unreadable", .unreadable), ("rate limit", .rateLimited(retryAfter: nil)), ("certificate", .certificate),
            ("key rejected", .keyRejected), ("key missing", .keyMissing), ("unknown stop", .unknownStop),
        ]
        let beside = failures.map { name, kind in
            state("\(name), beside departures") { simulation in
                simulation.polled()
                simulation.failed(kind, times: 3)
                simulation.after(.seconds(2))
            }
        }
        let alone = failures.map { name, kind in
            state("\(name), alone") { simulation in
                simulation.failed(kind, times: 3)
            }
        }
        return beside + alone + [
            state("waiting for the time", synchronised: false) { $0.failed(.certificateDate, times: 3) },
            state("frozen") { simulation in
                simulation.after(.seconds(3))
                let sample = simulation.sample
                for _ in 0..<12 {
                    simulation.after(
                        .seconds(30), .polled(sample.response(sample.first, at: GalleryState.start + .seconds(3))))
                }
            },
            state("faulty configuration") { simulation in
                simulation.polled()
                simulation.after(.seconds(5), .faultyConfiguration(FilePosition(file: "boardd.toml", line: 12)))
            },
            state("no favourites", favourites: []) { $0.after(.seconds(4), .machine("boardpi 192.0.2.23")) },
            state("withheld, alone") { simulation in
                let stop = simulation.sample.first
                simulation.after(
                    .seconds(3), .polled(FeedResponse(stop: Stop(id: stop), departures: [], isWithheld: true)))
            },
            state("last one gone") { simulation in
                simulation.respond(next: .nextDay(GalleryState.start + .seconds(5 * 3_600 + 8 * 60)))
            },
            state("next one later") { simulation in
                simulation.respond(next: .laterToday(GalleryState.start + .seconds(5 * 3_600 + 8 * 60)))
            },
            state("not before a day") { simulation in
                simulation.respond(next: .nextDay(GalleryState.start + .seconds(21 * 86_400)))
            },
            state("a timetable that is over") { simulation in
                let stop = simulation.sample.first
                simulation.after(
                    .seconds(3),
                    .polled(
                        FeedResponse(
                            stop: Stop(id: stop), departures: [],
                            timetableEndsAt: GalleryState.start - .seconds(30 * 86_400)))
                )
            },
            state("nothing predicted") { simulation in
                let stop = simulation.sample.first
                simulation.after(.seconds(3), .polled(FeedResponse(stop: Stop(id: stop), departures: [])))
            },
        ]
    }
}
