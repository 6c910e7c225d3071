import BoardCore
import BoardFeeds
import BoardHardware
import BoardSimulation
import LoopbackServer
import Testing

/// An invented operator of SIRI, whose answers are all one text.
struct SIRIOperator {
    static let name = FeedName("siri.vale")
    static let stop = StopID(feed: name, code: "S1")

    /// One answer to every question, of this status.
    private struct OneAnswer: HTTPTransport {
        let status: Int
        let body: [UInt8]

        func get(_ request: HTTPRequest, body sink: @escaping HTTPBodySink) async throws(HTTPFailure) -> HTTPResponse {
            try? sink(body.span)
            return HTTPResponse(status: status, received: Timestamp(seconds: 1_772_438_400))
        }
    }

    /// A clock that nobody looks at.
    private struct NoClock: MachineClock {
        func now() -> Instant { Instant(microseconds: 0) }
        func reading() -> CorrectedClock.Reading { .init(wall: Timestamp(seconds: 0), isSynchronised: false) }
    }

    /// The feed, to which everything is answered with one body; its stops are in this zone.
    static func feed(status: Int = 200, _ body: [UInt8], zone: Zone = .utc) throws -> SIRIFeed {
        var settings = FeedSettings(defaultsOf: try #require(SIRIFeed.family.member(name)))
        settings.set("title", to: .text("Vale"))
        settings.set("url", to: .text("https://vale.example/sm"))
        settings.set("zone", to: .text("here"))
        return try SIRIFeed(
            name,
            FeedContext(settings: settings, transport: OneAnswer(status: status, body: body), clock: NoClock()) { _ in
                zone
            })
    }
}

/// A board for one stop of SIRI on a modelled 20x4 panel.
struct SIRIGlass {
    private let feed: SIRIFeed
    private let expander: SimulatedExpander
    private var display: HD44780Display<SimulatedExpander>
    private var board: Board
    private var now = Instant(microseconds: 50_000_000)

    init(_ feed: SIRIFeed, at moment: Timestamp, zone: Zone = .utc) throws {
        self.feed = feed
        let panel = Panel(size: Panel.Size(columns: 20, rows: 4))
        expander = SimulatedExpander(panel: panel)
        display = HD44780Display(panel: panel, resync: nil, bus: expander)
        let setup = Board.Setup(
            options: BoardOptions(rotation: .off, refreshBar: .off), favourites: [Favourite(stop: SIRIOperator.stop)],
            profiles: [SIRIOperator.name: feed.profile], size: panel.size, zone: zone)
        board = Board(setup, reading: .init(wall: moment - .seconds(3), isSynchronised: true), seed: 1, at: now)
        handle(.woke)
        wait(.seconds(3))
    }

    /// The glass as one text with its edges.
    mutating func text() -> String {
        _ = display.show(board.picture(at: now).frame, at: now)
        let rows = expander.violations.isEmpty ? expander.glass : ["\(expander.violations)"]
        return rows.map { "|\($0)|" }.joined(separator: "\n")
    }

    /// Asks the feed once and gives the board what it says.
    mutating func ask() async {
        do throws(FeedFailure) {
            handle(.answered(try await feed.departures(FeedQuestion(stop: SIRIOperator.stop))))
        } catch {
            handle(.failed(SIRIOperator.stop, error))
        }
    }

    /// Opens what can be opened: what the operator tells of it comes at once.
    mutating func open() async throws {
        try await follow(press(for: .seconds(2)))
    }

    /// Presses button 0 shortly: the next screen.
    mutating func step() async throws {
        try await follow(press(for: .milliseconds(100)))
    }

    private mutating func follow(_ commands: [Board.Command]) async throws {
        for command in commands {
            guard case .follow(let departure) = command else { continue }
            handle(.followed(departure, try await feed.service(of: departure)))
        }
        wait(.seconds(3))
    }

    mutating func wait(_ duration: Duration) {
        now = now + duration
        handle(.woke)
    }

    @discardableResult
    private mutating func press(for duration: Duration) -> [Board.Command] {
        var commands = handle(.button(ButtonChange(button: ButtonID(0), isDown: true, at: now)))
        now = now + duration
        commands += handle(.button(ButtonChange(button: ButtonID(0), isDown: false, at: now)))
        return commands
    }

    @discardableResult
    private mutating func handle(_ event: Board.Event) -> [Board.Command] { board.handle(event, at: now) }
}
