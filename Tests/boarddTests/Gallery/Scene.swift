import BoardCore

/// A board in a state of the gallery.
struct Scene {
    /// The title of the picture.
    let name: String
    let board: Board
    let now: Instant

    /// 2026-03-02T12:04:00Z, a Monday in winter: London's clocks show UTC.
    static let start = Timestamp(seconds: 1_772_453_040)
    private static let boot = Instant(microseconds: 50_000_000)

    /// Plays events on a board before its picture is taken.
    struct Player {
        let town: Town
        var board: Board
        var now: Instant

        /// Advances the clock, then handles an event.
        mutating func after(_ wait: Duration, _ event: Board.Event = .woke) {
            now = now + wait
            _ = board.handle(event, at: now)
        }

        mutating func press(for time: Duration) {
            after(.zero, .button(ButtonChange(button: ButtonID(0), isDown: true, at: now)))
            after(time, .button(ButtonChange(button: ButtonID(0), isDown: false, at: now + time)))
        }

        /// The responses of both stops, at second 3.
        mutating func polled() {
            after(.seconds(3), .polled(town.response(town.first)))
            after(.zero, .polled(town.response(town.second)))
        }

        mutating func failed(_ kind: FeedFailure.Kind, times: Int) {
            for _ in 0..<times {
                after(.seconds(1), .failed(town.first, FeedFailure(kind, detail: "")))
            }
        }
    }

    /// A board in a town, on a panel of this size.
    struct Stage {
        let town: Town
        let size: Panel.Size

        func callAsFunction(
            _ name: String, favourites: [Favourite]? = nil, synchronised: Bool = true,
            change: (inout BoardOptions) -> Void = { _ in }, _ live: (inout Player) -> Void
        ) -> Scene {
            var options = BoardOptions()
            options.language = town.language
            options.rotation = .off
            change(&options)
            let setup = Board.Setup(
                options: options, favourites: favourites ?? town.favourites,
                profiles: [town.bus.name: town.bus, town.trains.name: town.trains], size: size, zone: .utc)
            var player = Player(
                town: town,
                board: Board(
                    setup, reading: .init(wall: Scene.start, isSynchronised: synchronised), seed: 1, at: Scene.boot),
                now: Scene.boot)
            live(&player)
            return Scene(name: "\(size) \(name)", board: player.board, now: player.now)
        }
    }

    /// Every page and every message, on a panel of this size.
    static func all(in town: Town, on size: Panel.Size) -> [Scene] {
        let scene = Stage(town: town, size: size)
        return pages(scene) + trains(scene) + presses(scene) + messages(scene)
    }

    private static func pages(_ scene: Stage) -> [Scene] {
        let near = [Favourite(stop: scene.town.first, distance: Metres(118))]
        return [
            scene("start") { $0.after(.zero) },
            scene("loading") { $0.after(.seconds(3)) },
            scene("departures") { $0.polled() },
            scene(
                "twelve hours, bar in a row",
                change: {
                    $0.clock = .h12; $0.refreshBar = .row
                }
            ) { $0.polled() },
            scene("second screen") {
                $0.polled(); $0.press(for: .milliseconds(100)); $0.after(.seconds(2))
            },
            scene("near stop", favourites: near) { $0.polled() },
            scene("near stop, pressed", favourites: near) {
                $0.polled(); $0.press(for: .milliseconds(100))
            },
            scene("overview", change: { $0.home = .overview }) { $0.polled() },
            scene("detail page of a service") {
                $0.polled(); $0.press(for: .seconds(2)); $0.after(.seconds(3))
            },
            scene("unsure clock", synchronised: false) { $0.polled() },
            scene("ended") { $0.polled() },
        ]
    }

    private static func presses(_ scene: Stage) -> [Scene] {
        func held(_ time: Duration, _ player: inout Player) {
            player.polled()
            player.after(
                .seconds(3), .button(ButtonChange(button: ButtonID(0), isDown: true, at: player.now + .seconds(3))))
            player.after(time)
        }
        return [
            scene("pressed") { held(.milliseconds(50), &$0) },
            scene("held: sort") { held(.milliseconds(700), &$0) },
            scene("held: open") { held(.milliseconds(1_600), &$0) },
            scene("sorted by destination") { player in
                player.polled()
                for _ in 0..<2 { player.press(for: .milliseconds(700)) }
                player.after(.seconds(3))
            },
            scene("hint") { player in
                player.polled()
                for _ in 0..<3 { player.press(for: .milliseconds(100)) }
                player.after(.milliseconds(2_100))
            },
        ]
    }

    private static func messages(_ scene: Stage) -> [Scene] {
        let failures: [(String, FeedFailure.Kind)] = [
            ("no network", .noNetwork), ("no response", .timedOut), ("error 500", .status(500)),
            ("unreadable", .unreadable), ("rate limit", .rateLimited(retryAfter: nil)), ("certificate", .certificate),
            ("key rejected", .keyRejected), ("key missing", .keyMissing), ("unknown stop", .unknownStop),
        ]
        let beside = failures.map { name, kind in
            scene("\(name), beside departures") { player in
                player.polled()
                player.failed(kind, times: 3)
                player.after(.seconds(2))
            }
        }
        let alone = failures.map { name, kind in
            scene("\(name), alone") { player in
                player.failed(kind, times: 3)
            }
        }
        return beside + alone + [
            scene("waiting for the time", synchronised: false) { $0.failed(.certificateDate, times: 3) },
            scene("frozen") { player in
                player.after(.seconds(3))
                let town = player.town
                for _ in 0..<12 {
                    player.after(.seconds(30), .polled(town.response(town.first, at: Scene.start + .seconds(3))))
                }
            },
            scene("faulty configuration") { player in
                player.polled()
                player.after(.seconds(5), .faultyConfiguration(FilePosition(file: "boardd.toml", line: 12)))
            },
            scene("no favourites", favourites: []) { $0.after(.seconds(3)) },
            scene("withheld, alone") { player in
                let stop = player.town.first
                player.after(.seconds(3), .polled(FeedResponse(stop: Stop(id: stop), departures: [], isWithheld: true)))
            },
            scene("last one gone") { player in
                let stop = player.town.first
                player.after(
                    .seconds(3),
                    .polled(
                        FeedResponse(
                            stop: Stop(id: stop), departures: [],
                            next: .nextDay(Scene.start + .seconds(5 * 3_600 + 8 * 60)))
                    )
                )
            },
            scene("next one later") { player in
                let next = NextDeparture.laterToday(Scene.start + .seconds(5 * 3_600 + 8 * 60))
                let stop = Stop(id: player.town.first)
                player.after(.seconds(3), .polled(FeedResponse(stop: stop, departures: [], next: next)))
            },
            scene("not before a day") { player in
                let stop = player.town.first
                player.after(
                    .seconds(3),
                    .polled(
                        FeedResponse(
                            stop: Stop(id: stop), departures: [], next: .nextDay(Scene.start + .seconds(21 * 86_400)))
                    ))
            },
            scene("a timetable that is over") { player in
                let stop = player.town.first
                player.after(
                    .seconds(3),
                    .polled(
                        FeedResponse(
                            stop: Stop(id: stop), departures: [], timetableEndsAt: Scene.start - .seconds(30 * 86_400)))
                )
            },
            scene("nothing predicted") { player in
                let stop = player.town.first
                player.after(.seconds(3), .polled(FeedResponse(stop: Stop(id: stop), departures: [])))
            },
        ]
    }
}
