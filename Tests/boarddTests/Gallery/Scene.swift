import BoardCore

/// A board in a state worth a picture.
struct Scene {
    /// What the picture is called in the gallery.
    let name: String
    let board: Board
    let now: Instant

    /// 2026-03-02T12:04:00Z, a Monday in winter: London's clocks show UTC.
    static let start = Timestamp(seconds: 1_772_453_040)
    private static let boot = Instant(microseconds: 50_000_000)
    private static let oxford = StopID(feed: FeedName("tfl"), code: "490008660N")
    private static let euston = StopID(feed: FeedName("tfl"), code: "490000078A")
    private static let favourites = [
        Favourite(stop: oxford, label: "Oxford St", lines: ["73", "390"]),
        Favourite(stop: euston, label: "Euston"),
    ]

    private init(
        _ name: String, _ size: Panel.Size, favourites: [Favourite] = Scene.favourites,
        synchronised: Bool = true, change: (inout BoardOptions) -> Void = { _ in }, _ live: (inout Player) -> Void
    ) {
        var options = BoardOptions(rotation: .off)
        change(&options)
        let profile = FeedProfile(
            name: FeedName("tfl"), title: "TfL", attribution: "Powered by TfL Open Data", agedAfter: .seconds(180),
            suffixes: [" Underground Station"], interval: .seconds(30),
            quota: FeedProfile.Quota(requests: 50, per: .seconds(60)))
        let setup = Board.Setup(
            options: options, favourites: favourites, profiles: [profile.name: profile], size: size, zone: .utc)
        var player = Player(
            board: Board(
                setup, reading: .init(wall: Scene.start, isSynchronised: synchronised), seed: 1, at: Scene.boot),
            now: Scene.boot)
        live(&player)
        self.name = "\(size) \(name)"
        board = player.board
        now = player.now
    }

    /// What happens to a board before its picture is taken.
    struct Player {
        var board: Board
        var now: Instant

        /// Lets time pass and something happen.
        mutating func after(_ wait: Duration, _ event: Board.Event = .woke) {
            now = now + wait
            _ = board.handle(event, at: now)
        }

        mutating func press(for time: Duration) {
            after(.zero, .button(ButtonChange(button: ButtonID(0), isDown: true, at: now)))
            after(time, .button(ButtonChange(button: ButtonID(0), isDown: false, at: now + time)))
        }

        /// Both stops answer, at second 3.
        mutating func answered() {
            after(.seconds(3), .answered(Scene.answer(Scene.oxford)))
            after(.zero, .answered(Scene.answer(Scene.euston)))
        }

        mutating func failed(_ kind: FeedFailure.Kind, times: Int) {
            for _ in 0..<times {
                after(.seconds(1), .failed(Scene.oxford, FeedFailure(kind, detail: "")))
            }
        }
    }

    private static func answer(_ stop: StopID, at moment: Timestamp = start + .seconds(3)) -> FeedAnswer {
        func row(
            _ line: String, _ destination: String, _ status: Departure.Status, booked: Timestamp? = nil,
            age: Duration = .seconds(40)
        ) -> Departure {
            let due: Timestamp =
                switch status {
                case .expected(let time), .timetabled(let time): time
                case .delayed, .cancelled: booked ?? moment
                }
            return Departure(
                stop: stop, line: Line(id: line, name: line), destination: destination, vehicle: "LTZ" + line,
                platform: stop == oxford ? "N" : nil, booked: booked, status: status, made: moment - age,
                void: due + .seconds(30))
        }
        let departures =
            stop == oxford
            ? [
                row("73", "Oxford Circus Underground Station", .expected(moment + .seconds(12))),
                row("390", "Archway", .expected(moment + .seconds(280))),
                row("8", "Café Zürich £5", .expected(moment + .seconds(610)), age: .seconds(300)),
                row("25", "City Thameslink", .delayed, booked: moment + .seconds(700)),
                row("98", "Holborn, Red Lion Square", .cancelled, booked: moment + .seconds(800)),
                row("N73", "Walthamstow Central", .timetabled(moment + .seconds(4_000))),
            ]
            : [
                row("18", "Sudbury", .expected(moment + .seconds(150))),
                row("30", "Hackney", .expected(moment + .seconds(580))),
            ]
        return FeedAnswer(
            stop: Stop(
                id: stop, name: stop == oxford ? "Oxford Street" : "Euston Station", letter: stop == oxford ? "N" : nil),
            departures: departures)
    }

    /// Every page and every message, on a panel of this size.
    static func all(on size: Panel.Size) -> [Scene] {
        pages(on: size) + presses(on: size) + messages(on: size)
    }

    private static func pages(on size: Panel.Size) -> [Scene] {
        [
            Scene("start", size) { $0.after(.zero) },
            Scene("loading", size) { $0.after(.seconds(3)) },
            Scene("departures", size) { $0.answered() },
            Scene(
                "twelve hours, bar in a row", size,
                change: {
                    $0.clock = .h12; $0.refreshBar = .row
                }
            ) { $0.answered() },
            Scene("second screen", size) {
                $0.answered(); $0.press(for: .milliseconds(100)); $0.after(.seconds(2))
            },
            Scene("near stop", size, favourites: [Favourite(stop: oxford, distance: Metres(118))]) { $0.answered() },
            Scene("near stop, pressed", size, favourites: [Favourite(stop: oxford, distance: Metres(118))]) {
                $0.answered(); $0.press(for: .milliseconds(100))
            },
            Scene("overview", size, change: { $0.home = .overview }) { $0.answered() },
            Scene("opened service", size) {
                $0.answered(); $0.press(for: .seconds(2)); $0.after(.seconds(3))
            },
            Scene("unsure clock", size, synchronised: false) { $0.answered() },
            Scene("ended", size) { $0.answered() },
        ]
    }

    private static func presses(on size: Panel.Size) -> [Scene] {
        func held(_ time: Duration, _ player: inout Player) {
            player.answered()
            player.after(
                .seconds(3), .button(ButtonChange(button: ButtonID(0), isDown: true, at: player.now + .seconds(3))))
            player.after(time)
        }
        return [
            Scene("pressed", size) { held(.milliseconds(50), &$0) },
            Scene("held: sort", size) { held(.milliseconds(700), &$0) },
            Scene("held: open", size) { held(.milliseconds(1_600), &$0) },
            Scene("sorted by destination", size) { player in
                player.answered()
                for _ in 0..<2 { player.press(for: .milliseconds(700)) }
                player.after(.seconds(3))
            },
            Scene("hint", size) { player in
                player.answered()
                for _ in 0..<3 { player.press(for: .milliseconds(100)) }
                player.after(.milliseconds(2_100))
            },
        ]
    }

    private static func messages(on size: Panel.Size) -> [Scene] {
        let failures: [(String, FeedFailure.Kind)] = [
            ("no network", .noNetwork), ("no answer", .timedOut), ("error 500", .status(500)),
            ("unreadable", .unreadable), ("throttled", .throttled(retryAfter: nil)), ("certificate", .certificate),
            ("key refused", .keyRefused), ("key missing", .keyMissing), ("unknown stop", .unknownStop),
        ]
        let beside = failures.map { name, kind in
            Scene("\(name), beside departures", size) { player in
                player.answered()
                player.failed(kind, times: 3)
                player.after(.seconds(2))
            }
        }
        let alone = failures.map { name, kind in
            Scene("\(name), alone", size) { player in
                player.failed(kind, times: 3)
            }
        }
        return beside + alone + [
            Scene("waiting for the time", size, synchronised: false) { $0.failed(.certificateDate, times: 3) },
            Scene("frozen", size) { player in
                player.after(.seconds(3))
                for _ in 0..<12 {
                    player.after(.seconds(30), .answered(Scene.answer(Scene.oxford, at: Scene.start + .seconds(3))))
                }
            },
            Scene("faulty configuration", size) { player in
                player.answered()
                player.after(.seconds(5), .faultyConfiguration(FilePlace(file: "boardd.toml", line: 12)))
            },
            Scene("no favourites", size, favourites: []) { $0.after(.seconds(3)) },
            Scene("nothing predicted", size) { player in
                player.after(.seconds(3), .answered(FeedAnswer(stop: Stop(id: Scene.oxford), departures: [])))
            },
        ]
    }
}
